import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainRpc, Question } from '../../../kit/chainRpc.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Exchange } from '../../../kit/exchange.ts'
import { readWord } from '../../tokens/abi.ts'
import type { Hex } from '../routeSource.ts'
import { poolKinds, type Leg } from './leg.ts'

const abi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
  'function getPool(address a, address b, uint24 fee) view returns (address)',
])
const limit = 5_000
/** How long a pool that is not there is not looked for again, in milliseconds. */
const absence = 30_000

/** A leg with the address of its pool. */
export type PoolLeg = Leg & { pool: Hex }

/** Finds the pools between tokens. */
export type PoolFinder = (between: readonly (readonly [Hex, Hex])[]) => Promise<readonly PoolLeg[]>

/** Makes a finder that remembers: a pool that is there stays where it is. */
export function createPoolFinder(exchange: Exchange, rpc: ChainRpc, clock: Clock): PoolFinder {
  const known = new Map<string, { pool: Hex | undefined; until: number }>()
  const keyOf = ({ kind, fee, tokenIn, tokenOut }: Leg): string =>
    [kind, fee, ...[tokenIn, tokenOut].toSorted()].join('/')

  return async (between) => {
    const legs = between.flatMap(([tokenIn, tokenOut]) =>
      poolKinds(exchange).map((kind): Leg => ({ ...kind, tokenIn, tokenOut })),
    )
    const now = clock.now()
    const unknown = legs.filter((leg) => (known.get(keyOf(leg))?.until ?? 0) <= now)
    const answers = await rpc.tryAll(unknown.map((leg) => whereIs(exchange, leg)))
    if (known.size > limit) known.clear()
    const found = new Map(unknown.map((leg, index) => [keyOf(leg), readAddress(answers[index])]))
    for (const [key, pool] of found) known.set(key, { pool, until: pool === undefined ? now + absence : Infinity })
    return legs.flatMap((leg): PoolLeg[] => {
      const pool = found.get(keyOf(leg)) ?? known.get(keyOf(leg))?.pool
      return pool === undefined ? [] : [{ ...leg, pool }]
    })
  }
}

function whereIs({ v2, v3 }: Exchange, { kind, fee, tokenIn: a, tokenOut: b }: Leg): Question {
  const data =
    kind === 'v2'
      ? encodeFunctionData({ abi, functionName: 'getPair', args: [a, b] })
      : encodeFunctionData({ abi, functionName: 'getPool', args: [a, b, fee] })
  return ['eth_call', [{ to: kind === 'v2' ? v2?.factory : v3?.factory, data }, 'latest']]
}

function readAddress(returned: unknown): Hex | undefined {
  const word = readWord(returned)
  return word === undefined || word === 0n ? undefined : `0x${word.toString(16).padStart(40, '0')}`
}
