import { createConnectionListeners, requireAccounts, toAccountId, tryOrUndefined } from '@latchkey/adapter-kit'
import type { AccountDetails, Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId, type ChainId, type Network } from '@latchkey/protocol'
import { solanaMainnet, solanaNetworks, toStandardChain } from '../chain/solanaNetworks.ts'
import { findFeatureMethod } from './findFeatureMethod.ts'
import { listWalletChains } from './standardWallet.ts'
import { parseWalletAccounts, type WalletAccount } from './walletAccounts.ts'
import type { WalletRequests } from './walletRequests.ts'

export type PageConnectionOptions = {
  wallet: object
  requests: WalletRequests
  /** Aborts when the wallet unregisters itself. */
  unregistered: AbortSignal
  info: Connection['wallet']
  networks: readonly Network[]
  /** At least one. */
  accounts: readonly WalletAccount[]
}

/** Creates the connection to a wallet of the page. The app chooses the chain: every request names it. */
export function createPageConnection(options: PageConnectionOptions): Connection {
  const { wallet, requests, unregistered, info, networks } = options
  const approvedChains = listApprovedChains(wallet, networks)
  let [chainId] = approvedChains
  let { accounts } = options
  const listeners = createConnectionListeners(() =>
    followPageWallet(wallet, unregistered, {
      changed: acceptAccounts,
      left: () => listeners.disconnected('uninstalled'),
    }),
  )
  const target = { wallet, requests, chainId: () => chainId, accounts: () => accounts }
  const listAccounts = (): Connection['accounts'] =>
    requireAccounts(accounts.map(({ address }) => toAccountId('solana', chainId, address)))

  function acceptAccounts(value: unknown): void {
    const next = parseWalletAccounts(value)
    if (next.length === 0) return listeners.disconnected()
    const previous = accounts
    accounts = next
    if (formatAddresses(next) !== formatAddresses(previous)) listeners.accountsChanged(listAccounts())
  }

  return {
    namespace: 'solana',
    get accounts() {
      return listAccounts()
    },
    get chainId() {
      return chainId
    },
    approvedChains,
    // The code that translates requests is loaded with the first request.
    provider: { request: async (args) => (await import('./requestPageWallet.ts')).requestPageWallet(target, args) },
    wallet: info,
    details: (account) => describeAccount(accounts, account),
    switchTo(next) {
      if (!approvedChains.includes(next)) return false
      if (next === chainId) return true
      chainId = next
      listeners.chainChanged(next)
      listeners.accountsChanged(listAccounts())
      return true
    },
    listen: listeners.listen,
  }
}

/** Follows the accounts of a wallet. A wallet that can't be followed stays usable. */
function followPageWallet(
  wallet: object,
  unregistered: AbortSignal,
  { changed, left }: { changed(accounts: unknown): void; left(): void },
): () => void {
  const onChange = (change: unknown): void => {
    // Invalid events are ignored.
    if (getField(change, 'accounts') !== undefined) tryOrUndefined(() => changed(getField(wallet, 'accounts')))
  }
  const stop = tryOrUndefined(() => findFeatureMethod(wallet, 'standard:events', 'on')?.('change', onChange))
  unregistered.addEventListener('abort', left)
  return () => {
    unregistered.removeEventListener('abort', left)
    if (typeof stop === 'function') tryOrUndefined(() => stop())
  }
}

/** The networks of the app that the wallet supports; if there are none, the public clusters that it supports. */
function listApprovedChains(wallet: object, networks: readonly Network[]): [ChainId, ...ChainId[]] {
  const known = listWalletChains(wallet)
  const isSupported = ({ caipNetworkId }: Network): boolean =>
    known.includes(toStandardChain(caipNetworkId)) || known.includes(caipNetworkId)
  const offered = networks.filter(isSupported)
  const [first = solanaMainnet, ...others] = offered.length > 0 ? offered : solanaNetworks.filter(isSupported)
  return [first.caipNetworkId, ...others.map(({ caipNetworkId }) => caipNetworkId)]
}

function formatAddresses(accounts: readonly WalletAccount[]): string {
  return accounts.map(({ address }) => address).join()
}

function describeAccount(accounts: readonly WalletAccount[], account: AccountId): AccountDetails | undefined {
  const { address } = parseAccountId(account)
  const found = accounts.find((each) => each.address === address)
  return found && { type: 'eoa', publicKey: address, label: found.label }
}
