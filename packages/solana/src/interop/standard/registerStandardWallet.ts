import { defaultPage, tryOrUndefined } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import { getField } from '@latchkey/protocol'
import { createStandardWallet, type StandardWalletOptions } from './createStandardWallet.ts'

export type RegisterStandardWalletOptions = StandardWalletOptions & {
  /** The page whose libraries find the wallet; `window` by default, none on a server. */
  page?: EventTarget
}

/**
 * Registers the instance as a wallet in the page (Wallet Standard), for libraries that are there and those that load later.
 *
 * @param latchkey the instance, with an adapter for Solana
 * @returns a function that unregisters the wallet
 * @example const unregister = registerStandardWallet(latchkey, { connect: () => openModal(latchkey, { namespace: 'solana' }) })
 */
export function registerStandardWallet(
  latchkey: Latchkey,
  { page = defaultPage(), ...options }: RegisterStandardWalletOptions = {},
): () => void {
  if (page === undefined) return () => {}
  const wallet = createStandardWallet(latchkey, options)
  const registrations: (() => unknown)[] = []

  function register(app: unknown): void {
    const add = getField(app, 'register')
    if (typeof add !== 'function') return
    // A library that throws does not keep the others from the wallet.
    const remove: unknown = tryOrUndefined(() => Reflect.apply(add, app, [wallet]))
    if (typeof remove === 'function') registrations.push(() => remove())
  }

  const onAppReady = (event: Event): void => register(getField(event, 'detail'))
  page.addEventListener('wallet-standard:app-ready', onAppReady)
  page.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: register }))
  return () => {
    page.removeEventListener('wallet-standard:app-ready', onAppReady)
    for (const remove of registrations.splice(0)) tryOrUndefined(remove)
  }
}
