import type { HolderStore } from '../../worker/storage/holderStore.ts'
import { getMember } from '../../platform/getMember.ts'

/** A list in the frame's store, encrypted by a key that no script can read. */
export type SealedList<Entry> = {
  /** Returns an empty list if the stored one can't be decrypted. */
  all(): Promise<readonly Entry[]>
  keep(entries: readonly Entry[]): Promise<void>
  /** Serialises reads and writes across all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

/**
 * Creates a sealed list. Entries consist of JSON values and bigints.
 *
 * @param place name of the list in the store
 */
export function createSealedList<Entry>(store: HolderStore, place: string): SealedList<Entry> {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async all() {
      const sealed = await store.read(place)
      if (!isSealed(sealed)) return []
      try {
        const opened = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: sealed.nonce },
          await getSealingKey(store),
          sealed.bytes,
        )
        // Encrypted by `keep`.
        return JSON.parse(new TextDecoder().decode(opened), revive) as readonly Entry[]
      } catch {
        return []
      }
    },
    async keep(entries) {
      const nonce = crypto.getRandomValues(new Uint8Array(12))
      const content = new TextEncoder().encode(JSON.stringify(entries, replace))
      const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await getSealingKey(store), content)
      await store.write({ [place]: { nonce, bytes } satisfies Sealed })
    },
    alone(act) {
      const run = last.then(() => withLock(`latchkey-${place}`, act))
      last = run.catch(() => undefined)
      return run
    },
  }
}

/** All windows of the site share the store. */
function withLock<result>(name: string, act: () => Promise<result>): Promise<result> {
  const { locks } = navigatorOf()
  return locks === undefined ? act() : locks.request(name, act)
}

function navigatorOf(): { locks?: { request<result>(name: string, act: () => Promise<result>): Promise<result> } } {
  return typeof navigator === 'undefined' ? {} : navigator
}

type Sealed = { readonly nonce: Uint8Array<ArrayBuffer>; readonly bytes: ArrayBuffer }

function isSealed(value: unknown): value is Sealed {
  return getMember(value, 'nonce') instanceof Uint8Array && getMember(value, 'bytes') instanceof ArrayBuffer
}

async function getSealingKey(store: HolderStore): Promise<CryptoKey> {
  const stored = await store.read('grantsKey')
  if (isKey(stored)) return stored
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const claimed = await store.claim('grantsKey', made)
  return isKey(claimed) ? claimed : made
}

function isKey(value: unknown): value is CryptoKey {
  return typeof CryptoKey !== 'undefined' && value instanceof CryptoKey
}

const bigintMark = /^\d+n$/
const replace = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
const revive = (_: string, value: unknown): unknown =>
  typeof value === 'string' && bigintMark.test(value) ? BigInt(value.slice(0, -1)) : value
