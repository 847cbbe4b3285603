import type { Hex } from 'viem'
import type { Asked } from '../approve/approval.ts'
import { isHex, read } from '../approve/evm/hex.ts'
import { RpcError } from '../chain/rpcError.ts'
import type { HolderStore } from '../worker/store.ts'

/** Which operation a page's name of some calls stands for. */
export type CallsBook = {
  /** @throws RpcError 5720 */
  mustBeNew(origin: string, id: string | undefined): Promise<void>
  /** Remembers an operation. @returns what `wallet_sendCalls` answers */
  note(asked: Pick<Asked, 'origin' | 'network'>, hash: Hex, id?: string): Promise<{ id: string }>
  /** @returns undefined for an id that no call of this page has; a bare hash stands for itself */
  find(origin: string, id: string): Promise<Noted | undefined>
}

export type Noted = { readonly hash: Hex; readonly chainId: string }

/** Keeps the names of calls in the frame's store, for each page by itself. */
export function createCallsBook(store: HolderStore): CallsBook {
  const nameOf = (origin: string, id: string): string => `calls:${origin} ${id}`
  const find = async (origin: string, id: string): Promise<Noted | undefined> => {
    const kept = await store.read(nameOf(origin, id))
    const [hash, chainId] = [read(kept, 'hash'), read(kept, 'chainId')]
    return isHex(hash) && typeof chainId === 'string' ? { hash, chainId } : undefined
  }
  return {
    find,
    async mustBeNew(origin, id) {
      if (id !== undefined && (await find(origin, id)) !== undefined)
        throw new RpcError(5720, 'There are calls of this id already.')
    },
    async note({ origin, network }, hash, id = hash) {
      await store.write({ [nameOf(origin, id)]: { hash, chainId: network.chainId } satisfies Noted })
      return { id }
    },
  }
}
