import { createContext, use, useSyncExternalStore } from 'react'
import type { Account } from '../families/family.ts'
import { selectedAccount, type DeveloperWallet, type WalletState } from '../wallet/developerWallet.ts'
import type { Store } from '../wallet/store.ts'

/** The wallet of this page. */
export const WalletContext = createContext<DeveloperWallet | undefined>(undefined)

/** The wallet of this page. */
export function useWallet(): DeveloperWallet {
  const wallet = use(WalletContext)
  if (wallet === undefined) throw new Error('A view of the wallet needs a WalletContext above it.')
  return wallet
}

export function useStore<value>({ get, subscribe }: Store<value>): value {
  return useSyncExternalStore(subscribe, get)
}

/** What the wallet knows right now. */
export function useWalletState(): WalletState {
  return useStore(useWallet().store)
}

/** The account that the owner selected in each of the wallet's families. */
export function useSelectedAccounts(): readonly [Account, ...Account[]] {
  const wallet = useWallet()
  useStore(wallet.store)
  const [first, ...others] = wallet.families
  return [selectedAccount(wallet, first), ...others.map((family) => selectedAccount(wallet, family))]
}
