import type { Hex } from 'viem'
import type { ApprovalContext } from '../../approve/approval.ts'
import { askedOf } from '../../approve/asked.ts'
import { read } from '../../approve/evm/hex.ts'
import { RpcError } from '../../chain/rpcError.ts'
import type { FrameConfig } from '../../config.ts'
import type { FrameRpcRequest } from '@latchkey/protocol'
import type { CallsBook } from '../callsBook.ts'
import type { Opened } from '../openAccount.ts'
import { planOperation, sendOperation } from '../operations.ts'
import { readSendCalls, type SendCalls } from '../sendCalls.ts'
import type { Grant } from './grants.ts'
import { accountIdOf, type PermissionParts } from './readers.ts'
import { spend } from './spend.ts'
import { isSame } from './terms.ts'

export type WithoutAskingParts = PermissionParts & {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly book: CallsBook
  /** Milliseconds since the epoch. */
  now(): number
}

/** Whether a request refers to a permission: then it is done by that, or not at all. */
export function namesPermission({ method, params }: FrameRpcRequest): boolean {
  const capabilities = read(read(params, 0), 'capabilities')
  return method === 'wallet_sendCalls' && read(read(capabilities, 'permissions'), 'context') !== undefined
}

/**
 * Carries out calls that a permission allows, without asking. The network knows nothing of the permission: this wallet
 * keeps its bounds, and asks the list before each use whether it is still in force.
 *
 * @throws RpcError 4100 for a permission that is unknown, over or revoked, and for calls outside of its bounds
 */
export async function sendByPermission(
  parts: WithoutAskingParts,
  request: FrameRpcRequest,
  context: ApprovalContext,
): Promise<unknown> {
  const { accounts, grants, book, config } = parts
  const asked = askedOf(request, context, config.networks)
  const wanted = readSendCalls(asked)
  await book.mustBeNew(asked.origin, wanted.id)
  const opened = await accounts.ofRequest(asked, wanted.from)
  if (opened === undefined) throw unknown()
  const hash = await grants.alone(async () => {
    const grant = await grantFor(parts, wanted, opened, asked.origin)
    return spendAndSend(parts, grant, opened, wanted)
  })
  return book.note(asked, hash, wanted.id)
}

async function grantFor(
  { grants, sessions, now }: WithoutAskingParts,
  { permission = '0x', chainId }: SendCalls,
  { account, chainId: here }: Opened,
  origin: string,
): Promise<Grant> {
  const grant = await grants.find(permission)
  // Whether it exists for somebody else is nobody's business.
  if (grant === undefined || grant.origin !== origin) throw unknown()
  if (grant.chainId !== here || (chainId !== undefined && chainId !== here) || !isSame(grant.account, account.address))
    throw new RpcError(4100, 'This permission is for another account or network.')
  if (grant.expiry * 1_000 <= now()) {
    await grants.remove(grant)
    throw new RpcError(4100, 'This permission is over.')
  }
  if (await sessions.isInForce(accountIdOf(grant), grant.pci, grant.context)) return grant
  await grants.remove(grant)
  throw new RpcError(4100, 'This permission was revoked.')
}

async function spendAndSend(
  { grants, now }: WithoutAskingParts,
  grant: Grant,
  opened: Opened,
  { calls }: SendCalls,
): Promise<Hex> {
  const outside = () => new RpcError(4100, 'This is outside of what the permission allows.')
  // Before anybody is asked what it would cost.
  if (spend(grant.bounds, grant.used, { calls, fee: 0n, now: now() }) === undefined) throw outside()
  const planned = await planOperation(opened, calls)
  const used = spend(grant.bounds, grant.used, { calls, fee: planned.fee, now: now() })
  if (used === undefined) throw outside()
  // Counted before it is sent: what nobody knows to have been sent may have been.
  await grants.add({ ...grant, used })
  try {
    return await sendOperation(opened, calls, planned)
  } catch (error) {
    if (error instanceof RpcError && error.code === -32_000) await grants.add(grant)
    throw error
  }
}

function unknown(): RpcError {
  return new RpcError(4100, 'This permission is not known here.')
}
