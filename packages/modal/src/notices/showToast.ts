import type { Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { modalOf } from '../modal.ts'
import type { StandardNotice, ToastLink } from './toastState.ts'

const swapMilliseconds = 150
const closeMilliseconds = 4_000

export type ToastOptions = {
  /** `info` is neutral: for example, that the user declined. */
  variant?: 'success' | 'info' | 'error' | 'loading'
  /** Set to false to keep the notice until it is hidden. Defaults to true, except for `loading`. */
  autoClose?: boolean
  /** The standard notice that the message is, for translation. */
  notice?: StandardNotice
  /** A link to more information. */
  link?: ToastLink
}

/**
 * Shows a short notice. An open notice closes first, and the new one appears 150 ms later.
 *
 * @example showToast(latchkey, 'Address copied')
 */
export function showToast(latchkey: Latchkey, message: string, options: ToastOptions = {}): void {
  const { variant = 'success', autoClose = variant !== 'loading', notice, link } = options
  const { toast } = modalOf(latchkey)
  const show = (): void => {
    toast.setState({ open: true, message, variant, autoClose, notice: notice, link }, true)
    if (autoClose) scheduleToast(latchkey, closeMilliseconds, () => hideToast(latchkey))
  }
  const current = toast.getState()
  hideToast(latchkey)
  if (!current.open) return show()
  scheduleToast(latchkey, swapMilliseconds, show)
}

/**
 * Shows that the outcome of a transaction is unknown. The notice ends with the modal: the activity still lists the
 * transaction.
 *
 * @example showPendingToast(latchkey, 'Still pending', { hash })
 */
export function showPendingToast(
  latchkey: Latchkey,
  message: string,
  { hash, link }: { hash: string; link?: ToastLink },
): void {
  showToast(latchkey, message, { variant: 'error', autoClose: false, link })
  const stop = latchkey.events.subscribe((event) => {
    if (event.type !== 'modal-close' && !(event.type === 'transaction' && event.hash === hash)) return
    stop()
    const toast = modalOf(latchkey).toast.getState()
    if (toast.open && toast.message === message) hideToast(latchkey)
  })
}

/**
 * Hides the notice.
 *
 * @example hideToast(latchkey)
 */
export function hideToast(latchkey: Latchkey): void {
  const { toast, tasks } = modalOf(latchkey)
  tasks.timers.get('toast')?.()
  toast.setState({ open: false }, true)
}

function scheduleToast(latchkey: Latchkey, milliseconds: number, callback: () => void): void {
  const { timers } = modalOf(latchkey).tasks
  timers.get('toast')?.()
  timers.set('toast', internalsOf(latchkey).clock.after(milliseconds, callback))
}
