import { isLatchkeyError, type ChainId, type LatchkeyError } from '@latchkey/protocol'
import { isRecord } from '../../isRecord.ts'
import type { Latchkey } from '../../latchkey.ts'
import { findNetwork } from '../../state/wallet.ts'
import type { SwapQuestion } from './state.ts'
import { swapError } from './swapError.ts'

/** What a refusal of the server means for a swap. */
export function understand(
  latchkey: Latchkey,
  { chainId, from, to }: SwapQuestion,
  error: unknown,
  otherwise: 'swap/quote-failed' | 'swap/would-fail' = 'swap/quote-failed',
): unknown {
  if (!isLatchkeyError(error, 'http/status')) return error
  const { description: reason, field } = reasonOf(error)
  const pair = { from: from.symbol, to: to.symbol }
  const because = { cause: error }
  if (/insufficient liquidity/i.test(reason)) return swapError('swap/insufficient-liquidity', pair, because)
  if (/\broute\b/i.test(reason)) return swapError('swap/no-route', pair, because)
  if (/too little received|insufficient.output|slippage exceeded/i.test(reason)) {
    return swapError('swap/price-moved', {}, because)
  }
  const { status } = error.context
  if (status === 400 && field === 'chainId') {
    return swapError('swap/unsupported', { network: nameOf(latchkey, chainId) }, because)
  }
  const code = status < 500 ? otherwise : 'swap/quote-failed'
  return swapError(code, { reason: reason === '' ? `HTTP ${status}` : reason }, because)
}

/** Whether the server does not know the chain. */
export function isUnknownChain(error: unknown): boolean {
  return isLatchkeyError(error, 'http/status') && error.context.status === 400
}

/** The first reason that the server gave, made short and kept to one line: anybody may have written it. */
function reasonOf({ cause }: LatchkeyError): { field: string; description: string } {
  const [reason] = isRecord(cause) && Array.isArray(cause['reasons']) ? cause['reasons'] : []
  const said = (name: string): string => (isRecord(reason) && typeof reason[name] === 'string' ? reason[name] : '')
  const description =
    said('description') || (isRecord(cause) && typeof cause['message'] === 'string' ? cause['message'] : '')
  return {
    field: said('field'),
    description: description
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
      .slice(0, 200),
  }
}

/** What a network is called. */
export function nameOf(latchkey: Latchkey, chainId: ChainId): string {
  return findNetwork(latchkey, chainId)?.name ?? chainId
}
