import { isAccountId, isChainId, namespaces, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Storage } from './storage.ts'

/** A wallet that the visitor used before. */
export type RecentWallet = { id: string; name: string }

/** A connection to take up again after a reload. */
export type RememberedConnection = {
  connectorId: string
  account: AccountId
  chainId: ChainId
  /** Set when the visitor chose the account here. */
  picked?: boolean
}

/** Per namespace the primary connection, with those that stood beside it. */
export type RememberedConnections = {
  readonly [namespace in Namespace]?: RememberedConnection & { others?: readonly RememberedConnection[] }
}

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
  /** All remembered connections of a namespace, the primary one first. */
  remembered(namespace: Namespace): readonly RememberedConnection[]
  /** Remembers the connections of a namespace, the primary one first; none forgets them. */
  setConnections(namespace: Namespace, connections: readonly RememberedConnection[]): void
  deepLink(): DeepLink | undefined
  setDeepLink(link: DeepLink | undefined): void
  /** A cached value that is younger than `age` milliseconds. */
  cached(key: string, age: number): string | undefined
  /** Undefined forgets it. */
  setCached(key: string, value: string | undefined): void
  /** The theme, under the plain key that pages use for it [R3.16]. */
  theme(): string | undefined
  setTheme(theme: string): void
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
    remembered: (namespace) => rememberedIn(connections(), namespace),
    setConnections(namespace, [primary, ...others]) {
      const { [namespace]: _, ...rest } = connections()
      const own = others.length === 0 ? primary : { ...primary, others }
      const all = primary === undefined ? rest : { ...rest, [namespace]: own }
      put('connections', Object.keys(all).length === 0 ? undefined : all)
    },
    deepLink: () => asDeepLink(read('deep_link')),
    setDeepLink: (link) => put('deep_link', link),
    cached(key, age) {
      const entry = asCacheEntry(read(`cache/${key}`))
      return entry !== undefined && Math.abs(now() - entry.at) < age ? entry.value : undefined
    },
    setCached: (key, value) => put(`cache/${key}`, value === undefined ? undefined : { at: now(), value }),
    theme: () => attempt(() => storage.getItem('theme')),
    setTheme: (theme) => attempt(() => storage.setItem('theme', theme)),
    onConnections: (listener) =>
      storage.subscribe?.((key, value) => {
        if (key === connectionsKey) listener(asConnections(parse(value)))
      }) ?? (() => {}),
  }
}

/** All that is remembered of a namespace, the primary connection first. */
export function rememberedIn(all: RememberedConnections, namespace: Namespace): readonly RememberedConnection[] {
  const primary = all[namespace]
  return primary === undefined ? [] : [primary, ...(primary.others ?? [])]
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

function isTexts<name extends string>(value: unknown, ...names: readonly name[]): value is Record<name, string> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string')
}

function asRecentWallets(value: unknown): readonly RecentWallet[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((each) => isTexts(each, 'id', 'name'))
    .map(({ id, name }) => ({ id, name }))
    .slice(0, recentLimit)
}

function asConnections(value: unknown): RememberedConnections {
  if (!isRecord(value)) return {}
  const connections: { -readonly [namespace in Namespace]?: RememberedConnections[namespace] } = {}
  for (const namespace of namespaces) {
    const item = Object.hasOwn(value, namespace) ? value[namespace] : undefined
    const beside: readonly unknown[] = isRecord(item) && Array.isArray(item['others']) ? item['others'] : []
    const [primary, ...others] = [item, ...beside].flatMap((each) => asConnection(namespace, each))
    if (primary !== undefined) connections[namespace] = others.length === 0 ? primary : { ...primary, others }
  }
  return connections
}

/** Only what belongs there, so that nothing else in the storage reaches the connection machine. */
function asConnection(namespace: Namespace, item: unknown): RememberedConnection[] {
  if (!isTexts(item, 'connectorId', 'account', 'chainId')) return []
  const { connectorId, account, chainId } = item
  const belongs = [account, chainId].every((id) => id.startsWith(`${namespace}:`))
  if (!belongs || !isAccountId(account) || !isChainId(chainId)) return []
  return [{ connectorId, account, chainId, ...('picked' in item && item.picked === true ? { picked: true } : {}) }]
}

function asDeepLink(value: unknown): DeepLink | undefined {
  return isTexts(value, 'href', 'name') ? { href: value.href, name: value.name } : undefined
}

function asCacheEntry(value: unknown): { at: number; value: string } | undefined {
  return isTexts(value, 'value') && 'at' in value && typeof value.at === 'number'
    ? { at: value.at, value: value.value }
    : undefined
}
