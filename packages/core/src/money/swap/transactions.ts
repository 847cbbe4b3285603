import {
  parseChainId,
  type ChainId,
  type ConvertTransactionRequest,
  type Namespace,
  isRecord,
} from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { accountOn, isHex, invalidResponse, readUnits } from './responses.ts'
import { toSwapError } from './toSwapError.ts'
import { swapError } from './swapError.ts'
import type { SwapQuote } from './state.ts'

/** A parsed transaction from the server, not verified yet. */
export type BuiltTransaction = {
  readonly from: string
  readonly to: string
  readonly data: `0x${string}`
  readonly value: bigint
  /** The gas limit with a margin, if the server reports it. */
  readonly gas: bigint | undefined
  /** The maximum given, if the server reports it. */
  readonly maximum: bigint | undefined
  /** The minimum received, if the server reports it. */
  readonly minimum: bigint | undefined
}

/**
 * Fetches the allowance of the swap contract for a token.
 *
 * @throws LatchkeyError `swap/allowance-failed`.
 */
export async function fetchAllowance(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  { request, spender }: SwapQuote,
): Promise<bigint> {
  const { account, chainId, from } = request
  const query = { tokenAddress: from.id, userAddress: accountOn(account, chainId), spenderAddress: spender }
  try {
    const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/allowance', query))
    const allowance = isRecord(response) ? readUnits(response['allowance']) : undefined
    if (allowance !== undefined) return allowance
    throw invalidResponse('allowances')
  } catch (cause) {
    throw swapError('swap/allowance-failed', { symbol: from.symbol }, { cause })
  }
}

/**
 * Builds the swap transaction.
 *
 * @param isAllowed true if the allowance suffices; only then can the server simulate the swap
 * @throws LatchkeyError `swap/would-fail`, and the errors of `fetchSwapQuote`
 */
export async function buildSwap(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  quote: SwapQuote,
  slippage: number,
  isAllowed: boolean,
): Promise<BuiltTransaction> {
  const { request, id } = quote
  const { account, chainId, from, to, amount, exact } = request
  const body: Omit<ConvertTransactionRequest, Namespace> & Record<string, unknown> = {
    projectId: latchkey.internal.settings.projectId,
    amount: String(amount),
    from: from.id,
    to: to.id,
    userAddress: accountOn(account, chainId),
    ...(exact === 'to' && { exact: 'output' }),
    // Parameters of a single namespace are nested under its name.
    [parseChainId(chainId).namespace]: { slippage },
    disableEstimate: !isAllowed,
    quoteId: id,
  }
  const url = serverUrl(latchkey, '/v1/convert/build-transaction')
  const response = await fetchJson(latchkey, url, undefined, body).catch((error: unknown) => {
    throw toSwapError(latchkey, request, error, 'swap/would-fail')
  })
  return parseBuiltTransaction(response, chainId, 'amount')
}

/**
 * Builds the approval transaction.
 *
 * @param amount the maximum given, in base units
 * @throws LatchkeyError the errors of `fetchSwapQuote`
 */
export async function buildApproval(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  { request, spender }: SwapQuote,
  amount: bigint,
): Promise<BuiltTransaction> {
  const { account, chainId, from } = request
  const query = { from: from.id, to: spender, amount: String(amount), userAddress: accountOn(account, chainId) }
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/build-approve', query)).catch(
    (error: unknown) => {
      throw toSwapError(latchkey, request, error)
    },
  )
  return parseBuiltTransaction(response, chainId, 'value')
}

function parseBuiltTransaction(response: unknown, chainId: ChainId, valueName: 'amount' | 'value'): BuiltTransaction {
  const tx = isRecord(response) ? response['tx'] : undefined
  if (!isRecord(tx)) throw invalidResponse('transactions')
  const { from, to, data } = tx
  const value = readUnits(tx[valueName] ?? '0')
  if (typeof from !== 'string' || typeof to !== 'string' || value === undefined || !isHex(data)) {
    throw invalidResponse('transactions')
  }
  const own = tx[parseChainId(chainId).namespace]
  const gas = isRecord(own) ? readUnits(own['gas']) : undefined
  return { from, to, data, value, gas, maximum: readUnits(tx['maximum']), minimum: readUnits(tx['minimum']) }
}
