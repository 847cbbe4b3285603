import { openDB } from 'idb'

/** What the worker remembers, by name. */
export type HolderStore = {
  read(name: string): Promise<unknown>
  /** All of it or nothing; undefined takes an entry away. */
  write(entries: Readonly<Record<string, unknown>>): Promise<void>
  /** Writes what nobody wrote before, and tells what is there now. */
  claim(name: string, value: unknown): Promise<unknown>
}

/**
 * A store in the browser: IndexedDB, which a frame has apart for each site that embeds it. Where the browser
 * grants none, or takes no more, things are remembered until the page is closed.
 *
 * @param kept what outlives the page; the browser's own when left out
 */
export function openStore(database: string, kept: HolderStore = indexedStore(database)): HolderStore {
  const memory = memoryStore()
  /** Names that were written to the memory, because nothing else would have them. */
  const fallen = new Set<string>()
  const orMemory = async <result>(names: readonly string[], act: (store: HolderStore) => Promise<result>) => {
    try {
      if (names.some((name) => fallen.has(name))) throw new Error('kept in the memory')
      return await act(kept)
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

/** @throws (later) DOMException where the browser denies it */
function indexedStore(database: string): HolderStore {
  const table = 'kept'
  let opened: ReturnType<typeof open> | undefined
  const forget = (): void => void (opened = undefined)
  const open = () =>
    openDB(database, 1, {
      upgrade(opened) {
        opened.createObjectStore(table)
      },
      // Another page of this site has a newer form of it, or takes it away.
      blocking(_current, _next, event) {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      // The visitor cleared what this site keeps. What is written from now on is kept anew.
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
      await wholly(transaction, acts)
    },
    async claim(name, value) {
      const transaction = (await connect()).transaction(table, 'readwrite', { durability: 'strict' })
      const held: unknown = await transaction.store.get(name)
      await wholly(transaction, held === undefined ? [() => transaction.store.put(value, name)] : [])
      return held ?? value
    },
  }
}

/** Whatever is refused takes the rest of its transaction with it, and is said once. */
async function wholly(
  transaction: { readonly done: Promise<void>; abort(): void },
  acts: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const asked: Promise<unknown>[] = [transaction.done]
  try {
    for (const act of acts) asked.push(act())
    await Promise.all(asked)
  } catch (error) {
    endEarly(transaction)
    await Promise.allSettled(asked)
    throw error
  }
}

function endEarly(transaction: { abort(): void }): void {
  try {
    transaction.abort()
  } catch {
    // It is over already.
  }
}

/** Remembers until it is forgotten itself. */
export function memoryStore(): HolderStore {
  const kept = new Map<string, unknown>()
  return {
    read: async (name) => kept.get(name),
    async write(entries) {
      for (const [name, value] of Object.entries(entries)) {
        if (value === undefined) kept.delete(name)
        else kept.set(name, value)
      }
    },
    async claim(name, value) {
      if (!kept.has(name)) kept.set(name, value)
      return kept.get(name)
    },
  }
}
