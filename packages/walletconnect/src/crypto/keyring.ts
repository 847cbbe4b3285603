import type { Storage } from '@latchkey/core'
import { bytesToHex, hexToBytes, isHex32, randomBytes } from './bytes.ts'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** The secrets of one side. Only cryptographic functions receive them. */
export type Keyring = {
  /** The Ed25519 seed of this client's id at relays. Created on first use. */
  clientSeed(): Uint8Array
  /** The symmetric key of a topic, in memory or stored. */
  get(topic: string): Uint8Array | undefined
  /** Keeps a key until the page closes. */
  holdInMemory(topic: string, key: Uint8Array): void
  /** Keeps a key across page loads. */
  store(topic: string, key: Uint8Array): void
  /** Stores a key that was only in memory. */
  storeHeld(topic: string): void
  remove(topic: string): void
  /** The topics of all stored keys. */
  storedTopics(): readonly string[]
}

/** Creates a keyring that stores its keys in `storage` under `prefix`. */
export function createKeyring(storage: Storage, prefix: string): Keyring {
  const inMemory = new Map<string, Uint8Array>()
  const seedKey = `${prefix}clientSeed`
  const keysKey = `${prefix}keys`

  // Read each time, because other tabs write it too.
  const readStoredKeys = (): Record<string, string> => {
    const stored = tryParseJson(storage.getItem(keysKey) ?? '{}')
    if (!isUnknownRecord(stored)) return {}
    return Object.fromEntries(Object.entries(stored).flatMap(([topic, key]) => (isHex32(key) ? [[topic, key]] : [])))
  }

  const store = (topic: string, key: Uint8Array): void => {
    storage.setItem(keysKey, JSON.stringify({ ...readStoredKeys(), [topic]: bytesToHex(key) }))
    // Another part of the page may remove the stored key, which ends the session here, too.
    inMemory.delete(topic)
  }

  return {
    clientSeed() {
      const known = storage.getItem(seedKey)
      if (isHex32(known)) return hexToBytes(known)
      const seed = randomBytes(32)
      storage.setItem(seedKey, bytesToHex(seed))
      return seed
    },
    get(topic) {
      const key = readStoredKeys()[topic]
      return inMemory.get(topic) ?? (key === undefined ? undefined : hexToBytes(key))
    },
    holdInMemory(topic, key) {
      inMemory.set(topic, key)
    },
    store,
    storeHeld(topic) {
      const key = inMemory.get(topic)
      if (key !== undefined) store(topic, key)
    },
    remove(topic) {
      inMemory.delete(topic)
      const { [topic]: dropped, ...others } = readStoredKeys()
      if (dropped !== undefined) storage.setItem(keysKey, JSON.stringify(others))
    },
    storedTopics: () => Object.keys(readStoredKeys()),
  }
}
