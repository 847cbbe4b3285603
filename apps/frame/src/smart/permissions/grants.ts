import { read } from '../../approve/evm/hex.ts'
import type { HolderStore } from '../../worker/store.ts'
import type { Used } from './spend.ts'
import type { Bounds } from './terms.ts'

/** A permission that was granted. */
export type Grant = {
  /** What the page names it by. */
  readonly context: `0x${string}`
  /** What the server names it by. */
  readonly pci: string
  readonly origin: string
  readonly chainId: string
  readonly account: `0x${string}`
  /** Seconds since 1970. */
  readonly expiry: number
  readonly bounds: Bounds
  readonly used: Used
}

/** The permissions that were granted in this browser. */
export type Grants = {
  find(context: string): Promise<Grant | undefined>
  /** By the context or by the server's name. */
  findAny(name: string): Promise<Grant | undefined>
  add(grant: Grant): Promise<void>
  remove(grant: Grant): Promise<void>
  /** Runs one after the other whatever reads and changes what is used up, in all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

const place = 'grants'
const most = 64

/** Keeps permissions in the frame's store, sealed by a key that no script can read. */
export function createGrants(store: HolderStore): Grants {
  let last: Promise<unknown> = Promise.resolve()

  async function all(): Promise<readonly Grant[]> {
    const sealed = await store.read(place)
    if (!isSealed(sealed)) return []
    try {
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: sealed.nonce },
        await keyOf(store),
        sealed.bytes,
      )
      // Sealed by this very function.
      return JSON.parse(new TextDecoder().decode(opened), revive) as readonly Grant[]
    } catch {
      return []
    }
  }
  async function keep(grants: readonly Grant[]): Promise<void> {
    const nonce = crypto.getRandomValues(new Uint8Array(12))
    const content = new TextEncoder().encode(JSON.stringify(grants.slice(0, most), replace))
    const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(store), content)
    await store.write({ [place]: { nonce, bytes } satisfies Sealed })
  }
  const without = async ({ context }: Grant): Promise<readonly Grant[]> =>
    (await all()).filter((each) => each.context !== context)

  return {
    find: async (context) => (await all()).find((each) => each.context === context.toLowerCase()),
    findAny: async (name) =>
      (await all()).find((each) => each.context === name.toLowerCase() || each.pci === name.toLowerCase()),
    add: async (grant) => keep([grant, ...(await without(grant))]),
    remove: async (grant) => keep(await without(grant)),
    alone(act) {
      const run = last.then(() => withLock(act))
      last = run.catch(() => undefined)
      return run
    },
  }
}

/** Windows of one site share the store. */
function withLock<result>(act: () => Promise<result>): Promise<result> {
  const { locks } = navigatorOf()
  return locks === undefined ? act() : locks.request('latchkey-grants', act)
}

function navigatorOf(): { locks?: { request<result>(name: string, act: () => Promise<result>): Promise<result> } } {
  return typeof navigator === 'undefined' ? {} : navigator
}

type Sealed = { readonly nonce: Uint8Array<ArrayBuffer>; readonly bytes: ArrayBuffer }

function isSealed(value: unknown): value is Sealed {
  return read(value, 'nonce') instanceof Uint8Array && read(value, 'bytes') instanceof ArrayBuffer
}

async function keyOf(store: HolderStore): Promise<CryptoKey> {
  const kept = await store.read('grantsKey')
  if (isKey(kept)) return kept
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

/** A name for a permission that nobody can guess. */
export function newContext(): `0x${string}` {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x${hex}`
}
