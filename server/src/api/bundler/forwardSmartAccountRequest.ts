import { getField } from '../../kit/runtime/getField.ts'
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { parseChainId } from '@latchkey/protocol'
import type { Chain, SmartAccounts } from '../../kit/chain/chains.ts'
import { Problem } from '../../kit/http/problem.ts'
import { postJsonRpc } from '../../kit/chain/postJsonRpc.ts'
import { type RpcRequest } from '../rpc/rpcPolicy.ts'
import { rpcFailure, isRpcRequest } from '../rpc/rpcResponder.ts'
import type { PaymasterBudget } from './paymasterBudget.ts'
import { getEntryPointVersion, parseUserOperation } from './userOperation.ts'

/** The methods that are forwarded to a bundler. */
const bundlerMethods: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'eth_chainId',
]
/** The methods that are forwarded to a paymaster (ERC-7677). */
const paymasterMethodNames: readonly string[] = ['pm_getPaymasterStubData', 'pm_getPaymasterData']
/** Methods whose second parameter is the entry point. */
const withEntryPoint: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  ...paymasterMethodNames,
]

/** Errors of bundlers that already know an operation. Sending it again counts as success. */
const alreadyKnown = /already (?:known|exists|present|in mempool)|duplicate/i
/** There is no second bundler to try, and simulating an operation takes longer than a read. */
const timeoutMs = 30_000

export type Upstream = 'bundler' | 'paymaster'

/** The chain and service of a request, and the project that pays. */
export type ForwardingContext = {
  readonly chain: Chain
  readonly upstream: Upstream
  readonly project: string
  readonly budget: PaymasterBudget
}

/**
 * Forwards one request to the bundler or paymaster of a chain, once: an operation that is sent twice could be paid
 * twice.
 *
 * @throws Problem 400 `chainId` if the chain has no smart accounts; 503 `chainId` if the upstream is not available
 */
export async function forwardSmartAccountRequest(
  { chain, upstream, project, budget }: ForwardingContext,
  request: unknown,
): Promise<unknown> {
  const { smartAccounts } = chain
  const url = upstream === 'bundler' ? smartAccounts?.bundlerUrl : smartAccounts?.paymasterUrl
  if (smartAccounts === undefined || url === undefined)
    throw new Problem(400, 'chainId', `There is no ${upstream} for this chain.`)
  if (!isRpcRequest(request)) return rpcFailure(null, { code: -32_600, message: 'Invalid Request' })
  const { id, method } = request
  const allowed = upstream === 'bundler' ? bundlerMethods : paymasterMethodNames
  if (!allowed.includes(method)) return rpcFailure(id, { code: -32_601, message: 'Method not found' })
  if (withEntryPoint.includes(method) && !namesEntryPoint(smartAccounts, request))
    return rpcFailure(id, { code: -32_602, message: 'This entry point is not used here.' })
  // Needs no request, and the bundler may be far away.
  if (method === 'eth_chainId') return { id, jsonrpc: '2.0', result: toHexChainId(chain) }
  const refusal =
    method === 'pm_getPaymasterData' ? await refuseOverBudget({ chain, project, budget }, request) : undefined
  if (refusal !== undefined) return refusal
  const response = await postToUpstream(url, upstream, request)
  // Final data at this point would be paid without a budget: the gas limits are unknown.
  if (method === 'pm_getPaymasterStubData' && getField(response, 'result', 'isFinal') === true)
    return createNotPaidResponse(id)
  const known =
    method === 'eth_sendUserOperation' ? findKnownOperationHash(chain, smartAccounts, request, response) : undefined
  return known === undefined ? response : { id, jsonrpc: '2.0', result: known }
}

const defaultBudgets = { user: `${10n ** 17n}`, project: `${10n ** 19n}` } as const

/** Only the final data carries the paymaster's signature, over the gas limits that determine the cost. */
async function refuseOverBudget(
  { chain, project, budget }: Pick<ForwardingContext, 'chain' | 'project' | 'budget'>,
  { id, params }: RpcRequest,
): Promise<unknown> {
  const [sent] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const operation = parseUserOperation(sent)
  if (operation === undefined) return rpcFailure(id, { code: -32_602, message: 'The user operation is invalid.' })
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n, sender } = operation
  const gas =
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    paymasterVerificationGasLimit +
    paymasterPostOpGasLimit
  const cost = { chain: chain.caipNetworkId, project, sender, cost: gas * operation.maxFeePerGas }
  if (await budget.reserve(cost, chain.smartAccounts?.paymasterBudgets ?? defaultBudgets)) return undefined
  return createNotPaidResponse(id)
}

/** Wallets then offer that the account pays for itself. */
function createNotPaidResponse(id: RpcRequest['id']): unknown {
  return rpcFailure(id, { code: -32_602, message: 'This operation is not paid for: the budget of the day is used up.' })
}

async function postToUpstream(url: string, upstream: Upstream, request: RpcRequest): Promise<unknown> {
  try {
    return await postJsonRpc(url, request, AbortSignal.timeout(timeoutMs), { timeoutMs })
  } catch (cause) {
    throw new Problem(503, 'chainId', `The ${upstream} of this chain is not available.`, { cause })
  }
}

function namesEntryPoint({ entryPoint }: SmartAccounts, { params }: RpcRequest): boolean {
  const [, named] = Array.isArray(params) ? (params as readonly unknown[]) : []
  return typeof named === 'string' && named.toLowerCase() === entryPoint.toLowerCase()
}

/** Computes the hash of an operation that the bundler already has. Returns `undefined` for other responses. */
function findKnownOperationHash(
  chain: Chain,
  { entryPoint }: SmartAccounts,
  { params }: RpcRequest,
  reply: unknown,
): string | undefined {
  const message = getField(reply, 'error', 'message')
  if (typeof message !== 'string' || !alreadyKnown.test(message)) return undefined
  const [sent] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const userOperation = parseUserOperation(sent)
  const entryPointVersion = getEntryPointVersion(entryPoint)
  if (userOperation === undefined || entryPointVersion === undefined) return undefined
  const { reference } = parseChainId(chain.caipNetworkId)
  return getUserOperationHash({
    chainId: Number(reference),
    // The pattern of the configuration is that of the type.
    entryPointAddress: entryPoint as `0x${string}`,
    entryPointVersion,
    userOperation: userOperation as UserOperation<typeof entryPointVersion>,
  })
}

function toHexChainId({ caipNetworkId }: Chain): string {
  return `0x${BigInt(parseChainId(caipNetworkId).reference).toString(16)}`
}
