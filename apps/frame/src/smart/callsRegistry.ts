import type { Hex } from 'viem'
import type { CheckedRequest } from '../approve/approval.ts'
import { isHex } from '../approve/evm/parseQuantity.ts'
import { RpcError } from '../chain/rpcError.ts'
import type { HolderStore } from '../worker/storage/holderStore.ts'
import { getMember } from '../platform/getMember.ts'

/** Maps a page's call ids to operations. */
export type CallsRegistry = {
  /** @throws RpcError 5720 if the id exists */
  assertNewId(origin: string, id: string | undefined): Promise<void>
  /** Stores an operation. @returns the response of `wallet_sendCalls` */
  add(checked: Pick<CheckedRequest, 'origin' | 'network'>, hash: Hex, id?: string): Promise<{ id: string }>
  /** @returns `undefined` for an unknown id. A hash can be used as its own id. */
  find(origin: string, id: string): Promise<RegisteredCalls | undefined>
}

export type RegisteredCalls = { readonly hash: Hex; readonly chainId: string }

/** Creates a registry in the frame's store, separate for each page. */
export function createCallsRegistry(store: HolderStore): CallsRegistry {
  const nameOf = (origin: string, id: string): string => `calls:${origin} ${id}`
  const find = async (origin: string, id: string): Promise<RegisteredCalls | undefined> => {
    const stored = await store.read(nameOf(origin, id))
    const [hash, chainId] = [getMember(stored, 'hash'), getMember(stored, 'chainId')]
    return isHex(hash) && typeof chainId === 'string' ? { hash, chainId } : undefined
  }
  return {
    find,
    async assertNewId(origin, id) {
      if (id !== undefined && (await find(origin, id)) !== undefined)
        throw new RpcError(5720, 'The call id is already in use.')
    },
    async add({ origin, network }, hash, id = hash) {
      await store.write({ [nameOf(origin, id)]: { hash, chainId: network.chainId } satisfies RegisteredCalls })
      return { id }
    },
  }
}
