import type { Clock } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import type { KnownToken } from '../config.ts'
import type { Account, Balance, Family } from '../families/family.ts'
import { asRpcError } from '../rpcError.ts'
import { createStore, type Store } from './store.ts'

/** What is known of an account's balances on one network. The last good ones stay in view while a network is away. */
export type NetworkBalances =
  | { status: 'loading' }
  | { status: 'read'; balances: readonly Balance[] }
  | { status: 'failed'; reason: string; last: readonly Balance[] | undefined }

/** By account and network, as `balanceKey` writes them. */
export type BalanceTable = Readonly<Record<string, NetworkBalances>>

/** Balances that are read anew while somebody looks at them. */
export type Balances = {
  readonly store: Store<BalanceTable>
  /** Reads the balances of an account now and every few seconds; returns what stops it. */
  follow(account: Account, networks: readonly Network[]): () => void
  /** Reads at once what is being followed. */
  refresh(): void
}

type BalanceParts = { families: readonly Family[]; tokens: readonly KnownToken[]; clock: Clock }

/** Milliseconds between two readings. */
const pause = 5_000

export function balanceKey(account: Account, network: Network): string {
  return `${network.caipNetworkId}:${account.address}`
}

export function createBalances({ families, tokens, clock }: BalanceParts): Balances {
  const store = createStore<BalanceTable>({})
  const readers = new Set<() => void>()

  function put(key: string, value: NetworkBalances): void {
    store.set({ ...store.get(), [key]: value })
  }

  async function read(account: Account, network: Network): Promise<void> {
    const family = families.find(({ namespace }) => namespace === account.namespace)
    if (family === undefined) return
    const key = balanceKey(account, network)
    const here = tokens.filter(({ caipNetworkId }) => caipNetworkId === network.caipNetworkId)
    if (store.get()[key] === undefined) put(key, { status: 'loading' })
    try {
      put(key, { status: 'read', balances: await family.balances(network, here, account.address) })
    } catch (error) {
      const before = store.get()[key]
      const last = before === undefined || before.status === 'loading' ? undefined : lastOf(before)
      put(key, { status: 'failed', reason: asRpcError(error).message, last })
    }
  }

  return {
    store,
    follow(account, networks) {
      const mine = networks.filter(({ chainNamespace }) => chainNamespace === account.namespace)
      let cancel = (): void => {}
      let round = 0
      const readAll = async (): Promise<void> => {
        cancel()
        const own = ++round
        await Promise.all(mine.map((network) => read(account, network)))
        // Two rounds can overlap; only the newest goes on.
        if (own === round) cancel = clock.after(pause, () => void readAll())
      }
      const reader = (): void => void readAll()
      readers.add(reader)
      reader()
      return () => {
        round = -1
        readers.delete(reader)
        cancel()
      }
    },
    refresh() {
      for (const reader of readers) reader()
    },
  }
}

function lastOf(value: Exclude<NetworkBalances, { status: 'loading' }>): readonly Balance[] | undefined {
  return value.status === 'read' ? value.balances : value.last
}
