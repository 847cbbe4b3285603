import type { FrameRpcRequest } from '@latchkey/protocol'
import type { ApprovalContext, Reader } from '../approve/approval.ts'
import { checkRequest } from '../approve/checkRequest.ts'
import { rpcErrors } from '../chain/rpcError.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStore } from '../worker/storage/holderStore.ts'
import { createCallsRegistry } from './callsRegistry.ts'
import { createSmartAccounts, type SmartAccountsDependencies } from './smartAccounts.ts'
import { createDelegationGrants } from './permissions/delegationGrants.ts'
import { createExecutionReads } from './permissions/executionReads.ts'
import { createGrants } from './permissions/grants.ts'
import { listOwnPermissions, type OwnPermission } from './permissions/listOwnPermissions.ts'
import { permissionReaders } from './permissions/permissionReaders.ts'
import { createPermissionRegistry } from './permissions/permissionRegistry.ts'
import { namesPermission, sendByPermission } from './permissions/sendByPermission.ts'
import { smartReaders } from './smartReaders.ts'
import { createSmartReads } from './smartReads.ts'

export type SmartWalletDependencies = SmartAccountsDependencies & {
  readonly projectId: string
  readonly store: HolderStore
  readonly holder: Pick<KeyHolder, 'sign' | 'sealPermissionOrigin' | 'openPermissionOrigins'>
  /** Milliseconds since the epoch. */
  now(): number
}

/** The lazily loaded part of smart accounts. */
export type SmartWallet = {
  readonly readers: Readonly<Record<string, Reader>>
  /** @throws RpcError */
  read(request: FrameRpcRequest, context: ApprovalContext): Promise<unknown>
  /**
   * @returns `undefined` if the request names no permission; @throws RpcError 4100 if the permission doesn't allow it
   */
  byPermission(request: FrameRpcRequest, context: ApprovalContext): Promise<{ readonly value: unknown } | undefined>
  /** Lists the permissions of all pages that the network enforces. @throws RpcError -32603 */
  ownPermissions(): Promise<readonly OwnPermission[]>
}

/** Creates the lazily loaded part of smart accounts. */
export function createSmartWallet(dependencies: SmartWalletDependencies): SmartWallet {
  const { config, store, projectId, now } = dependencies
  const accounts = createSmartAccounts(dependencies)
  const book = createCallsRegistry(store)
  const permissions = {
    accounts,
    holder: dependencies.holder,
    grants: createGrants(store),
    delegations: createDelegationGrants(store),
    sessions: createPermissionRegistry({ url: config.server, projectId }),
  }
  const { delegations } = permissions
  const reads = {
    ...createSmartReads({ ...dependencies, accounts, book }),
    ...createExecutionReads({ ...dependencies, accounts, delegations }),
  }
  return {
    readers: { ...smartReaders({ accounts, book }), ...permissionReaders(permissions) },
    async read(request, context) {
      const read = Object.hasOwn(reads, request.method) ? reads[request.method] : undefined
      if (read === undefined) throw rpcErrors.unsupported(request.method)
      return read(checkRequest(request, context, config.networks))
    },
    async byPermission(request, context) {
      if (!namesPermission(request)) return undefined
      return { value: await sendByPermission({ ...permissions, config, book, now }, request, context) }
    },
    ownPermissions: () => listOwnPermissions({ ...dependencies, ...permissions }),
  }
}
