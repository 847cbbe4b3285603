import { pushView } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { views } from '../index.ts'
import { useSupported } from './useSupported.ts'

/** How something comes to an account. */
const ways = [
  { feature: 'receive', entry: { view: 'WalletReceive', params: {} } },
  { feature: 'onramp', entry: { view: 'OnRampProviders', params: {} } },
] as const

/** What will be here one day, and how to begin. */
export function Empty({ text }: { text: string }): ReactElement {
  const latchkey = useLatchkey()
  const { money } = useStrings()
  const supported = useSupported()
  const shown = ways.filter(({ feature, entry }) => supported(feature) && views[entry.view] !== undefined)
  return (
    <div className="empty">
      <p className="hint">{text}</p>
      {shown.length > 0 && (
        <div className="buttons">
          {shown.map(({ feature, entry }) => (
            <button key={feature} type="button" className="button" onClick={() => pushView(latchkey, entry)}>
              {feature === 'onramp' ? money.buy : money.receive}
            </button>
          ))}
        </div>
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
