import type { Storage } from '@latchkey/core'
import { bytesToHex, hexToBytes, isHex32, randomBytes } from './bytes.ts'
import { isRecord, parseJson } from './parse.ts'

/** The secrets of one side. They leave it only into the cryptography. */
export type Keyring = {
  /** The Ed25519 seed by which relays know this client; made when it is first asked for. */
  clientSeed(): Uint8Array
  /** The symmetric key of a topic. */
  get(topic: string): Uint8Array | undefined
  /** Remembers a key until the page goes away. */
  hold(topic: string, key: Uint8Array): void
  /** Remembers a key over page loads. */
  keep(topic: string, key: Uint8Array): void
  /** Remembers a held key over page loads from now on. */
  keepHeld(topic: string): void
  drop(topic: string): void
  /** The topics of all kept keys. */
  kept(): readonly string[]
}

/** Makes a keyring whose kept keys lie in `storage` under `prefix`. */
export function createKeyring(storage: Storage, prefix: string): Keyring {
  const held = new Map<string, Uint8Array>()
  const seedKey = `${prefix}clientSeed`
  const keysKey = `${prefix}keys`

  // Read anew each time, because other tabs write it too.
  const readKept = (): Record<string, string> => {
    const kept = parseJson(storage.getItem(keysKey) ?? '{}')
    if (!isRecord(kept)) return {}
    return Object.fromEntries(Object.entries(kept).flatMap(([topic, key]) => (isHex32(key) ? [[topic, key]] : [])))
  }

  const keep = (topic: string, key: Uint8Array): void =>
    storage.setItem(keysKey, JSON.stringify({ ...readKept(), [topic]: bytesToHex(key) }))

  return {
    clientSeed() {
      const known = storage.getItem(seedKey)
      if (isHex32(known)) return hexToBytes(known)
      const seed = randomBytes(32)
      storage.setItem(seedKey, bytesToHex(seed))
      return seed
    },
    get(topic) {
      const key = readKept()[topic]
      return held.get(topic) ?? (key === undefined ? undefined : hexToBytes(key))
    },
    hold(topic, key) {
      held.set(topic, key)
    },
    keep,
    keepHeld(topic) {
      const key = held.get(topic)
      if (key !== undefined) keep(topic, key)
    },
    drop(topic) {
      held.delete(topic)
      const { [topic]: dropped, ...others } = readKept()
      if (dropped !== undefined) storage.setItem(keysKey, JSON.stringify(others))
    },
    kept: () => Object.keys(readKept()),
  }
}
