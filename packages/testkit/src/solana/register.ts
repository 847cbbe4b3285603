import type { Wallet } from '@wallet-standard/base'
import type { Backend } from '../page/pageProvider.ts'
import { createStandardWallet, type SolanaWalletInfo } from './standardWallet.ts'

/** The API that an app passes to wallets. */
type App = { register(wallet: Wallet): () => void }

/**
 * Registers a Solana wallet in a page, immediately and whenever an app asks (Wallet Standard).
 *
 * @returns a function that unregisters it from all apps
 * @example const unregister = registerSolanaWallet(wallet, window)
 */
export function registerSolanaWallet(wallet: Backend & { info: SolanaWalletInfo }, page: EventTarget): () => void {
  return registerStandardWallet(createStandardWallet(wallet.info, wallet), wallet, page)
}

function registerStandardWallet(wallet: Wallet, backend: Backend, page: EventTarget): () => void {
  const taken: (() => void)[] = []
  const register = (app: App): void => void taken.push(app.register(wallet))
  const onAppReady = (event: Event): void => register(Reflect.get(event, 'detail') as App)
  page.addEventListener('wallet-standard:app-ready', onAppReady)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  const unregister = (): void => {
    page.removeEventListener('wallet-standard:app-ready', onAppReady)
    for (const leave of taken.splice(0)) leave()
  }
  backend.subscribe((event) => {
    if (event === 'vanished') unregister()
  })
  return unregister
}
