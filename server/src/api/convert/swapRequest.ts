import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chain/chains.ts'
import { Problem } from '../../kit/http/problem.ts'
import { isNamespaceAddress } from '../http/commonQuery.ts'
import type { ExactSide, Hex, RouteSource } from './routeSource.ts'
import type { RouteSources } from './routeSources.ts'

/** A CAIP-10 id of an account or token. */
export const accountIdSchema = Type.String({ maxLength: 180 })
/** Base units as a decimal string. */
export const baseUnitsSchema = Type.String({ maxLength: 78 })
/** The side that an amount counts. */
export const exactSchema = Type.Unsafe<ExactSide>({
  type: 'string',
  enum: ['input', 'output'],
  description: 'The side that amount counts: the token to sell (input, the default) or the token to receive (output).',
})

export type ConvertDependencies = { chains: readonly Chain[]; sources: RouteSources }

/** A chain with its route source. */
export type SwapMarket = { chain: Chain; source: RouteSource }

/**
 * Parses the CAIP-10 id of an EVM account or token.
 *
 * @returns its chain, and its address in lower case
 * @throws Problem 400 that names the field
 */
export function parseEvmAccountId(field: string, text: string, chainId?: string): { chainId: string; address: Hex } {
  if (!isAccountId(text)) throw new Problem(400, field, 'This is not a CAIP-10 id.')
  const dependencies = parseAccountId(text)
  if (dependencies.namespace !== 'eip155' || !isNamespaceAddress('eip155', dependencies.address)) {
    throw new Problem(400, field, 'This is not an eip155 address.')
  }
  if (chainId !== undefined && dependencies.chainId !== chainId)
    throw new Problem(400, field, 'This is on a different chain.')
  return { chainId: dependencies.chainId, address: `0x${dependencies.address.slice(2).toLowerCase()}` }
}

/** @throws Problem 400 `chainId` if the chain has no swaps */
export function getSwapMarket({ chains, sources }: ConvertDependencies, chainId: string): SwapMarket {
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const source = chain === undefined ? undefined : sources.of(chain)
  if (chain === undefined || source === undefined) {
    throw new Problem(400, 'chainId', 'Swaps are not supported on this chain.')
  }
  return { chain, source }
}

/** @throws Problem 400 `amount` */
function parseSwapAmount(text: string): bigint {
  const amount = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined
  if (amount === undefined) throw new Problem(400, 'amount', 'This is not a whole number of base units.')
  if (amount === 0n) throw new Problem(400, 'amount', 'The amount must be greater than 0.')
  if (amount >= 2n ** 128n) throw new Problem(400, 'amount', 'The amount is too large.')
  return amount
}

/** Parses two tokens of one chain and an amount. */
export function parseSwapRequest(
  dependencies: ConvertDependencies,
  request: { from: string; to: string; amount: string; exact?: ExactSide },
): SwapMarket & { from: Hex; to: Hex; amount: bigint; exact: ExactSide } {
  const from = parseEvmAccountId('from', request.from)
  const to = parseEvmAccountId('to', request.to, from.chainId)
  const market = getSwapMarket(dependencies, from.chainId)
  if (from.address === to.address) throw new Problem(400, 'to', 'Choose two different tokens.')
  const { exact = 'input' } = request
  if (exact === 'output' && !market.source.quotesOutput) {
    throw new Problem(400, 'exact', 'The exchange of this chain quotes amounts to sell only.')
  }
  return { ...market, from: from.address, to: to.address, amount: parseSwapAmount(request.amount), exact }
}

/**
 * Waits for a chain or a provider.
 *
 * @throws Problem 503 if it is not available
 */
export async function wrapUnavailable<value>(
  log: FastifyBaseLogger,
  chain: Chain,
  request: Promise<value>,
): Promise<value> {
  try {
    return await request
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    log.warn({ chain: chain.caipNetworkId, reason: cause instanceof Error ? cause.message : '' }, 'no swap')
    throw new Problem(503, 'chainId', 'The chain is not available.', { cause })
  }
}
