import { createContext, use, useSyncExternalStore } from 'react'
import type { Account } from '../namespaces/namespaceAdapter.ts'
import { getSelectedAccount, type DeveloperWallet, type WalletState } from '../wallet/developerWallet.ts'
import type { Store } from '../wallet/store.ts'

/** Provides the wallet of this page. */
export const WalletContext = createContext<DeveloperWallet | undefined>(undefined)

/** Provides the wallet of this page. */
export function useWallet(): DeveloperWallet {
  const wallet = use(WalletContext)
  if (wallet === undefined) throw new Error('This view needs a WalletContext.')
  return wallet
}

export function useStore<value>({ get, subscribe }: Store<value>): value {
  return useSyncExternalStore(subscribe, get)
}

/** Returns the current state of the wallet. */
export function useWalletState(): WalletState {
  return useStore(useWallet().store)
}

/** Returns the selected account of each namespace. */
export function useSelectedAccounts(): readonly [Account, ...Account[]] {
  const wallet = useWallet()
  useStore(wallet.store)
  const [first, ...others] = wallet.adapters
  return [getSelectedAccount(wallet, first), ...others.map((adapter) => getSelectedAccount(wallet, adapter))]
}
