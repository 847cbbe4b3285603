import type { Connection, ConnectionListener, EndReason } from '@latchkey/core'
import { parseAccountId, type AccountId, type ChainId, type Network } from '@latchkey/protocol'
import type { Features } from './features.ts'
import type { Guard } from './guard.ts'
import { solanaDevnet, solanaMainnet, solanaTestnet, standardChain } from './networks.ts'
import { read } from './readWallet.ts'
import { readAccounts, type WalletAccount } from './walletAccounts.ts'

/** What a connection to a wallet of the page stands on. */
export type PageConnectionParts = {
  features: Features
  guard: Guard
  /** Aborted when the wallet unregisters itself. */
  leaving: AbortSignal
  wallet: Connection['wallet']
  networks: readonly Network[]
  /** At least one. */
  accounts: readonly WalletAccount[]
}

/** Makes the connection to a wallet of the page. Which chain it is on is for the app to say: each request names it. */
export function createPageConnection(parts: PageConnectionParts): Connection {
  const { features, guard, leaving, wallet, networks, accounts } = parts
  const approvedChains = chainsFor(features, networks)
  const listeners = new Set<ConnectionListener>()
  let [chainId] = approvedChains
  let current = accounts
  let unfollow = (): void => {}
  const asked = { features, guard, chainId: () => chainId, accounts: () => current }

  const ids = (): Connection['accounts'] => atLeastOne(current.map(({ address }) => accountIdOf(chainId, address)))

  function hearAccounts(value: unknown): void {
    const next = readAccounts(value)
    const before = current.map(({ address }) => address).join()
    if (next.length === 0) return leave()
    current = next
    if (next.map(({ address }) => address).join() === before) return
    for (const listener of listeners) listener.accountsChanged(ids())
  }

  function leave(reason?: EndReason): void {
    unfollow()
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener.disconnected(reason)
  }

  function follow(): void {
    const heard = (change: unknown): void => {
      try {
        if (read(change, 'accounts') !== undefined) hearAccounts(features.accounts())
      } catch {
        // Garbage in an event is passed over.
      }
    }
    const stop = attempt(() => features.find('standard:events', 'on')?.('change', heard))
    const uninstalled = (): void => leave('uninstalled')
    leaving.addEventListener('abort', uninstalled)
    unfollow = () => {
      leaving.removeEventListener('abort', uninstalled)
      if (typeof stop === 'function') attempt(() => stop())
    }
  }

  return {
    namespace: 'solana',
    get accounts() {
      return ids()
    },
    get chainId() {
      return chainId
    },
    approvedChains,
    // What turns requests into the wallet's words comes with the first of them.
    provider: { request: async (args) => (await import('./pageProvider.ts')).askPage(asked, args) },
    wallet,
    details(account) {
      const { address } = parseAccountId(account)
      const found = current.find((each) => each.address === address)
      return found && { type: 'eoa', publicKey: address, label: found.label }
    },
    switchTo(next) {
      if (!approvedChains.includes(next)) return false
      if (next === chainId) return true
      chainId = next
      for (const listener of listeners) {
        listener.chainChanged(next)
        listener.accountsChanged(ids())
      }
      return true
    },
    listen(listener) {
      if (listeners.size === 0) follow()
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) unfollow()
      }
    },
  }
}

/** Of the networks that the app offers, those that the wallet knows; else those that it knows. */
function chainsFor(features: Features, networks: readonly Network[]): [ChainId, ...ChainId[]] {
  const known = features.chains()
  const isKnown = ({ caipNetworkId }: Network): boolean =>
    known.includes(standardChain(caipNetworkId)) || known.includes(caipNetworkId)
  const offered = networks.filter(isKnown)
  const usable = offered.length > 0 ? offered : [solanaMainnet, solanaDevnet, solanaTestnet].filter(isKnown)
  const [first = solanaMainnet, ...others] = usable
  return [first.caipNetworkId, ...others.map(({ caipNetworkId }) => caipNetworkId)]
}

function accountIdOf(chainId: ChainId, address: string): AccountId {
  return `solana:${chainId.slice(chainId.indexOf(':') + 1)}:${address}`
}

function atLeastOne([first, ...others]: readonly AccountId[]): Connection['accounts'] {
  if (first === undefined) throw new TypeError('A connection has an account.')
  return [first, ...others]
}

/** A wallet that cannot be followed can still be asked. */
function attempt(act: () => unknown): unknown {
  try {
    return act()
  } catch {
    return undefined
  }
}
