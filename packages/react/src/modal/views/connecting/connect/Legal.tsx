import { internalsOf } from '@latchkey/core/internal'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { connectCss } from './connect.css.ts'
import { documentsOf, useAgreement } from './useAgreement.ts'

/** The box that must be ticked before connecting, if the app requires it. */
export function LegalBox(): ReactElement | null {
  const latchkey = useLatchkey()
  const { legal: t } = useModalMessages()
  const { form, agreed, setAgreed } = useAgreement()
  const documents = documentsOf(latchkey)
  useViewStyles(connectCss)
  if (form !== 'box' || documents === undefined) return null
  return (
    <div className="legal" part="legal">
      <input
        id="legal"
        type="checkbox"
        aria-describedby="legal-first"
        checked={agreed}
        onChange={({ target }) => setAgreed(target.checked)}
      />
      <label htmlFor="legal">
        <LegalText text={t.box[documents]} />
      </label>
      <span id="legal-first" className="hidden">
        {agreed ? undefined : t.acceptFirst}
      </span>
    </div>
  )
}

/** The legal notice, if the app shows one without a box. */
export function LegalFooter(): ReactElement | null {
  const latchkey = useLatchkey()
  const { legal: t } = useModalMessages()
  const { form } = useAgreement()
  const documents = documentsOf(latchkey)
  useViewStyles(connectCss)
  if (form !== 'footer' || documents === undefined) return null
  return (
    <p className="legal-footer" part="legal">
      <LegalText text={t.footer[documents]} />
    </p>
  )
}

const marked = /<(terms|privacy)>(.*?)<\/\1>/

/** A sentence with links to the app's documents. */
function LegalText({ text }: { text: string }): ReactNode {
  const { termsUrl, privacyUrl } = internalsOf(useLatchkey()).settings.legal
  const match = marked.exec(text)
  if (match === null) return text
  const [whole, name, words = ''] = match
  return (
    <>
      {text.slice(0, match.index)}
      <a href={name === 'terms' ? termsUrl : privacyUrl} target="_blank" rel="noopener noreferrer">
        {words}
      </a>
      <LegalText text={text.slice(match.index + whole.length)} />
    </>
  )
}
