import { internalsOf } from '@latchkey/core/internal'
import { dismissAlert, modalOf, openModal, pushView, type AlertCode } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { useStore } from '../../useStore.ts'
import { Icon } from '../parts/index.tsx'
import { focusTitle, useShadowRoot } from './shadowRoot.ts'

/** Problems of the app or its environment. Each is shown until the user dismisses it. */
export function Alerts(): ReactElement {
  const alerts = useStore(modalOf(useLatchkey()).alerts).filter(({ dismissed }) => !dismissed)
  return (
    <div role="alert">
      {alerts.map(({ code }) => (
        <Alert key={code} code={code} />
      ))}
    </div>
  )
}

/** An alert: the problem, what to do next, and a button that dismisses it. */
export function Alert({ code }: { code: AlertCode }): ReactElement {
  const latchkey = useLatchkey()
  const root = useShadowRoot()
  const { alerts: texts, modal: t, unsupported } = useModalMessages()
  const changeNetwork = (): void => {
    const entry = { view: 'Networks', params: {} } as const
    if (modalOf(latchkey).state.getState().open) pushView(latchkey, entry)
    else openModal(latchkey, { entry })
  }
  return (
    <div className="alert" part="alert">
      <Icon name="warn" />
      <div>
        <p>
          <strong>{texts[code].title}</strong> <span>{texts[code].nextStep}</span>
        </p>
        {code === 'network-unsupported' && internalsOf(latchkey).settings.enableNetworkSwitch && (
          <button type="button" className="link" onClick={changeNetwork}>
            {unsupported.change}
          </button>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`${t.dismiss}: ${texts[code].title}`}
        onClick={() => {
          // The button is about to disappear.
          focusTitle(root)
          dismissAlert(latchkey, code)
        }}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}
