import {
  LatchkeyError,
  parseAccountId,
  parseChainId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
  inputError,
  transactionError,
  networkError,
} from '@latchkey/protocol'
import type { Adapter, DiscoveryListener, Receipt, TransactionRequest } from '../contracts/adapter.ts'
import { systemClock, type Clock } from '../contracts/clock.ts'
import type { Connector } from '../contracts/connector.ts'
import type { Feature } from '../contracts/adapter.ts'
import { requestFromWallet } from '../provider/requestFromWallet.ts'
import { fakeNetwork } from './fakeNetwork.ts'
import { fakeSignature } from './fakeSignature.ts'

export type FakeAdapterOptions = {
  namespace?: Namespace
  networks?: readonly [Network, ...Network[]]
  /** Base units by address, the same on all networks. */
  balances?: Readonly<Record<string, bigint>>
  /** Leaves transactions pending until `mine` is called. */
  minesManually?: boolean
  /** The clock of `waitForReceipt`. */
  clock?: Clock
  /** The features of its networks. Defaults to all. */
  features?: readonly Feature[]
}

const everything: readonly Feature[] = ['balances', 'nfts', 'history', 'swaps', 'names', 'onramp']

export type SentTransaction = { hash: string; account: AccountId; request: TransactionRequest }

/** An adapter that a test controls. */
export type FakeAdapter = Adapter & {
  readonly balances: Map<string, bigint>
  readonly sent: readonly SentTransaction[]
  /** Takes the chain down, or brings it back. */
  unreachable: boolean
  /** The revert reason of mined transactions; undefined lets them succeed. */
  revertsWith: string | undefined
  /** Announces a wallet in the page, including to later searches. */
  announce(connector: Connector): void
  /** The number of active searches for wallets. */
  looking(): number
  /** Mines a pending transaction. */
  mine(hash: string): void
}

/**
 * Creates a working adapter for a namespace without a real chain. It understands the providers of `fakeConnector`.
 *
 * @example createLatchkey({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] })
 */
export function fakeAdapter(options: FakeAdapterOptions = {}): FakeAdapter {
  const { namespace = 'eip155', clock = systemClock, features = everything } = options
  const networks = options.networks ?? [fakeNetwork({ namespace, id: 1 }), fakeNetwork({ namespace, id: 2 })]
  const chain = fakeChain(options)
  const page = fakePage()

  const requireReachable = (network: Network): void => {
    if (adapter.unreachable) throw networkError('rpc/unreachable', { network: network.name })
  }
  const adapter: FakeAdapter = {
    namespace,
    name: `Fake ${namespace}`,
    networks,
    balances: chain.balances,
    sent: chain.sent,
    unreachable: false,
    revertsWith: undefined,
    isAddress,
    discover: page.discover,
    announce: page.announce,
    looking: page.looking,
    mine: (hash) => chain.mine(hash, adapter.revertsWith),
    async getBalance(network, address) {
      requireReachable(network)
      const { decimals, symbol } = network.nativeCurrency
      return { value: chain.balances.get(address) ?? 0n, decimals, symbol }
    },
    async signMessage(connection, account, message) {
      return String(await requestFromWallet(connection, { method: 'signMessage', params: [account, message] }))
    },
    verifyMessage: async (_network, address, message, signature) => signature === fakeSignature(address, message),
    async sendTransaction(connection, account, request) {
      if (!isAddress(request.to)) throw inputError('address/invalid', { namespace, value: request.to })
      const hash = String(
        await requestFromWallet(connection, { method: 'sendTransaction', params: [account, request] }),
      )
      chain.sent.push({ hash, account, request })
      if (options.minesManually !== true) adapter.mine(hash)
      return hash
    },
    async waitForReceipt(network, hash, { timeout, signal }) {
      requireReachable(network)
      return chain.receipt(hash, { timeout, signal, clock })
    },
    async switchNetwork(connection, { caipNetworkId }) {
      await requestFromWallet(connection, { method: 'switchNetwork', params: [caipNetworkId] })
    },
    explorerUrl: linkToExplorer,
    features: () => features,
    unknownNetwork: (chainId: ChainId) =>
      fakeNetwork({
        namespace,
        id: parseChainId(chainId).reference,
        name: `Unknown ${chainId}`,
        blockExplorers: undefined,
      }),
  }
  return adapter
}

function linkToExplorer(
  { blockExplorers }: Network,
  target: { address: string } | { transaction: string },
): string | undefined {
  if (blockExplorers === undefined) return undefined
  const path = 'address' in target ? `address/${target.address}` : `tx/${target.transaction}`
  return `${blockExplorers.default.url}/${path}`
}

function isAddress(value: string): boolean {
  return /^[0-9a-zA-Z]{20,64}$/.test(value)
}

type FakeChain = {
  balances: Map<string, bigint>
  sent: SentTransaction[]
  mine(hash: string, revertsWith: string | undefined): void
  receipt(hash: string, options: { timeout: number; signal?: AbortSignal; clock: Clock }): Promise<Receipt>
}

/** Balances that transactions move, one transaction a block. */
function fakeChain({ balances: initial = {} }: FakeAdapterOptions): FakeChain {
  const balances = new Map(Object.entries(initial))
  const sent: SentTransaction[] = []
  const outcomes = new Map<string, Receipt | LatchkeyError>()
  const watchers = new Set<() => void>()
  const add = (address: string, value: bigint): void =>
    void balances.set(address, (balances.get(address) ?? 0n) + value)

  return {
    balances,
    sent,
    mine(hash, revertsWith) {
      const transaction = sent.find((candidate) => candidate.hash === hash)
      if (transaction === undefined || outcomes.has(hash)) return
      if (revertsWith === undefined) {
        const { account, request } = transaction
        add(parseAccountId(account).address, -(request.value ?? 0n))
        add(request.to, request.value ?? 0n)
        outcomes.set(hash, { hash, blockNumber: BigInt(outcomes.size + 1) })
      } else {
        outcomes.set(hash, transactionError('transaction/reverted', { hash, reason: revertsWith }))
      }
      for (const look of watchers) look()
    },
    receipt(hash, { timeout, signal, clock }) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          watchers.delete(look)
          cancel()
          settle()
        }
        const look = (): void => {
          const outcome = outcomes.get(hash)
          if (outcome === undefined) return
          finish(() => (outcome instanceof LatchkeyError ? reject(outcome) : resolve(outcome)))
        }
        const cancel = clock.after(timeout, () =>
          finish(() => reject(transactionError('transaction/pending', { hash, seconds: timeout / 1_000 }))),
        )
        watchers.add(look)
        const onAbort = (): void => finish(() => reject(signal?.reason))
        if (signal?.aborted === true) return onAbort()
        signal?.addEventListener('abort', onAbort, { once: true })
        look()
      })
    },
  }
}

/** The page in which wallets announce themselves. */
function fakePage(): Pick<FakeAdapter, 'announce' | 'looking'> & { discover(found: DiscoveryListener): () => void } {
  const announced = new Map<string, Connector>()
  const listeners = new Set<DiscoveryListener>()
  return {
    looking: () => listeners.size,
    announce(connector) {
      announced.set(connector.id, connector)
      for (const found of listeners) found(connector)
    },
    discover(found) {
      // Each search is a separate entry, so that a listener can search twice.
      const listener: DiscoveryListener = (connector) => found(connector)
      listeners.add(listener)
      for (const connector of announced.values()) listener(connector)
      return () => void listeners.delete(listener)
    },
  }
}
