import type { Latchkey } from '../latchkey.ts'
import { addAlert, type AlertCode, type SaidByModal, type ToastLink } from '../state/notices.ts'

const swapMilliseconds = 150
const closeMilliseconds = 4_000

export type ToastOptions = {
  variant?: 'success' | 'error' | 'loading'
  /** Stay until hidden when false; a `loading` toast stays unless told otherwise. */
  autoClose?: boolean
  /** Which of the modal's texts says the same. */
  said?: SaidByModal
  /** Where one finds more of it. */
  link?: ToastLink
}

/**
 * Shows a short notice. One that is open closes first, and the new one appears 150 ms later.
 *
 * @example showToast(latchkey, 'Address copied')
 */
export function showToast(latchkey: Latchkey, message: string, options: ToastOptions = {}): void {
  const { variant = 'success', autoClose = variant !== 'loading', said, link } = options
  const show = (): void => {
    latchkey.toast.setState({ open: true, message, variant, autoClose, said, link }, true)
    if (autoClose) plan(latchkey, closeMilliseconds, () => hideToast(latchkey))
  }
  const present = latchkey.toast.getState()
  hideToast(latchkey)
  if (!present.open) return show()
  plan(latchkey, swapMilliseconds, show)
}

/** Takes the notice away. */
export function hideToast(latchkey: Latchkey): void {
  latchkey.running.timers.get('toast')?.()
  latchkey.toast.setState({ open: false }, true)
}

/** Shows a fault of the app or its surroundings, each kind once. */
export function showAlert(latchkey: Latchkey, code: AlertCode): void {
  addAlert(latchkey.alerts, code)
}

/** Takes an alert away; its kind is not shown again. */
export function dismissAlert(latchkey: Latchkey, code: AlertCode): void {
  const alerts = latchkey.alerts.getState()
  latchkey.alerts.setState(
    alerts.map((alert) => (alert.code === code ? { ...alert, dismissed: true } : alert)),
    true,
  )
}

function plan(latchkey: Latchkey, milliseconds: number, callback: () => void): void {
  latchkey.running.timers.get('toast')?.()
  latchkey.running.timers.set('toast', latchkey.clock.after(milliseconds, callback))
}
