import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainRpc, ChainRequest } from '../../../kit/chain/chainRpc.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import { parseAbiWord } from '../../tokens/abi.ts'
import type { Hex } from '../routeSource.ts'
import { getPoolKinds, type Leg } from './leg.ts'

const abi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
  'function getPool(address a, address b, uint24 fee) view returns (address)',
])
const limit = 5_000
/** Time until a missing pool is looked up again, in milliseconds. */
const absence = 30_000

/** A leg with the address of its pool. */
export type PoolLeg = Leg & { pool: Hex }

/** Finds the pools between tokens. */
export type PoolFinder = (between: readonly (readonly [Hex, Hex])[]) => Promise<readonly PoolLeg[]>

/** Creates a finder with a cache. The address of a pool never changes. */
export function createPoolFinder(exchange: Exchange, rpc: ChainRpc, clock: Clock): PoolFinder {
  const known = new Map<string, { pool: Hex | undefined; until: number }>()
  const keyOf = ({ kind, fee, tokenIn, tokenOut }: Leg): string =>
    [kind, fee, ...[tokenIn, tokenOut].toSorted()].join('/')

  return async (between) => {
    const legs = between.flatMap(([tokenIn, tokenOut]) =>
      getPoolKinds(exchange).map((kind): Leg => ({ ...kind, tokenIn, tokenOut })),
    )
    const now = clock.now()
    const unknown = legs.filter((leg) => (known.get(keyOf(leg))?.until ?? 0) <= now)
    const responses = await rpc.tryBatch(unknown.map((leg) => toPoolAddressRequest(exchange, leg)))
    if (known.size > limit) known.clear()
    const found = new Map(unknown.map((leg, index) => [keyOf(leg), parsePoolAddress(responses[index])]))
    for (const [key, pool] of found) known.set(key, { pool, until: pool === undefined ? now + absence : Infinity })
    return legs.flatMap((leg): PoolLeg[] => {
      const pool = found.get(keyOf(leg)) ?? known.get(keyOf(leg))?.pool
      return pool === undefined ? [] : [{ ...leg, pool }]
    })
  }
}

function toPoolAddressRequest({ v2, v3 }: Exchange, { kind, fee, tokenIn: a, tokenOut: b }: Leg): ChainRequest {
  const data =
    kind === 'v2'
      ? encodeFunctionData({ abi, functionName: 'getPair', args: [a, b] })
      : encodeFunctionData({ abi, functionName: 'getPool', args: [a, b, fee] })
  return ['eth_call', [{ to: kind === 'v2' ? v2?.factory : v3?.factory, data }, 'latest']]
}

function parsePoolAddress(returned: unknown): Hex | undefined {
  const word = parseAbiWord(returned)
  return word === undefined || word === 0n ? undefined : `0x${word.toString(16).padStart(40, '0')}`
}
