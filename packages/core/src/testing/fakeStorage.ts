import type { Storage } from '../storage/storage.ts'

/** A storage with failures and other tabs that a test controls. */
export type FakeStorage = Storage & {
  /** The stored values, shared by all tabs. */
  readonly values: Map<string, string>
  /** Makes writes fail. */
  full: boolean
  /** Makes reads and writes fail. */
  denied: boolean
  /** Returns the storage as another tab sees it. Writes in either tab notify the other. */
  otherTab(): FakeStorage
}

export type FakeStorageOptions = { values?: Readonly<Record<string, string>>; full?: boolean; denied?: boolean }

type Listener = (key: string, value: string | undefined) => void
type Shared = { values: Map<string, string>; tabs: Set<Set<Listener>> }

/**
 * Creates a storage that works, and can be filled, blocked, and written by other tabs.
 *
 * @example
 * const here = fakeStorage()
 * const there = here.otherTab()
 * here.subscribe((key, value) => …)
 * there.setItem('key', 'value') // notifies this tab
 */
export function fakeStorage({ values = {}, full = false, denied = false }: FakeStorageOptions = {}): FakeStorage {
  return openTab({ values: new Map(Object.entries(values)), tabs: new Set() }, { full, denied })
}

function openTab(shared: Shared, { full, denied }: { full: boolean; denied: boolean }): FakeStorage {
  const listeners = new Set<Listener>()
  shared.tabs.add(listeners)
  const notifyOthers = (key: string, value: string | undefined): void => {
    for (const tab of shared.tabs) if (tab !== listeners) for (const listener of tab) listener(key, value)
  }
  const storage: FakeStorage = {
    values: shared.values,
    full,
    denied,
    getItem(key) {
      if (storage.denied) throw new Error('The storage is denied.')
      return shared.values.get(key)
    },
    setItem(key, value) {
      if (storage.denied || storage.full) throw new Error('The storage is full or denied.')
      if (shared.values.get(key) === value) return
      shared.values.set(key, value)
      notifyOthers(key, value)
    },
    removeItem(key) {
      if (storage.denied) throw new Error('The storage is denied.')
      if (shared.values.delete(key)) notifyOthers(key, undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    otherTab: () => openTab(shared, { full: false, denied: false }),
  }
  return storage
}
