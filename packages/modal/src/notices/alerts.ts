import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'
import type { AlertCode } from './alertState.ts'

/**
 * Shows an alert, unless its code was shown before.
 *
 * @example showAlert(latchkey, 'session-expired')
 */
export function showAlert(latchkey: Latchkey, code: AlertCode): void {
  const { alerts } = modalOf(latchkey)
  if (alerts.getState().some((alert) => alert.code === code)) return
  alerts.setState([...alerts.getState(), { code, dismissed: false }], true)
}

/**
 * Dismisses an alert. Its code is not shown again.
 *
 * @example dismissAlert(latchkey, 'session-expired')
 */
export function dismissAlert(latchkey: Latchkey, code: AlertCode): void {
  const { alerts } = modalOf(latchkey)
  alerts.setState(
    alerts.getState().map((alert) => (alert.code === code ? { ...alert, dismissed: true } : alert)),
    true,
  )
}

/** Removes an alert, so that it can be shown again. */
export function clearAlert(latchkey: Latchkey, code: AlertCode): void {
  modalOf(latchkey).alerts.setState((alerts) => alerts.filter((alert) => alert.code !== code), true)
}
