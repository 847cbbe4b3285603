import type { FrameRpcRequest } from '@latchkey/protocol'
import type { ApprovalContext, Reader } from '../approve/approval.ts'
import { askedOf } from '../approve/asked.ts'
import { refusals } from '../chain/rpcError.ts'
import type { HolderStore } from '../worker/store.ts'
import { createCallsBook } from './callsBook.ts'
import { createAccounts, type OpeningParts } from './openAccount.ts'
import { createGrants } from './permissions/grants.ts'
import { permissionReaders } from './permissions/readers.ts'
import { createSessions } from './permissions/sessions.ts'
import { namesPermission, sendByPermission } from './permissions/withoutAsking.ts'
import { smartReaders } from './readers.ts'
import { createReads } from './reads.ts'

export type SmartWalletParts = OpeningParts & {
  readonly projectId: string
  readonly store: HolderStore
  /** Milliseconds since the epoch. */
  now(): number
}

/** What acts with smart accounts. */
export type SmartWallet = {
  readonly readers: Readonly<Record<string, Reader>>
  /** @throws RpcError */
  read(request: FrameRpcRequest, context: ApprovalContext): Promise<unknown>
  /** @returns undefined where the request names no permission; @throws RpcError 4100 where that does not allow it */
  byPermission(request: FrameRpcRequest, context: ApprovalContext): Promise<{ readonly value: unknown } | undefined>
}

/** Puts the parts of smart accounts together. This is what is loaded when one is used for the first time. */
export function createSmartWallet(parts: SmartWalletParts): SmartWallet {
  const { config, store, projectId, now } = parts
  const accounts = createAccounts(parts)
  const book = createCallsBook(store)
  const permissions = {
    accounts,
    grants: createGrants(store),
    sessions: createSessions({ url: config.server, projectId }),
  }
  const reads = createReads({ ...parts, accounts, book })
  return {
    readers: { ...smartReaders({ accounts, book }), ...permissionReaders(permissions) },
    async read(request, context) {
      const read = Object.hasOwn(reads, request.method) ? reads[request.method] : undefined
      if (read === undefined) throw refusals.unsupported(request.method)
      return read(askedOf(request, context, config.networks))
    },
    async byPermission(request, context) {
      if (!namesPermission(request)) return undefined
      return { value: await sendByPermission({ ...permissions, config, book, now }, request, context) }
    },
  }
}
