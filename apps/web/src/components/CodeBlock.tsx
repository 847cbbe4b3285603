import { useState, type ReactElement } from 'react'

/** A code block with a copy button. */
export function CodeBlock({ code, label }: { code: string; label: string }): ReactElement {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  const copy = (): void => {
    navigator.clipboard.writeText(code).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }
  return (
    <figure className="code">
      <figcaption>
        <span>{label}</span>
        <button type="button" className="quiet" onClick={copy}>
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </button>
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <p role="status" className="visually-hidden">
        {outcome === 'copied' && 'Copied to the clipboard.'}
        {outcome === 'failed' && 'The browser did not allow copying. Select the text instead.'}
      </p>
    </figure>
  )
}
