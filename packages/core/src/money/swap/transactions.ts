import { parseChainId, type ChainId, type ConvertTransactionQuestion, type Namespace } from '@latchkey/protocol'
import { isRecord } from '../../isRecord.ts'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { accountOn, isHex, nonsense, readUnits } from './answers.ts'
import { understand } from './refusals.ts'
import { swapError } from './swapError.ts'
import type { SwapQuote } from './state.ts'

/** A transaction as the server built it, read and not yet checked. */
export type BuiltTransaction = {
  readonly from: string
  readonly to: string
  readonly data: `0x${string}`
  readonly value: bigint
  /** What it takes with something in hand, where the server says it. */
  readonly gas: bigint | undefined
  /** The least that it gives, where the server says it. */
  readonly minimum: bigint | undefined
}

/**
 * How much of a token the exchange may take.
 *
 * @throws LatchkeyError `swap/allowance-failed`.
 */
export async function askAllowance(latchkey: Latchkey, { question, spender }: SwapQuote): Promise<bigint> {
  const { account, chainId, from } = question
  const query = { tokenAddress: from.id, userAddress: accountOn(account, chainId), spenderAddress: spender }
  try {
    const answer = await ask(latchkey, serverUrl(latchkey, '/v1/convert/allowance', query))
    const allowance = isRecord(answer) ? readUnits(answer['allowance']) : undefined
    if (allowance !== undefined) return allowance
    throw nonsense('allowances')
  } catch (cause) {
    throw swapError('swap/allowance-failed', { symbol: from.symbol }, { cause })
  }
}

/**
 * The transaction that swaps.
 *
 * @param isAllowed whether the exchange may take the token already: only then can it be tried without sending it
 * @throws LatchkeyError `swap/would-fail`, and what `askQuote` throws.
 */
export async function buildSwap(
  latchkey: Latchkey,
  quote: SwapQuote,
  slippage: number,
  isAllowed: boolean,
): Promise<BuiltTransaction> {
  const { question, id } = quote
  const { account, chainId, from, to, amount } = question
  const body: Omit<ConvertTransactionQuestion, Namespace> & Record<string, unknown> = {
    projectId: latchkey.settings.projectId,
    amount: String(amount),
    from: from.id,
    to: to.id,
    userAddress: accountOn(account, chainId),
    // What only one family of chains needs stands under its name.
    [parseChainId(chainId).namespace]: { slippage },
    disableEstimate: !isAllowed,
    quoteId: id,
  }
  const url = serverUrl(latchkey, '/v1/convert/build-transaction')
  const answer = await ask(latchkey, url, undefined, body).catch((error: unknown) => {
    throw understand(latchkey, question, error, 'swap/would-fail')
  })
  return readTransaction(answer, chainId, 'amount')
}

/**
 * The transaction that allows the exchange to take what is given.
 *
 * @throws LatchkeyError what `askQuote` throws.
 */
export async function buildApproval(latchkey: Latchkey, { question, spender }: SwapQuote): Promise<BuiltTransaction> {
  const { account, chainId, from, amount } = question
  const query = { from: from.id, to: spender, amount: String(amount), userAddress: accountOn(account, chainId) }
  const answer = await ask(latchkey, serverUrl(latchkey, '/v1/convert/build-approve', query)).catch(
    (error: unknown) => {
      throw understand(latchkey, question, error)
    },
  )
  return readTransaction(answer, chainId, 'value')
}

function readTransaction(answer: unknown, chainId: ChainId, valueName: 'amount' | 'value'): BuiltTransaction {
  const tx = isRecord(answer) ? answer['tx'] : undefined
  if (!isRecord(tx)) throw nonsense('transactions')
  const { from, to, data } = tx
  const value = readUnits(tx[valueName] ?? '0')
  if (typeof from !== 'string' || typeof to !== 'string' || value === undefined || !isHex(data)) {
    throw nonsense('transactions')
  }
  const own = tx[parseChainId(chainId).namespace]
  const gas = isRecord(own) ? readUnits(own['gas']) : undefined
  return { from, to, data, value, gas, minimum: readUnits(tx['minimum']) }
}
