import { dismissAlert } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../context.ts'
import { useStrings } from '../strings/useStrings.ts'
import { useStore } from '../useStore.ts'
import { Icon } from './parts.tsx'

/** Faults of the app or its surroundings, each until the visitor has seen it. */
export function Alerts(): ReactElement {
  const latchkey = useLatchkey()
  const { alerts: texts, modal: t } = useStrings()
  const alerts = useStore(latchkey.alerts).filter(({ dismissed }) => !dismissed)
  return (
    <div role="alert">
      {alerts.map(({ code }) => (
        <div key={code} className="alert" part="alert">
          <Icon name="warn" />
          <p>
            <strong>{texts[code].title}</strong> <span>{texts[code].wayOn}</span>
          </p>
          <button
            type="button"
            className="icon-button"
            aria-label={`${t.dismiss}: ${texts[code].title}`}
            onClick={() => dismissAlert(latchkey, code)}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
    </div>
  )
}
