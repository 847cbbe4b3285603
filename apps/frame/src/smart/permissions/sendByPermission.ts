import type { Hex } from 'viem'
import type { ApprovalContext } from '../../approve/approval.ts'
import { checkRequest } from '../../approve/checkRequest.ts'
import { RpcError } from '../../chain/rpcError.ts'
import type { FrameConfig } from '../../frameConfig.ts'
import type { FrameRpcRequest } from '@latchkey/protocol'
import type { CallsRegistry } from '../callsRegistry.ts'
import type { OpenSmartAccount } from '../smartAccounts.ts'
import { planOperation, sendOperation } from '../planOperation.ts'
import { parseSendCalls, type SendCalls } from '../sendCalls.ts'
import { hasOnlyDecodedEffects, isTokenContract } from './hasOnlyDecodedEffects.ts'
import type { Grant } from './grants.ts'
import type { PermissionDependencies } from './permissionReaders.ts'
import { permissionAccountId } from './permissionRegistry.ts'
import { spend } from './spend.ts'
import { isEqualAddress } from './permissionRequest.ts'
import { getMember } from '../../platform/getMember.ts'

export type SendByPermissionDependencies = PermissionDependencies & {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly book: CallsRegistry
  /** Milliseconds since the epoch. */
  now(): number
}

/** True if a request names a permission. The permission then decides alone. */
export function namesPermission({ method, params }: FrameRpcRequest): boolean {
  const capabilities = getMember(getMember(params, 0), 'capabilities')
  return method === 'wallet_sendCalls' && getMember(getMember(capabilities, 'permissions'), 'context') !== undefined
}

/**
 * Sends calls that a permission allows, without approval. The network does not enforce the permission: this wallet
 * checks its limits, and the registry before each use.
 *
 * @throws RpcError 4100 for an unknown, expired or revoked permission, and for calls beyond its limits
 */
export async function sendByPermission(
  dependencies: SendByPermissionDependencies,
  request: FrameRpcRequest,
  context: ApprovalContext,
): Promise<unknown> {
  const { accounts, grants, book, config } = dependencies
  const checked = checkRequest(request, context, config.networks)
  const wanted = parseSendCalls(checked)
  await book.assertNewId(checked.origin, wanted.id)
  const opened = await accounts.ofRequest(checked, wanted.from)
  if (opened === undefined) throw unknownPermission()
  const hash = await grants.alone(async () => {
    const grant = await grantFor(dependencies, wanted, opened, checked.origin)
    return recordAndSend(dependencies, grant, opened, wanted)
  })
  return book.add(checked, hash, wanted.id)
}

async function grantFor(
  { grants, sessions, now }: SendByPermissionDependencies,
  { permission = '0x', chainId }: SendCalls,
  { account, chainId: here }: OpenSmartAccount,
  origin: string,
): Promise<Grant> {
  const grant = await grants.find(permission)
  // Another page's permission gives the same error as a missing one.
  if (grant === undefined || grant.origin !== origin) throw unknownPermission()
  if (
    grant.chainId !== here ||
    (chainId !== undefined && chainId !== here) ||
    !isEqualAddress(grant.account, account.address)
  )
    throw new RpcError(4100, 'This permission is for another account or network.')
  if (grant.expiry * 1_000 <= now()) {
    await grants.remove(grant)
    throw new RpcError(4100, 'This permission has expired.')
  }
  if (await sessions.isInForce(permissionAccountId(grant), grant.pci, grant.context)) return grant
  await grants.remove(grant)
  throw new RpcError(4100, 'This permission was revoked.')
}

async function recordAndSend(
  { grants, now }: SendByPermissionDependencies,
  grant: Grant,
  opened: OpenSmartAccount,
  { calls }: SendCalls,
): Promise<Hex> {
  const exceeded = () => new RpcError(4100, 'The calls exceed the permission.')
  // Checked before the first network request.
  if (spend(grant.bounds, grant.used, { calls, fee: 0n, now: now() }) === undefined) throw exceeded()
  if (!(await isContractCallAllowed(grant, opened, calls))) throw exceeded()
  const planned = await planOperation(opened, calls)
  const used = spend(grant.bounds, grant.used, { calls, fee: planned.fee, now: now() })
  if (used === undefined) throw exceeded()
  // Counted before sending, because the outcome may stay unknown.
  await grants.add({ ...grant, used })
  try {
    return await sendOperation(opened, calls, planned)
  } catch (error) {
    if (error instanceof RpcError && error.code === -32_000) await grants.add(grant)
    throw error
  }
}

/** Calls of functions with unknown effects are simulated. Their contracts may have become tokens since the grant. */
async function isContractCallAllowed(
  { bounds }: Grant,
  { chain, chainId, account, network }: OpenSmartAccount,
  calls: SendCalls['calls'],
): Promise<boolean> {
  const contracts = bounds.calls.map(({ address }) => address.toLowerCase())
  const called = [...new Set(calls.map(({ to }) => to.toLowerCase()))].filter((to) => contracts.includes(to))
  if (called.length === 0) return true
  const caller = { chain, chainId, account: account.address, native: network.nativeCurrency }
  const isToken = await Promise.all(called.map((to) => isTokenContract(caller, to)))
  return !isToken.includes(true) && hasOnlyDecodedEffects(caller, calls)
}

function unknownPermission(): RpcError {
  return new RpcError(4100, 'This permission is unknown.')
}
