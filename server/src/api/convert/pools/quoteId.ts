import { Problem } from '../../../kit/problem.ts'
import type { Hex, SwapQuestion } from '../routeSource.ts'
import type { Leg } from './leg.ts'

/** What a quote was: the way, what it gave, and when. */
export type Quoted = SwapQuestion & {
  received: bigint
  legs: readonly Leg[]
  block: bigint
  /** Seconds since 1970. */
  at: number
}

const legsLimit = 2
const address = /^0x[0-9a-f]{40}$/
const digits = /^\d{1,78}$/

/** Writes a quote as its own id, so that any process of the server can build what it says. */
export function writeQuoteId({ from, to, amount, received, legs, block, at }: Quoted): string {
  const way = legs.map(({ kind, fee, tokenOut }) => [kind, fee, tokenOut])
  const [first] = legs
  const parts = [from, to, String(amount), String(received), String(block), at, first?.tokenIn ?? from, way]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * Reads an id. It binds nobody but whoever sends it: a wrong one builds a swap that the exchange refuses, or one that its
 * sender may as well have written himself.
 *
 * @throws Problem 400 `quoteId`
 */
export function readQuoteId(id: string): Quoted {
  const parts: unknown = parse(id)
  if (!Array.isArray(parts) || parts.length !== 8) throw notAnId()
  const [from, to, amount, received, block, at, start, way] = parts as unknown[]
  if (!isAddress(from) || !isAddress(to) || !isAddress(start) || !Array.isArray(way)) throw notAnId()
  if (![amount, received, block].every(isDigits) || !Number.isSafeInteger(at)) throw notAnId()
  if (way.length > legsLimit) throw notAnId()
  let tokenIn = start
  const legs = (way as unknown[]).map((step): Leg => {
    if (!Array.isArray(step)) throw notAnId()
    const [kind, fee, tokenOut] = step as unknown[]
    if ((kind !== 'v2' && kind !== 'v3') || !isFee(fee) || !isAddress(tokenOut)) throw notAnId()
    const leg = { kind, fee, tokenIn, tokenOut } as const
    tokenIn = tokenOut
    return leg
  })
  return {
    from,
    to,
    amount: BigInt(String(amount)),
    received: BigInt(String(received)),
    block: BigInt(String(block)),
    at: Number(at),
    legs,
  }
}

function parse(id: string): unknown {
  try {
    return JSON.parse(Buffer.from(id, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const notAnId = (): Problem => new Problem(400, 'quoteId', 'This is not the id of a quote.')

function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && address.test(value)
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && digits.test(value)
}

function isFee(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1_000_000
}
