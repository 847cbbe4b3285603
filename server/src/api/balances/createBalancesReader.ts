import type { Hex } from 'viem'
import { callMany, callsPerRequest, createNativeBalanceCall, type ReadCall } from '../../kit/chain/callMany.ts'
import type { EndpointPool } from '../../kit/chain/endpointPool.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { getField } from '../../kit/runtime/getField.ts'

/** ABI selector of `balanceOf(address)`. */
const balanceOf = '0x70a08231'
/** Fewer balances than this are read with plain requests. */
const minCalls = 4
/** The most tokens that are read with plain requests. */
const maxPlainTokens = 400
/** A chain without Multicall3 is checked again after this time. */
const absentMs = 600_000

/** The balances of an account: of the native currency, and of tokens in their order. Tokens after the limit are left out. */
export type AccountBalances = { native: bigint; tokens: readonly bigint[] }

/** Reads balances from the endpoints of a chain. */
export type BalancesReader = (
  account: { chain: string; pool: EndpointPool; address: string },
  tokens: readonly string[],
) => Promise<AccountBalances>

/**
 * Creates a reader that uses the contract Multicall3 where it exists, and otherwise one request per token, in batches of
 * the size that the endpoint accepts. A token that reverts counts as zero.
 */
export function createBalancesReader(clock: Clock): BalancesReader {
  const absentUntil = new Map<string, number>()

  return async ({ chain, pool, address }, tokens) => {
    const hasMulticall = tokens.length + 1 >= minCalls && clock.now() >= (absentUntil.get(chain) ?? 0)
    const first = hasMulticall ? await readTogether(pool, address, tokens.slice(0, callsPerRequest - 1)) : undefined
    if (first === undefined) {
      if (hasMulticall) absentUntil.set(chain, clock.now() + absentMs)
      return readOneByOne(pool, address, tokens.slice(0, maxPlainTokens))
    }
    const rest = tokens.slice(callsPerRequest - 1)
    const others = rest.length === 0 ? undefined : await readTogether(pool, address, rest)
    return { native: first.native, tokens: [...first.tokens, ...(others?.tokens ?? [])] }
  }
}

/** Returns undefined if the chain has no Multicall3. */
async function readTogether(
  pool: EndpointPool,
  address: string,
  tokens: readonly string[],
): Promise<AccountBalances | undefined> {
  const data = encodeBalanceOf(address)
  const calls = tokens.map((token): ReadCall => ({ target: token as Hex, data }))
  const results = await callMany(pool, [createNativeBalanceCall(address as Hex), ...calls])
  if (results === 'absent') return undefined
  const failed = tokens.filter((_, index) => results[index + 1] === undefined)
  const native = parseBalance(results[0])
  const read = failed.length > 0 || native === undefined ? await readOneByOne(pool, address, failed) : undefined
  const amounts = new Map(failed.map((token, index) => [token, read?.tokens[index]]))
  return {
    native: native ?? read?.native ?? 0n,
    tokens: tokens.map((token, index) => parseBalance(results[index + 1]) ?? amounts.get(token) ?? 0n),
  }
}

/** @throws Error if a node does not return the native balance */
async function readOneByOne(pool: EndpointPool, address: string, tokens: readonly string[]): Promise<AccountBalances> {
  const data = encodeBalanceOf(address)
  const calls = tokens.map((to, index) => ({
    id: index + 1,
    jsonrpc: '2.0',
    method: 'eth_call',
    params: [{ to, data }, 'latest'],
  }))
  const native = { id: 0, jsonrpc: '2.0', method: 'eth_getBalance', params: [address, 'latest'] }
  return parseBatchAmounts(await pool.request([native, ...calls]), tokens.length)
}

function encodeBalanceOf(address: string): Hex {
  return `${balanceOf}${address.replace(/^0x/, '').toLowerCase().padStart(64, '0')}`
}

/** Nodes may respond to a batch in any order. The native balance is required. */
function parseBatchAmounts(response: unknown, count: number): AccountBalances {
  if (!Array.isArray(response)) throw new Error('The node did not return a batch.')
  const byId = new Map(response.map((item: unknown) => [getField(item, 'id'), getField(item, 'result')]))
  const native = parseBalance(byId.get(0))
  if (native === undefined) throw new Error('The node did not return the native balance.')
  return { native, tokens: Array.from({ length: count }, (_, index) => parseBalance(byId.get(index + 1)) ?? 0n) }
}

function parseBalance(result: unknown): bigint | undefined {
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : undefined
}
