import { requestConnection, settleWithin, toAccountId, toConnectionError } from '@latchkey/adapter-kit'
import { systemClock, type Clock, type Connection, type Connector } from '@latchkey/core'
import { createWalletProvider, walletTimeouts, withAbort } from '@latchkey/core/internal'
import { isLatchkeyError, walletError, type LatchkeyError } from '@latchkey/protocol'
import { parseEvmAddresses } from '../address/parseEvmAddresses.ts'
import { parseEvmChainId } from '../chain/evmChainId.ts'
import type { Eip1193Provider } from './eip1193Provider.ts'
import { createEvmProvider, type EvmProvider } from './evmProvider.ts'
import { followWallet, watchForAccounts } from './followWallet.ts'

/** A wallet with a provider in the page or around it. */
export type InjectedWallet = {
  id: string
  name: string
  icon?: string
  rdns?: string
  provider: Eip1193Provider
  /** `injected` by default. */
  type?: Connector['type']
  /** All chains by default. */
  approvedChains?: Connection['approvedChains']
  details?: Connection['details']
}

/** Creates the connector for a wallet of the page. It sends no request before `connect` or `restore`. */
export function injectedConnector(wallet: InjectedWallet, clock: Clock = systemClock): Connector {
  const { id, name, icon, rdns, type = 'injected' } = wallet
  const provider = createEvmProvider(wallet.provider, name, clock)
  return {
    id,
    name,
    type,
    icon,
    rdns,
    namespaces: ['eip155'],
    async connect({ signal }) {
      const method = 'eth_requestAccounts'
      const opened = requestConnection(name, signal, () => openWallet(wallet, provider, method))
      const connection = await opened.catch((error: unknown) => {
        throw toLockedError(error, name)
      })
      if (connection === undefined) throw invalidWalletResponse(name, method)
      return [connection]
    },
    async restore({ signal }) {
      const connection = await withAbort(reopenWallet(wallet, provider), signal)
      return connection === undefined ? [] : [connection]
    },
    watchUnlock: async (unlocked) => watchForAccounts(wallet.provider, unlocked),
    disconnect() {
      const params = [{ eth_accounts: {} }]
      const revoking = provider.request({ method: 'wallet_revokePermissions', params })
      return settleWithin(clock, walletTimeouts.goodbye, revoking)
    },
  }
}

/** Returns `undefined` if the wallet responds but shows no account. */
async function openWallet(
  wallet: InjectedWallet,
  provider: EvmProvider,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<Connection | undefined> {
  const { name, icon, approvedChains = 'all', details } = wallet
  const addresses = parseEvmAddresses(await provider.request({ method }))
  if (addresses === undefined) throw invalidWalletResponse(name, method)
  if (addresses.length === 0) return undefined
  const chainId = parseEvmChainId(await provider.request({ method: 'eth_chainId' }))
  if (chainId === undefined) throw invalidWalletResponse(name, 'eth_chainId')
  const [first, ...others] = addresses.map((address) => toAccountId('eip155', chainId, address))
  if (first === undefined) return undefined
  const accounts = [first, ...others] as const
  return {
    namespace: 'eip155',
    accounts,
    chainId,
    approvedChains,
    details,
    chooseAccounts: () => chooseAccounts(provider, name),
    wallet: { name, icon },
    ...createWalletProvider({
      request: provider.request,
      accounts,
      chainId,
      listen: (listener) => followWallet(wallet.provider, provider, chainId, listener),
    }),
  }
}

/** A wallet that shows no account although the site has the permission is locked. It still knows the site. */
async function reopenWallet(wallet: InjectedWallet, provider: EvmProvider): Promise<Connection | undefined> {
  const { name } = wallet
  const connection = await openWallet(wallet, provider, 'eth_accounts').catch((error: unknown) => {
    throw toLockedError(toConnectionError(error, name), name)
  })
  if (connection === undefined && (await provider.isPermitted()) === true) {
    throw walletError('wallet/locked', { wallet: name })
  }
  return connection
}

async function chooseAccounts(provider: EvmProvider, name: string): Promise<void> {
  const { requestWallet } = await import('../calls/requestWallet.ts')
  await requestWallet({ provider, wallet: { name } }, 'wallet_requestPermissions', [{ eth_accounts: {} }])
}

/** Some locked wallets throw 4100, the code for an account that the user did not allow (EIP-1193). */
function toLockedError(error: unknown, wallet: string): unknown {
  if (!isLatchkeyError(error, 'request/failed')) return error
  const { code, reason } = error.context
  return code === 4100 && /lock/i.test(reason) ? walletError('wallet/locked', { wallet }, { cause: error }) : error
}

function invalidWalletResponse(wallet: string, method: string): LatchkeyError {
  return walletError('wallet/invalid-response', { wallet, method })
}
