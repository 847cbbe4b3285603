import type { Hex } from 'viem'
import { RpcError } from '../../chain/rpcError.ts'
import type { HolderStore } from '../../worker/storage/holderStore.ts'
import { createSealedList } from './sealedList.ts'

/** A permission that the network enforces, as this browser granted it. */
export type DelegationGrant = {
  /** Encoded delegation, which its delegate redeems. */
  readonly context: Hex
  readonly origin: string
  /** CAIP-2. */
  readonly chainId: string
  readonly account: Hex
  /** Seconds since the epoch. */
  readonly expiry: number
  /** The response to the page, as JSON. */
  readonly permission: string
}

/** Permissions that the network enforces, as far as this browser granted them. */
export type DelegationGrants = {
  list(): Promise<readonly DelegationGrant[]>
  /**
   * Adds permissions and drops expired ones.
   *
   * @param now seconds since the epoch
   * @throws RpcError -32000 if the list is full: a valid permission is never dropped
   */
  add(grants: readonly DelegationGrant[], now: number): Promise<void>
  remove(context: Hex): Promise<void>
}

const most = 64

/** Creates the list in the frame's store. The list shows and revokes; the permissions are valid without it. */
export function createDelegationGrants(store: HolderStore): DelegationGrants {
  const { all, keep, alone } = createSealedList<DelegationGrant>(store, 'delegations')
  return {
    list: all,
    add: (grants, now) =>
      alone(async () => {
        const entries = [...grants, ...(await all()).filter(({ expiry }) => expiry > now)]
        if (entries.length > most)
          throw new RpcError(-32_000, `This wallet has ${most} permissions already. Revoke one of them first.`)
        await keep(entries)
      }),
    remove: (context) =>
      alone(async () => keep((await all()).filter((each) => each.context !== context.toLowerCase()))),
  }
}
