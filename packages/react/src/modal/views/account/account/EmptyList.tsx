import { pushView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useViewLoaders } from '../../../shell/viewLoaders.ts'
import { useSupported } from './useSupported.ts'

/** The receiveActions to receive assets. */
const receiveActions = [
  { feature: 'receive', entry: { view: 'WalletReceive', params: {} } },
  { feature: 'onramp', entry: { view: 'OnRampProviders', params: {} } },
] as const

/** An empty list, with the actions that fill it. */
export function EmptyList({ text }: { text: string }): ReactElement {
  const latchkey = useLatchkey()
  const { money } = useModalMessages()
  const supported = useSupported()
  const views = useViewLoaders()
  const shown = receiveActions.filter(({ feature, entry }) => supported(feature) && views[entry.view] !== undefined)
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

/** A list that could not be loaded, with a button that tries again. */
export function LoadFailed({ title, hint, retry }: { title: string; hint?: string; retry(): void }): ReactElement {
  const { account: t } = useModalMessages()
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
