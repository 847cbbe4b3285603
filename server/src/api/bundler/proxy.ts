import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { parseChainId } from '@latchkey/protocol'
import type { Chain, SmartAccounts } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { askEndpoint } from '../../kit/rpc.ts'
import { read, type RpcRequest } from '../rpc/allowance.ts'
import { failure, isRequest } from '../rpc/answering.ts'
import { entryPointVersionOf, readOperation } from './operation.ts'

/** What may be asked of a bundler. */
const bundlerMethods: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'eth_chainId',
]
/** What may be asked of a paymaster (ERC-7677). */
const paymasterMethodNames: readonly string[] = ['pm_getPaymasterStubData', 'pm_getPaymasterData']
/** The ones that name the entry point after the operation. */
const withEntryPoint: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  ...paymasterMethodNames,
]

/** How bundlers say that they have an operation already, which whoever sends it again wants to hear as a success. */
const alreadyKnown = /already (?:known|exists|present|in mempool)|duplicate/i
/** Nobody else could be asked, and simulating an operation takes a bundler longer than a node takes to read. */
const patience = 30_000

export type Upstream = 'bundler' | 'paymaster'

/**
 * Passes one request on to a chain's bundler or paymaster, once: an operation that is sent twice could be paid twice.
 *
 * @throws Problem 400 `chainId` where there are no smart accounts; 503 `chainId` when nobody answers
 */
export async function askSmart(chain: Chain, upstream: Upstream, request: unknown): Promise<unknown> {
  const { smartAccounts } = chain
  const url = upstream === 'bundler' ? smartAccounts?.bundlerUrl : smartAccounts?.paymasterUrl
  if (smartAccounts === undefined || url === undefined)
    throw new Problem(400, 'chainId', `There is no ${upstream} for this chain.`)
  if (!isRequest(request)) return failure(null, { code: -32_600, message: 'Invalid Request' })
  const { id, method } = request
  const allowed = upstream === 'bundler' ? bundlerMethods : paymasterMethodNames
  if (!allowed.includes(method)) return failure(id, { code: -32_601, message: 'Method not found' })
  if (withEntryPoint.includes(method) && !namesEntryPoint(smartAccounts, request))
    return failure(id, { code: -32_602, message: 'This entry point is not used here.' })
  // Known without asking, and the bundler may be far away.
  if (method === 'eth_chainId') return { id, jsonrpc: '2.0', result: chainIdOf(chain) }
  const answer = await ask(url, upstream, request)
  const known = method === 'eth_sendUserOperation' ? knownHash(chain, smartAccounts, request, answer) : undefined
  return known === undefined ? answer : { id, jsonrpc: '2.0', result: known }
}

async function ask(url: string, upstream: Upstream, request: RpcRequest): Promise<unknown> {
  try {
    return await askEndpoint(url, request, AbortSignal.timeout(patience), patience)
  } catch (cause) {
    throw new Problem(503, 'chainId', `The ${upstream} of this chain does not answer.`, { cause })
  }
}

function namesEntryPoint({ entryPoint }: SmartAccounts, { params }: RpcRequest): boolean {
  const [, named] = Array.isArray(params) ? (params as readonly unknown[]) : []
  return typeof named === 'string' && named.toLowerCase() === entryPoint.toLowerCase()
}

/** The hash of an operation that the bundler has already; undefined when it said something else. */
function knownHash(
  chain: Chain,
  { entryPoint }: SmartAccounts,
  { params }: RpcRequest,
  answer: unknown,
): string | undefined {
  const message = read(read(answer, 'error'), 'message')
  if (typeof message !== 'string' || !alreadyKnown.test(message)) return undefined
  const [sent] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const userOperation = readOperation(sent)
  const entryPointVersion = entryPointVersionOf(entryPoint)
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

function chainIdOf({ caipNetworkId }: Chain): string {
  return `0x${BigInt(parseChainId(caipNetworkId).reference).toString(16)}`
}
