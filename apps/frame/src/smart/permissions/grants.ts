import type { HolderStore } from '../../worker/storage/holderStore.ts'
import type { Used } from './spend.ts'
import type { PermissionPolicy } from './permissionRequest.ts'
import { getMember } from '../../platform/isJsonObject.ts'

/** A granted permission. */
export type Grant = {
  /** Id for the page. */
  readonly context: `0x${string}`
  /** Id at the server. */
  readonly pci: string
  readonly origin: string
  readonly chainId: string
  readonly account: `0x${string}`
  /** Seconds since the epoch. */
  readonly expiry: number
  readonly bounds: PermissionPolicy
  readonly used: Used
}

/** Permissions granted in this browser. */
export type Grants = {
  find(context: string): Promise<Grant | undefined>
  /** Finds a grant by its context or by the server's id. */
  findAny(name: string): Promise<Grant | undefined>
  add(grant: Grant): Promise<void>
  remove(grant: Grant): Promise<void>
  /** Serialises reads and writes of the used amounts across all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

const place = 'grants'
const most = 64

/** Creates the list of grants in the frame's store, encrypted by a key that no script can read. */
export function createGrants(store: HolderStore): Grants {
  let last: Promise<unknown> = Promise.resolve()

  async function all(): Promise<readonly Grant[]> {
    const sealed = await store.read(place)
    if (!isSealed(sealed)) return []
    try {
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: sealed.nonce },
        await getSealingKey(store),
        sealed.bytes,
      )
      // Encrypted by `keep`.
      return JSON.parse(new TextDecoder().decode(opened), revive) as readonly Grant[]
    } catch {
      return []
    }
  }
  async function keep(grants: readonly Grant[]): Promise<void> {
    const nonce = crypto.getRandomValues(new Uint8Array(12))
    const content = new TextEncoder().encode(JSON.stringify(grants.slice(0, most), replace))
    const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await getSealingKey(store), content)
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

/** All windows of the site share the store. */
function withLock<result>(act: () => Promise<result>): Promise<result> {
  const { locks } = navigatorOf()
  return locks === undefined ? act() : locks.request('latchkey-grants', act)
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

/** Creates an unguessable id of a permission. */
export function newContext(): `0x${string}` {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x${hex}`
}
