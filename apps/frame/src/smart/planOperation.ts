import { BaseError, type Hex } from 'viem'
import {
  formatUserOperationRequest,
  getUserOperationHash,
  prepareUserOperation,
  type UserOperation,
} from 'viem/account-abstraction'
import type { Call } from '../approve/evm/describeCall.ts'
import { isHex } from '../approve/evm/parseQuantity.ts'
import { parseRevert, revertReason } from '../approve/evm/revertReason.ts'
import type { Chain } from '../chain/chain.ts'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import { encodeCalls, type SmartAccount } from './smartAccount.ts'
import type { SmartClient } from './smartClient.ts'
import { getMember } from '../platform/getMember.ts'

/** A user operation of a smart account, ready to be signed. */
export type PlannedOperation = {
  readonly operation: UserOperation<'0.7'>
  /** Maximum fee that the account pays. Zero if the operation is sponsored. */
  readonly fee: bigint
  readonly isSponsored: boolean
}

export type OperationDependencies = {
  readonly client: SmartClient
  readonly chain: Chain
  readonly chainId: string
  readonly account: SmartAccount
  /** True if the network has a paymaster. */
  readonly sponsored: boolean
}

/** A user operation in a block. */
export type IncludedOperation = {
  readonly hash: Hex
  readonly transactionHash: Hex
  readonly succeeded: boolean
  readonly reason?: string
}

/** Timeout and interval of the wait, in milliseconds. */
const inclusionWait = { longest: 90_000, pause: 300 } as const
const away = 'The service that sends transactions of smart accounts cannot be reached. Try again in a moment.'

/**
 * Plans an operation: estimates its gas and asks the paymaster to sponsor it.
 *
 * @throws RpcError -32000 with the reason if it would fail or can't be paid, -32603 without a response
 */
export async function planOperation(
  dependencies: OperationDependencies,
  calls: readonly Call[],
): Promise<PlannedOperation> {
  if (!dependencies.sponsored) return plan(dependencies, calls, false)
  try {
    return await plan(dependencies, calls, true)
  } catch (error) {
    // Without a sponsor, the user sees the fee and decides.
    if (error instanceof RpcError && error.code === refusedByPaymaster) return plan(dependencies, calls, false)
    throw error
  }
}

/** JSON-RPC code of a paymaster's refusal. */
const refusedByPaymaster = -32_602

async function plan(
  { client, account }: OperationDependencies,
  calls: readonly Call[],
  isSponsored: boolean,
): Promise<PlannedOperation> {
  try {
    const prepared = await prepareUserOperation(client, {
      account,
      callData: encodeCalls(calls),
      ...(isSponsored && { paymaster: true }),
    })
    // The library adds the account to the operation.
    const { account: _, ...operation } = prepared
    return { operation, isSponsored, fee: isSponsored ? 0n : costOf(operation) }
  } catch (error) {
    throw toOperationError(error)
  }
}

/** Returns the maximum cost of an operation. */
function costOf(operation: UserOperation<'0.7'>): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = operation
  return (callGasLimit + verificationGasLimit + preVerificationGas) * maxFeePerGas
}

/**
 * Signs an operation and sends it once.
 *
 * @returns the hash, computed locally: no bundler can report another one
 * @throws RpcError -32000 with the reason; -32603 with the hash if the outcome is unknown
 */
export async function sendOperation(
  dependencies: OperationDependencies,
  calls: readonly Call[],
  planned: PlannedOperation,
): Promise<Hex> {
  const { client, account, chain, chainId } = dependencies
  const { operation } = await refreshIfDeployed(dependencies, calls, planned)
  const signed = { ...operation, signature: await account.signUserOperation(operation) }
  const { address: entryPointAddress } = account.entryPoint
  const hash = getUserOperationHash({
    chainId: client.chain.id,
    entryPointAddress,
    entryPointVersion: '0.7',
    userOperation: signed,
  })
  try {
    const params = [formatUserOperationRequest(signed), entryPointAddress]
    await chain.request(chainId, 'eth_sendUserOperation', params, { of: 'bundler' })
    return hash
  } catch (error) {
    if (error instanceof RpcError && error.code === -32_603) {
      if (await isKnown(dependencies, hash)) return hash
      const sentence = `The bundler did not respond, and the transaction may have been sent. Look up the operation ${hash} before sending again.`
      throw new RpcError(-32_603, sentence, { cause: error })
    }
    throw toOperationError(error)
  }
}

/** An operation that creates the account is invalid once another one has created it. */
async function refreshIfDeployed(
  dependencies: OperationDependencies,
  calls: readonly Call[],
  planned: PlannedOperation,
): Promise<PlannedOperation> {
  if (planned.operation.factory === undefined || !(await dependencies.account.isDeployed())) return planned
  const again = await plan(dependencies, calls, planned.isSponsored)
  // The user approved the lower price.
  if (again.fee > planned.fee) throw new RpcError(-32_000, 'The transaction costs more than before. Try again.')
  return again
}

async function isKnown({ chain, chainId }: OperationDependencies, hash: Hex): Promise<boolean> {
  const found = await chain
    .request(chainId, 'eth_getUserOperationByHash', [hash], { of: 'bundler', timeoutMs: 5_000 })
    .catch(() => undefined)
  return found !== undefined && found !== null
}

/**
 * Waits until an operation is in a block.
 *
 * @throws RpcError -32603 with the hash after a minute and a half
 */
export async function waitForInclusion(
  dependencies: Pick<OperationDependencies, 'chain' | 'chainId'>,
  hash: Hex,
): Promise<IncludedOperation> {
  const until = performance.now() + inclusionWait.longest
  while (performance.now() < until) {
    const included = await findIncluded(dependencies, hash).catch(() => undefined)
    if (included !== undefined) return included
    await new Promise((resolve) => setTimeout(resolve, inclusionWait.pause))
  }
  throw new RpcError(-32_603, `The transaction was sent but is not in a block yet. Look up the operation ${hash}.`)
}

/**
 * Returns the transaction of an operation. It belongs to the bundler and succeeds even if the operation failed, so its
 * hash alone would hide the failure.
 *
 * @throws RpcError -32000 with the reason if the operation failed
 */
export function transactionOf({ hash, transactionHash, succeeded, reason }: IncludedOperation): Hex {
  if (succeeded) return transactionHash
  const data = { transactionHash, userOperationHash: hash }
  throw new RpcError(-32_000, `The transaction was included and failed: ${reason}`, { data })
}

/** Looks up an operation. Returns `undefined` while it is in no block. */
async function findIncluded(
  { chain, chainId }: Pick<OperationDependencies, 'chain' | 'chainId'>,
  hash: Hex,
): Promise<IncludedOperation | undefined> {
  const receipt = await chain.request(chainId, 'eth_getUserOperationReceipt', [hash], { of: 'bundler' })
  const transactionHash = getMember(getMember(receipt, 'receipt'), 'transactionHash')
  if (!isHex(transactionHash)) return undefined
  const succeeded = getMember(receipt, 'success') === true
  const reason = getMember(receipt, 'reason')
  return { hash, transactionHash, succeeded, ...(!succeeded && { reason: readReason(reason) }) }
}

function readReason(reason: unknown): string {
  return parseRevert(reason) ?? 'the contract gave no reason'
}

/** Returns the original error. The library's message contains the whole operation. */
function toOperationError(error: unknown): unknown {
  const rpcError = error instanceof BaseError ? error.walk((each) => each instanceof RpcError) : error
  if (!(rpcError instanceof RpcError)) return error
  if (rpcError.code === refusedByPaymaster && /paid/.test(rpcError.message)) return rpcError
  if (rpcError.code === -32_603) return new RpcError(-32_603, away, { cause: rpcError })
  return rpcErrors.reverted(reasonOfOperation(rpcError), rpcError.data)
}

/** Bundlers put the revert data into their message. */
function reasonOfOperation({ message, data }: RpcError): string {
  if (/AA21|didn't pay prefund/.test(message)) return 'the balance is insufficient for the amount and the fee'
  const [bytes] = /0x[\da-f]{8,}/i.exec(message) ?? []
  return parseRevert(bytes) ?? revertReason({ message, data })
}
