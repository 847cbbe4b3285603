import { isLatchkeyError, type ChainId, type LatchkeyError, isRecord } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { findNetwork } from '../../state/getAccount.ts'
import type { SwapQuoteRequest } from './state.ts'
import { swapError } from './swapError.ts'

/** Converts a refusal of the server to a swap error. */
export function toSwapError(
  latchkey: Pick<Latchkey, 'networks'>,
  { chainId, from, to }: SwapQuoteRequest,
  error: unknown,
  otherwise: 'swap/quote-failed' | 'swap/would-fail' = 'swap/quote-failed',
): unknown {
  if (!isLatchkeyError(error, 'http/status')) return error
  const { description: reason, field } = firstReason(error)
  const pair = { from: from.symbol, to: to.symbol }
  const because = { cause: error }
  if (field === 'exact') return swapError('swap/exact-output-unsupported', pair, because)
  if (/insufficient liquidity/i.test(reason)) return swapError('swap/insufficient-liquidity', pair, because)
  if (/\broute\b/i.test(reason)) return swapError('swap/no-route', pair, because)
  if (/too little received|too much requested|insufficient.output|excessive.input|slippage exceeded/i.test(reason)) {
    return swapError('swap/price-moved', {}, because)
  }
  const { status } = error.context
  if (status === 400 && field === 'chainId') {
    return swapError('swap/unsupported', { network: networkName(latchkey, chainId) }, because)
  }
  const code = status < 500 ? otherwise : 'swap/quote-failed'
  return swapError(code, { reason: reason === '' ? `HTTP ${status}` : reason }, because)
}

/** True if the server does not know the chain. */
export function isUnknownChain(error: unknown): boolean {
  return isLatchkeyError(error, 'http/status') && error.context.status === 400
}

/** Returns the first reason of the server, shortened to one line, because it is untrusted text. */
function firstReason({ cause }: LatchkeyError): { field: string; description: string } {
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

/** Returns the name of a network. */
export function networkName(latchkey: Pick<Latchkey, 'networks'>, chainId: ChainId): string {
  return findNetwork(latchkey, chainId)?.name ?? chainId
}
