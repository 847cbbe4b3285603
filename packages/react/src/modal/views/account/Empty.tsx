import { pushView } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { views } from '../index.ts'
import { useSupported } from './useSupported.ts'

/** What will be here one day, and how to begin. */
export function Empty({ text }: { text: string }): ReactElement {
  const latchkey = useLatchkey()
  const { money } = useStrings()
  const supported = useSupported()
  const isShown = supported('receive') && views.WalletReceive !== undefined
  return (
    <div className="empty">
      <p className="hint">{text}</p>
      {isShown && (
        <button
          type="button"
          className="button"
          onClick={() => pushView(latchkey, { view: 'WalletReceive', params: {} })}
        >
          {money.receive}
        </button>
      )}
    </div>
  )
}

/** What could not be read, and the way to try again. */
export function Unread({ title, hint, retry }: { title: string; hint?: string; retry(): void }): ReactElement {
  const { account: t } = useStrings()
  return (
    <div className="empty" role="alert">
      <p>{title}</p>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <button type="button" className="button" onClick={retry}>
        {t.retry}
      </button>
    </div>
  )
}
