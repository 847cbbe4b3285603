import type { HolderStore } from '../../worker/storage/holderStore.ts'
import type { Used } from './spend.ts'
import type { PermissionPolicy } from './permissionRequest.ts'
import { createSealedList } from './sealedList.ts'

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

const most = 64

/** Creates the list of grants in the frame's store, encrypted by a key that no script can read. */
export function createGrants(store: HolderStore): Grants {
  const { all, keep, alone } = createSealedList<Grant>(store, 'grants')
  const without = async ({ context }: Grant): Promise<readonly Grant[]> =>
    (await all()).filter((each) => each.context !== context)

  return {
    find: async (context) => (await all()).find((each) => each.context === context.toLowerCase()),
    findAny: async (name) =>
      (await all()).find((each) => each.context === name.toLowerCase() || each.pci === name.toLowerCase()),
    add: async (grant) => keep([grant, ...(await without(grant))].slice(0, most)),
    remove: async (grant) => keep(await without(grant)),
    alone,
  }
}

/** Creates an unguessable id of a permission. */
export function newContext(): `0x${string}` {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x${hex}`
}
