import { openDB } from 'idb'

/** Key-value storage of the worker. */
export type HolderStore = {
  read(name: string): Promise<unknown>
  /** Atomic. `undefined` removes an entry. */
  write(entries: Readonly<Record<string, unknown>>): Promise<void>
  /** Writes the value if the name is free. Returns the stored value. */
  claim(name: string, value: unknown): Promise<unknown>
}

/**
 * Opens a store in IndexedDB, which browsers partition by embedding site. If the browser denies or exhausts storage,
 * values stay in memory until the page closes.
 *
 * @param persistent persistent store. Default: IndexedDB.
 */
export function openHolderStore(database: string, persistent: HolderStore = indexedStore(database)): HolderStore {
  const memory = createMemoryStore()
  /** Names whose values are in memory only. */
  const fallen = new Set<string>()
  const orMemory = async <result>(names: readonly string[], act: (store: HolderStore) => Promise<result>) => {
    try {
      if (names.some((name) => fallen.has(name))) throw new Error('The entry is in memory only.')
      return await act(persistent)
    } catch {
      for (const name of names) fallen.add(name)
      return act(memory)
    }
  }
  return {
    read: (name) => orMemory([name], (store) => store.read(name)),
    write: (entries) => orMemory(Object.keys(entries), (store) => store.write(entries)),
    claim: (name, value) => orMemory([name], (store) => store.claim(name, value)),
  }
}

/** The methods throw DOMException if the browser denies access. */
function indexedStore(database: string): HolderStore {
  const table = 'kept'
  let opened: ReturnType<typeof open> | undefined
  const forget = (): void => void (opened = undefined)
  const open = () =>
    openDB(database, 1, {
      upgrade(opened) {
        opened.createObjectStore(table)
      },
      // Another page upgrades or deletes the database.
      blocking(_current, _next, event) {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      // The user cleared the site's storage. The next access opens it again.
      terminated: forget,
    })
  const connect = () => {
    opened ??= open().catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
  return {
    read: async (name): Promise<unknown> => (await connect()).get(table, name),
    async write(entries) {
      const transaction = (await connect()).transaction(table, 'readwrite', { durability: 'strict' })
      const acts = Object.entries(entries).map(
        ([name, value]) =>
          () =>
            value === undefined ? transaction.store.delete(name) : transaction.store.put(value, name),
      )
      await runAtomically(transaction, acts)
    },
    async claim(name, value) {
      // A taken name is the usual case, and needs no write.
      const present: unknown = await (await connect()).get(table, name)
      if (present !== undefined) return present
      const transaction = (await connect()).transaction(table, 'readwrite', { durability: 'strict' })
      const held: unknown = await transaction.store.get(name)
      await runAtomically(transaction, held === undefined ? [() => transaction.store.put(value, name)] : [])
      return held ?? value
    },
  }
}

/** Aborts the transaction if one request fails, and throws that error once. */
async function runAtomically(
  transaction: { readonly done: Promise<void>; abort(): void },
  acts: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const requests: Promise<unknown>[] = [transaction.done]
  try {
    for (const act of acts) requests.push(act())
    await Promise.all(requests)
  } catch (error) {
    endEarly(transaction)
    await Promise.allSettled(requests)
    throw error
  }
}

function endEarly(transaction: { abort(): void }): void {
  try {
    transaction.abort()
  } catch {
    // It has already ended.
  }
}

/** Creates a store in memory. */
export function createMemoryStore(): HolderStore {
  const stored = new Map<string, unknown>()
  return {
    read: async (name) => stored.get(name),
    async write(entries) {
      for (const [name, value] of Object.entries(entries)) {
        if (value === undefined) stored.delete(name)
        else stored.set(name, value)
      }
    },
    async claim(name, value) {
      if (!stored.has(name)) stored.set(name, value)
      return stored.get(name)
    },
  }
}
