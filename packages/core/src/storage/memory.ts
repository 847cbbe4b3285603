import { isAccountId, isChainId, namespaces, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Storage } from './storage.ts'

/** A connection to restore after a reload. */
export type RememberedConnection = {
  connectorId: string
  account: AccountId
  chainId: ChainId
  /** Set if the user chose the account in the app. */
  picked?: boolean
}

/** The primary connection of each namespace, with the other wallets. */
export type RememberedConnections = {
  readonly [namespace in Namespace]?: RememberedConnection & { others?: readonly RememberedConnection[] }
}

/**
 * Values that an instance stores between page loads. Each entry is validated when it is read. Entries that only lazily
 * loaded code needs have functions of their own: `getCached`, `getRecentWallets`, `setDeepLink`.
 */
export type Memory = {
  /** Returns the parsed entry, or `undefined` if it is missing or not JSON. */
  read(key: string): unknown
  /** Stores an entry as JSON. `undefined` removes it. */
  write(key: string, value: unknown): void
  activeNetwork(): ChainId | undefined
  setActiveNetwork(chainId: ChainId): void
  connections(): RememberedConnections
  /** All remembered connections of a namespace, the primary one first. */
  remembered(namespace: Namespace): readonly RememberedConnection[]
  /** The theme, under the key that pages use for it [R3.16]. */
  theme(): string | undefined
  setTheme(theme: string): void
  /** Calls back when another tab changed the stored connections. */
  onConnections(listener: (connections: RememberedConnections) => void): () => void
}

const prefix = '@latchkey/'
const connectionsKey = `${prefix}connections`

/**
 * Adds typed entries to a storage. A failing storage is reported once through `onUnavailable`, and values are then kept
 * in the page's memory.
 */
export function createMemory(storage: Storage, onUnavailable: () => void): Memory {
  const own = new Map<string, string>()
  const read = (key: string): unknown => parseStored(own.get(key) ?? tryStorage(() => storage.getItem(prefix + key)))
  const remove = (key: string): void => {
    own.delete(key)
    tryStorage(() => storage.removeItem(prefix + key))
  }
  const write = (key: string, value: unknown): void => {
    if (value === undefined) return remove(key)
    const text = JSON.stringify(value)
    try {
      storage.setItem(prefix + key, text)
      own.delete(key)
    } catch {
      own.set(key, text)
      onUnavailable()
    }
  }
  const connections = (): RememberedConnections => parseConnections(read('connections'))

  return {
    read,
    write,
    activeNetwork() {
      const chainId = read('active_network')
      return typeof chainId === 'string' && isChainId(chainId) ? chainId : undefined
    },
    setActiveNetwork: (chainId) => write('active_network', chainId),
    connections,
    remembered: (namespace) => rememberedIn(connections(), namespace),
    theme: () => tryStorage(() => storage.getItem('theme')),
    setTheme: (theme) => tryStorage(() => storage.setItem('theme', theme)),
    onConnections: (listener) =>
      storage.subscribe?.((key, value) => {
        if (key === connectionsKey) listener(parseConnections(parseStored(value)))
      }) ?? (() => {}),
  }
}

/** Returns the stored connections of a namespace, the primary one first. */
export function rememberedIn(all: RememberedConnections, namespace: Namespace): readonly RememberedConnection[] {
  const primary = all[namespace]
  return primary === undefined ? [] : [primary, ...(primary.others ?? [])]
}

function tryStorage<result>(action: () => result): result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function parseStored(text: string | undefined): unknown {
  return text === undefined ? undefined : tryStorage((): unknown => JSON.parse(text))
}

function isStoredRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasTextFields<name extends string>(value: unknown, ...names: readonly name[]): value is Record<name, string> {
  return isStoredRecord(value) && names.every((name) => typeof value[name] === 'string')
}

function parseConnections(value: unknown): RememberedConnections {
  if (!isStoredRecord(value)) return {}
  const connections: { -readonly [namespace in Namespace]?: RememberedConnections[namespace] } = {}
  for (const namespace of namespaces) {
    const item = Object.hasOwn(value, namespace) ? value[namespace] : undefined
    const storedOthers: readonly unknown[] = isStoredRecord(item) && Array.isArray(item['others']) ? item['others'] : []
    const [primary, ...others] = [item, ...storedOthers].flatMap((each) => parseConnection(namespace, each))
    if (primary !== undefined) connections[namespace] = others.length === 0 ? primary : { ...primary, others }
  }
  return connections
}

/** Picks the known fields, so that no other stored value reaches the state machine. */
function parseConnection(namespace: Namespace, item: unknown): RememberedConnection[] {
  if (!hasTextFields(item, 'connectorId', 'account', 'chainId')) return []
  const { connectorId, account, chainId } = item
  const belongs = [account, chainId].every((id) => id.startsWith(`${namespace}:`))
  if (!belongs || !isAccountId(account) || !isChainId(chainId)) return []
  return [{ connectorId, account, chainId, ...('picked' in item && item.picked === true ? { picked: true } : {}) }]
}
