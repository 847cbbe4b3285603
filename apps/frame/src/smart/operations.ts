import { BaseError, type Hex } from 'viem'
import {
  formatUserOperationRequest,
  getUserOperationHash,
  prepareUserOperation,
  type UserOperation,
} from 'viem/account-abstraction'
import type { Call } from '../approve/evm/calls.ts'
import { isHex, read } from '../approve/evm/hex.ts'
import { readRevert, reasonOf } from '../approve/evm/reason.ts'
import type { Chain } from '../chain/chain.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import { encodeCalls, type SmartAccount } from './smartAccount.ts'
import type { SmartClient } from './smartClient.ts'

/** An operation of a smart account, ready to be signed. */
export type Planned = {
  readonly operation: UserOperation<'0.7'>
  /** The most that the account pays for it; nothing where somebody else does. */
  readonly fee: bigint
  readonly isSponsored: boolean
}

export type OperationParts = {
  readonly client: SmartClient
  readonly chain: Chain
  readonly chainId: string
  readonly account: SmartAccount
  /** Whether the network has somebody who pays. */
  readonly sponsored: boolean
}

/** An operation in a block. */
export type Included = {
  readonly hash: Hex
  readonly transactionHash: Hex
  readonly succeeded: boolean
  readonly reason?: string
}

/** How long an operation is waited for, and how often it is asked for, in milliseconds. */
const waiting = { longest: 90_000, pause: 300 } as const
const away = 'The service that sends transactions of smart accounts cannot be reached. Try again in a moment.'

/**
 * Plans an operation: asks what it takes, and whether somebody pays for it.
 *
 * @throws RpcError -32000 with the reason when it would fail or cannot be paid, -32603 when nobody answers
 */
export async function planOperation(parts: OperationParts, calls: readonly Call[]): Promise<Planned> {
  if (!parts.sponsored) return plan(parts, calls, false)
  try {
    return await plan(parts, calls, true)
  } catch (error) {
    // Who does not want to pay is no reason not to act: it is shown what it costs then.
    if (error instanceof RpcError && error.code === refusedByPaymaster) return plan(parts, calls, false)
    throw error
  }
}

/** What this module calls the refusal of a paymaster among the codes of JSON-RPC. */
const refusedByPaymaster = -32_602

async function plan(
  { client, account }: OperationParts,
  calls: readonly Call[],
  isSponsored: boolean,
): Promise<Planned> {
  try {
    const prepared = await prepareUserOperation(client, {
      account,
      callData: encodeCalls(calls),
      ...(isSponsored && { paymaster: true }),
    })
    // The library leaves the account among the parts of the operation.
    const { account: _, ...operation } = prepared
    return { operation, isSponsored, fee: isSponsored ? 0n : costOf(operation) }
  } catch (error) {
    throw failureOf(error)
  }
}

/** The most that an operation may cost whoever pays for it. */
function costOf(operation: UserOperation<'0.7'>): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = operation
  return (callGasLimit + verificationGasLimit + preVerificationGas) * maxFeePerGas
}

/**
 * Signs an operation and sends it, once.
 *
 * @returns its hash, which follows from its content: no bundler can tell another one
 * @throws RpcError -32000 with the reason; -32603 with the hash where nobody knows whether it was taken
 */
export async function sendOperation(parts: OperationParts, calls: readonly Call[], planned: Planned): Promise<Hex> {
  const { client, account, chain, chainId } = parts
  const { operation } = await stillTrue(parts, calls, planned)
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
    await chain.ask(chainId, 'eth_sendUserOperation', params, { of: 'bundler' })
    return hash
  } catch (error) {
    if (error instanceof RpcError && error.code === -32_603) {
      if (await isKnown(parts, hash)) return hash
      const sentence = `The bundler did not answer, and the transaction may have been sent. Look up the operation ${hash} before sending again.`
      throw new RpcError(-32_603, sentence, { cause: error })
    }
    throw failureOf(error)
  }
}

/** An operation that would make the account is of no use once another one has made it. */
async function stillTrue(parts: OperationParts, calls: readonly Call[], planned: Planned): Promise<Planned> {
  if (planned.operation.factory === undefined || !(await parts.account.isDeployed())) return planned
  const again = await plan(parts, calls, planned.isSponsored)
  // Nobody has seen a higher price.
  if (again.fee > planned.fee) throw new RpcError(-32_000, 'The transaction costs more by now. Ask again.')
  return again
}

async function isKnown({ chain, chainId }: OperationParts, hash: Hex): Promise<boolean> {
  const found = await chain
    .ask(chainId, 'eth_getUserOperationByHash', [hash], { of: 'bundler', patience: 5_000 })
    .catch(() => undefined)
  return found !== undefined && found !== null
}

/**
 * Waits until an operation is in a block.
 *
 * @throws RpcError -32603 with its hash when it is not within a minute and a half
 */
export async function untilIncluded(parts: Pick<OperationParts, 'chain' | 'chainId'>, hash: Hex): Promise<Included> {
  const until = performance.now() + waiting.longest
  while (performance.now() < until) {
    const included = await findIncluded(parts, hash).catch(() => undefined)
    if (included !== undefined) return included
    await new Promise((resolve) => setTimeout(resolve, waiting.pause))
  }
  throw new RpcError(-32_603, `The transaction was sent but is in no block yet. Look up the operation ${hash}.`)
}

/**
 * The transaction that an operation is in. It is the bundler's own and a success even where the operation failed: by its
 * hash alone nobody would see that.
 *
 * @throws RpcError -32000 with the reason when the operation failed
 */
export function transactionOf({ hash, transactionHash, succeeded, reason }: Included): Hex {
  if (succeeded) return transactionHash
  const data = { transactionHash, userOperationHash: hash }
  throw new RpcError(-32_000, `The transaction was included and failed: ${reason}`, { data })
}

/** Looks an operation up; undefined while it is in no block. */
async function findIncluded(
  { chain, chainId }: Pick<OperationParts, 'chain' | 'chainId'>,
  hash: Hex,
): Promise<Included | undefined> {
  const receipt = await chain.ask(chainId, 'eth_getUserOperationReceipt', [hash], { of: 'bundler' })
  const transactionHash = read(read(receipt, 'receipt'), 'transactionHash')
  if (!isHex(transactionHash)) return undefined
  const succeeded = read(receipt, 'success') === true
  const reason = read(receipt, 'reason')
  return { hash, transactionHash, succeeded, ...(!succeeded && { reason: readReason(reason) }) }
}

function readReason(reason: unknown): string {
  return readRevert(reason) ?? 'the contract gave no reason'
}

/** What went wrong, in the words of whoever said it: the library's own are long, and hold the whole operation. */
function failureOf(error: unknown): unknown {
  const said = error instanceof BaseError ? error.walk((each) => each instanceof RpcError) : error
  if (!(said instanceof RpcError)) return error
  if (said.code === refusedByPaymaster && /paid/.test(said.message)) return said
  if (said.code === -32_603) return new RpcError(-32_603, away, { cause: said })
  return refusals.reverted(reasonOfOperation(said), said.data)
}

/** Bundlers put the bytes of a revert into their sentence. */
function reasonOfOperation({ message, data }: RpcError): string {
  if (/AA21|didn't pay prefund/.test(message)) return 'the account has less than it sends and pays'
  const [bytes] = /0x[\da-f]{8,}/i.exec(message) ?? []
  return readRevert(bytes) ?? reasonOf({ message, data })
}
