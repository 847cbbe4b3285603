import { isAccountId, isChainId, namespaces, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Storage } from './storage.ts'

/** A wallet that the visitor used before. */
export type RecentWallet = { id: string; name: string }

/** A connection to take up again after a reload. */
export type RememberedConnection = { connectorId: string; account: AccountId; chainId: ChainId }

export type RememberedConnections = { readonly [namespace in Namespace]?: RememberedConnection }

/** How a chosen phone wallet is opened again for its next request. */
export type DeepLink = { href: string; name: string }

/** What an instance remembers between page loads, read and checked entry by entry. */
export type Memory = {
  /** At most two, newest first. */
  recentWallets(): readonly RecentWallet[]
  addRecentWallet(wallet: RecentWallet): void
  activeNetwork(): ChainId | undefined
  setActiveNetwork(chainId: ChainId): void
  connections(): RememberedConnections
  setConnection(namespace: Namespace, connection: RememberedConnection | undefined): void
  deepLink(): DeepLink | undefined
  setDeepLink(link: DeepLink | undefined): void
  /** A cached value that is younger than `age` milliseconds. */
  cached(key: string, age: number): string | undefined
  setCached(key: string, value: string): void
  /** Calls back when another tab changed the remembered connections. */
  onConnections(listener: (connections: RememberedConnections) => void): () => void
}

const recentLimit = 2
const prefix = '@latchkey/'
const connectionsKey = `${prefix}connections`

/**
 * Lays typed entries over a storage. A storage that fails is told once through `onUnavailable`, and everything
 * goes on with what the page itself remembers.
 */
export function createMemory(storage: Storage, now: () => number, onUnavailable: () => void): Memory {
  const own = new Map<string, string>()
  const read = (key: string): unknown => parse(own.get(key) ?? attempt(() => storage.getItem(prefix + key)))
  const write = (key: string, value: unknown): void => {
    const text = JSON.stringify(value)
    try {
      storage.setItem(prefix + key, text)
      own.delete(key)
    } catch {
      own.set(key, text)
      onUnavailable()
    }
  }
  const remove = (key: string): void => {
    own.delete(key)
    attempt(() => storage.removeItem(prefix + key))
  }
  const put = (key: string, value: unknown): void => (value === undefined ? remove(key) : write(key, value))
  const connections = (): RememberedConnections => asConnections(read('connections'))

  return {
    recentWallets: () => asRecentWallets(read('recent_wallets')),
    addRecentWallet(wallet) {
      const others = asRecentWallets(read('recent_wallets')).filter((other) => other.id !== wallet.id)
      write('recent_wallets', [wallet, ...others].slice(0, recentLimit))
    },
    activeNetwork() {
      const chainId = read('active_network')
      return typeof chainId === 'string' && isChainId(chainId) ? chainId : undefined
    },
    setActiveNetwork: (chainId) => write('active_network', chainId),
    connections,
    setConnection(namespace, connection) {
      const { [namespace]: _, ...others } = connections()
      const all = connection === undefined ? others : { ...others, [namespace]: connection }
      put('connections', Object.keys(all).length === 0 ? undefined : all)
    },
    deepLink: () => asDeepLink(read('deep_link')),
    setDeepLink: (link) => put('deep_link', link),
    cached(key, age) {
      const entry = asCacheEntry(read(`cache/${key}`))
      return entry !== undefined && Math.abs(now() - entry.at) < age ? entry.value : undefined
    },
    setCached: (key, value) => write(`cache/${key}`, { at: now(), value }),
    onConnections: (listener) =>
      storage.subscribe?.((key, value) => {
        if (key === connectionsKey) listener(asConnections(parse(value)))
      }) ?? (() => {}),
  }
}

function attempt<result>(action: () => result): result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : attempt((): unknown => JSON.parse(text))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asRecentWallets(value: unknown): readonly RecentWallet[] {
  if (!Array.isArray(value)) return []
  return value
    .filter(isRecord)
    .flatMap(({ id, name }) => (typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : []))
    .slice(0, recentLimit)
}

function asConnections(value: unknown): RememberedConnections {
  if (!isRecord(value)) return {}
  const connections: { [namespace in Namespace]?: RememberedConnection } = {}
  for (const namespace of namespaces) {
    const item = Object.hasOwn(value, namespace) ? value[namespace] : undefined
    const connection = asConnection(namespace, item)
    if (connection !== undefined) connections[namespace] = connection
  }
  return connections
}

/** Only what belongs there, so that nothing else in the storage reaches the connection machine. */
function asConnection(namespace: Namespace, item: unknown): RememberedConnection | undefined {
  if (!isRecord(item)) return undefined
  const { connectorId, account, chainId } = item
  if (typeof connectorId !== 'string' || typeof account !== 'string' || typeof chainId !== 'string') return undefined
  if (!isAccountId(account) || !isChainId(chainId)) return undefined
  const belongs = [account, chainId].every((id) => id.startsWith(`${namespace}:`))
  return belongs ? { connectorId, account, chainId } : undefined
}

function asDeepLink(value: unknown): DeepLink | undefined {
  if (!isRecord(value)) return undefined
  const { href, name } = value
  return typeof href === 'string' && typeof name === 'string' ? { href, name } : undefined
}

function asCacheEntry(value: unknown): { at: number; value: string } | undefined {
  if (!isRecord(value)) return undefined
  const { at, value: text } = value
  return typeof at === 'number' && typeof text === 'string' ? { at, value: text } : undefined
}
