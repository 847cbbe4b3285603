import type { Clock } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import type { KnownToken } from '../walletConfig.ts'
import type { Account, Balance, NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'
import { toRpcError } from '../rpcError.ts'
import { createStore, type Store } from './store.ts'

/** The balances of an account on one network. The last known balances stay visible while the network can't be reached. */
export type NetworkBalances =
  | { status: 'loading' }
  | { status: 'read'; balances: readonly Balance[] }
  | { status: 'failed'; reason: string; last: readonly Balance[] | undefined }

/** Balances by account and network, with keys from `balanceKey`. */
export type BalanceTable = Readonly<Record<string, NetworkBalances>>

/** Balances that refresh while a view shows them. */
export type Balances = {
  readonly store: Store<BalanceTable>
  /** Refreshes the balances of an account now and every few seconds. Returns a function that stops this. */
  follow(account: Account, networks: readonly Network[]): () => void
  /** Refreshes all followed balances at once. */
  refresh(): void
}

type BalancesOptions = { adapters: readonly NamespaceAdapter[]; tokens: readonly KnownToken[]; clock: Clock }

/** Milliseconds between two refreshes. */
const pause = 5_000

export function balanceKey(account: Account, network: Network): string {
  return `${network.caipNetworkId}:${account.address}`
}

export function createBalances({ adapters, tokens, clock }: BalancesOptions): Balances {
  const store = createStore<BalanceTable>({})
  const refreshes = new Set<() => void>()

  function put(key: string, value: NetworkBalances): void {
    store.set({ ...store.get(), [key]: value })
  }

  async function read(account: Account, network: Network): Promise<void> {
    const adapter = adapters.find(({ namespace }) => namespace === account.namespace)
    if (adapter === undefined) return
    const key = balanceKey(account, network)
    const networkTokens = tokens.filter(({ caipNetworkId }) => caipNetworkId === network.caipNetworkId)
    if (store.get()[key] === undefined) put(key, { status: 'loading' })
    try {
      put(key, { status: 'read', balances: await adapter.getBalances(network, networkTokens, account.address) })
    } catch (error) {
      const before = store.get()[key]
      const last = before === undefined || before.status === 'loading' ? undefined : lastBalances(before)
      put(key, { status: 'failed', reason: toRpcError(error).message, last })
    }
  }

  return {
    store,
    follow(account, networks) {
      const ownNetworks = networks.filter(({ chainNamespace }) => chainNamespace === account.namespace)
      let cancel = (): void => {}
      let round = 0
      const readAll = async (): Promise<void> => {
        cancel()
        const current = ++round
        await Promise.all(ownNetworks.map((network) => read(account, network)))
        // Two rounds can overlap. Only the latest schedules the next.
        if (current === round) cancel = clock.after(pause, () => void readAll())
      }
      const refresh = (): void => void readAll()
      refreshes.add(refresh)
      refresh()
      return () => {
        round = -1
        refreshes.delete(refresh)
        cancel()
      }
    },
    refresh() {
      for (const refresh of refreshes) refresh()
    },
  }
}

function lastBalances(value: Exclude<NetworkBalances, { status: 'loading' }>): readonly Balance[] | undefined {
  return value.status === 'read' ? value.balances : value.last
}
