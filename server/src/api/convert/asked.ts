import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { isAddressOf } from '../questions.ts'
import type { Hex, RouteSource } from './routeSource.ts'
import type { RouteSources } from './routeSources.ts'

/** An address or asset with its chain, as a question carries it. */
export const caip10 = Type.String({ maxLength: 180 })
/** Base units as a decimal text. */
export const baseUnits = Type.String({ maxLength: 78 })

export type ConvertParts = { chains: readonly Chain[]; sources: RouteSources }

/** A chain that swaps, with what swaps there. */
export type Market = { chain: Chain; source: RouteSource }

/**
 * Reads the id of an account or a token of eip155.
 *
 * @returns its chain, and its address in lower case
 * @throws Problem 400 that names the field.
 */
export function readId(field: string, text: string, chainId?: string): { chainId: string; address: Hex } {
  if (!isAccountId(text)) throw new Problem(400, field, 'This is not a CAIP-10 id.')
  const parts = parseAccountId(text)
  if (parts.namespace !== 'eip155' || !isAddressOf('eip155', parts.address)) {
    throw new Problem(400, field, 'This is not an address of eip155.')
  }
  if (chainId !== undefined && parts.chainId !== chainId) throw new Problem(400, field, 'This is on another chain.')
  return { chainId: parts.chainId, address: `0x${parts.address.slice(2).toLowerCase()}` }
}

/** @throws Problem 400 `chainId` where nothing swaps. */
export function marketOf({ chains, sources }: ConvertParts, chainId: string): Market {
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const source = chain === undefined ? undefined : sources.of(chain)
  if (chain === undefined || source === undefined) {
    throw new Problem(400, 'chainId', 'This chain is not supported here: nothing swaps on it.')
  }
  return { chain, source }
}

/** @throws Problem 400 `amount` when it is none that a contract counts. */
function readAmount(text: string): bigint {
  const amount = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined
  if (amount === undefined) throw new Problem(400, 'amount', 'This is not a whole number of base units.')
  if (amount === 0n) throw new Problem(400, 'amount', 'Nothing comes of nothing: the amount is 0.')
  if (amount >= 2n ** 128n) throw new Problem(400, 'amount', 'There cannot be that much of a token.')
  return amount
}

/** What is swapped into what: two tokens of one chain that swaps. */
export function readPair(
  parts: ConvertParts,
  asked: { from: string; to: string; amount: string },
): Market & { from: Hex; to: Hex; amount: bigint } {
  const from = readId('from', asked.from)
  const to = readId('to', asked.to, from.chainId)
  const market = marketOf(parts, from.chainId)
  if (from.address === to.address) throw new Problem(400, 'to', 'A token is not swapped into itself.')
  return { ...market, from: from.address, to: to.address, amount: readAmount(asked.amount) }
}

/**
 * Asks a chain or a provider.
 *
 * @throws Problem 503 when it does not answer
 */
export async function orUnavailable<value>(
  log: FastifyBaseLogger,
  chain: Chain,
  asking: Promise<value>,
): Promise<value> {
  try {
    return await asking
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    log.warn({ chain: chain.caipNetworkId, reason: cause instanceof Error ? cause.message : '' }, 'no swap')
    throw new Problem(503, 'chainId', 'The chain does not answer.', { cause })
  }
}
