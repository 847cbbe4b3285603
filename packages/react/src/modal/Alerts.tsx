import { dismissAlert, openModal, pushView, type AlertCode } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../context.ts'
import { useStrings } from '../strings/useStrings.ts'
import { useStore } from '../useStore.ts'
import { Icon } from './parts.tsx'

/** Faults of the app or its surroundings, each until the visitor has seen it. */
export function Alerts(): ReactElement {
  const alerts = useStore(useLatchkey().alerts).filter(({ dismissed }) => !dismissed)
  return (
    <div role="alert">
      {alerts.map(({ code }) => (
        <Alert key={code} code={code} />
      ))}
    </div>
  )
}

/** What is wrong, the way on, and a way to have seen it. */
export function Alert({ code }: { code: AlertCode }): ReactElement {
  const latchkey = useLatchkey()
  const { alerts: texts, modal: t, unsupported } = useStrings()
  const changeNetwork = (): void => {
    const entry = { view: 'Networks', params: {} } as const
    if (latchkey.modal.getState().open) pushView(latchkey, entry)
    else openModal(latchkey, { entry })
  }
  return (
    <div className="alert" part="alert">
      <Icon name="warn" />
      <div>
        <p>
          <strong>{texts[code].title}</strong> <span>{texts[code].wayOn}</span>
        </p>
        {code === 'network-unsupported' && latchkey.settings.enableNetworkSwitch && (
          <button type="button" className="link" onClick={changeNetwork}>
            {unsupported.change}
          </button>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`${t.dismiss}: ${texts[code].title}`}
        onClick={() => dismissAlert(latchkey, code)}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}
