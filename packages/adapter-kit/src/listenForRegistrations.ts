import { getField } from '@latchkey/protocol'
import { tryOrUndefined } from './tryOrUndefined.ts'

/** Receives the wallets that register themselves. */
export type RegistrationListener = {
  registered(wallet: unknown): void
  unregistered(wallet: unknown): void
}

/**
 * Finds the wallets that register themselves in the page, now and later (Wallet Standard). Nothing about such a wallet is
 * verified: any script in the page can register one.
 *
 * @returns a function that stops listening
 * @example listenForRegistrations(window, { registered: add, unregistered: remove })
 */
export function listenForRegistrations(page: EventTarget, listener: RegistrationListener): () => void {
  const api = Object.freeze({
    register(...wallets: readonly unknown[]): () => void {
      for (const wallet of wallets) listener.registered(wallet)
      return () => {
        for (const wallet of wallets) listener.unregistered(wallet)
      }
    },
  })
  const onRegister = (event: Event): void => {
    const callback = getField(event, 'detail')
    // A wallet whose callback throws can't register itself.
    if (typeof callback === 'function') tryOrUndefined(() => callback(api))
  }
  page.addEventListener('wallet-standard:register-wallet', onRegister)
  page.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: api }))
  return () => page.removeEventListener('wallet-standard:register-wallet', onRegister)
}
