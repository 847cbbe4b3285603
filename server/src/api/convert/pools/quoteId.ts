import { Problem } from '../../../kit/http/problem.ts'
import type { ExactSide, Hex } from '../routeSource.ts'
import type { Leg } from './leg.ts'

/** The content of a quote: its route, its result and its time. */
export type QuoteContent = {
  from: Hex
  to: Hex
  exact: ExactSide
  sold: bigint
  received: bigint
  legs: readonly Leg[]
  block: bigint
  /** Seconds since 1970. */
  at: number
}

const legsLimit = 2
const address = /^0x[0-9a-f]{40}$/
const digits = /^\d{1,78}$/

/** Encodes a quote as its own id, so that any process of the server can build it. */
export function formatQuoteId({ from, to, exact, sold, received, legs, block, at }: QuoteContent): string {
  const hops = legs.map(({ kind, fee, tokenOut }) => [kind, fee, tokenOut])
  const [first] = legs
  const fields = [from, to, String(sold), String(received), String(block), at, first?.tokenIn ?? from, hops]
  // Ids of exact inputs stay as they were, because older processes of the server may parse them during an update.
  return Buffer.from(JSON.stringify(exact === 'output' ? [...fields, exact] : fields)).toString('base64url')
}

/**
 * Parses a quote id. A forged id harms only its sender: the exchange rejects the swap that is built from it.
 *
 * @throws Problem 400 `quoteId`
 */
export function parseQuoteId(id: string): QuoteContent {
  const fields: unknown = decodeQuoteJson(id)
  if (!Array.isArray(fields) || fields.length < 8 || fields.length > 9) throw invalidQuoteIdProblem()
  const [from, to, sold, received, block, at, start, hops, exact = 'input'] = fields as unknown[]
  if (exact !== 'output' && exact !== 'input') throw invalidQuoteIdProblem()
  if (!isAddress(from) || !isAddress(to) || !isAddress(start) || !Array.isArray(hops)) throw invalidQuoteIdProblem()
  if (![sold, received, block].every(isDigits) || !Number.isSafeInteger(at)) throw invalidQuoteIdProblem()
  if (hops.length > legsLimit) throw invalidQuoteIdProblem()
  let tokenIn = start
  const legs = (hops as unknown[]).map((step): Leg => {
    if (!Array.isArray(step)) throw invalidQuoteIdProblem()
    const [kind, fee, tokenOut] = step as unknown[]
    if ((kind !== 'v2' && kind !== 'v3') || !isFee(fee) || !isAddress(tokenOut)) throw invalidQuoteIdProblem()
    const leg = { kind, fee, tokenIn, tokenOut } as const
    tokenIn = tokenOut
    return leg
  })
  return {
    from,
    to,
    exact,
    sold: BigInt(String(sold)),
    received: BigInt(String(received)),
    block: BigInt(String(block)),
    at: Number(at),
    legs,
  }
}

function decodeQuoteJson(id: string): unknown {
  try {
    return JSON.parse(Buffer.from(id, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const invalidQuoteIdProblem = (): Problem => new Problem(400, 'quoteId', 'This is not a quote id.')

function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && address.test(value)
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && digits.test(value)
}

function isFee(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1_000_000
}
