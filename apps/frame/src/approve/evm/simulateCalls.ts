import type { Chain } from '../../chain/chain.ts'
import type { AllowanceChange, Change, Changes } from '../approvalFacts.ts'
import type { Call } from './calls/callEffects.ts'
import { allEffects, readCall } from './calls/readCall.ts'
import { isUnlimited } from './isUnlimited.ts'
import { isHex, toQuantity, formatQuantity } from './parseQuantity.ts'
import { revertReason } from './revertReason.ts'
import { collectTransfers, collectSpenders, type SimulatedTransfers, type Allowance } from './collectTransfers.ts'
import type { Tokens } from './tokens.ts'
import { getMember } from '../../platform/getMember.ts'

/** A slow simulation counts as unknown. */
const timeoutMs = 3_000

const selectors = {
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
  isApprovedForAll: '0xe985e9c5',
  /** `allowance(address,address,address)` of Permit2. */
  permit2Allowance: '0x927da105',
} as const

type Simulation = {
  readonly chain: Chain
  readonly chainId: string
  readonly account: string
  readonly calls: readonly Call[]
  readonly native: { readonly symbol: string; readonly decimals: number }
  readonly tokens: Tokens
  /** Sender of the calls. Default: the account. */
  readonly from?: string
}

/**
 * Simulates calls with `eth_simulateV1` and returns the account's changes of balances and allowances. Events show which
 * tokens and spenders are involved. The amounts come from reads before and after, because a malicious token can emit
 * false events.
 *
 * @returns `unknown` if the node lacks the method or is too slow
 */
export async function simulateCalls(simulation: Simulation): Promise<Changes> {
  try {
    const { calls, account } = simulation
    const results = await runSimulation(
      simulation,
      calls.map((call) => callRequest(simulation, call)),
    )
    const failed = results.find((result) => getMember(result, 'status') !== '0x1')
    if (failed !== undefined) return { kind: 'fails', reason: simulationFailureReason(getMember(failed, 'error')) }
    const moved = collectTransfers(results, account)
    const spenders = collectSpenders(results, account, calls.flatMap(expectedSpenders))
    const { balances, allowances } = await readChanges(simulation, moved, spenders)
    const list = [...nativeChange(simulation, moved), ...balances, ...moved.items]
    return { kind: 'known', list, allowances, ...(moved.isTruncated && { isTruncated: true }) }
  } catch {
    return { kind: 'unknown' }
  }
}

function callRequest({ account, from = account }: Simulation, { to, value, data }: Call): object {
  return { from, ...(to !== undefined && { to }), value: formatQuantity(value), data }
}

async function runSimulation({ chain, chainId }: Simulation, calls: readonly object[]): Promise<readonly unknown[]> {
  const options = { blockStateCalls: [{ calls }], traceTransfers: true, validation: false }
  const response = await chain.request(chainId, 'eth_simulateV1', [options, 'latest'], { timeoutMs })
  const results = getMember(getMember(response, 0), 'calls')
  if (!Array.isArray(results) || results.length !== calls.length) throw new TypeError('unexpected number of results')
  return results
}

function expectedSpenders({ to, value, data }: Call): readonly Allowance[] {
  if (to === undefined) return []
  return allEffects(readCall({ to, value, data })).flatMap((effect): readonly Allowance[] => {
    if (effect.kind === 'allowance') return [{ kind: 'token', token: effect.token, spender: effect.spender }]
    if (effect.kind === 'operator') return [{ kind: 'operator', token: effect.collection, spender: effect.operator }]
    return []
  })
}

function nativeChange({ native }: Simulation, moved: SimulatedTransfers): readonly Change[] {
  return moved.native === 0n ? [] : [{ units: moved.native, decimals: native.decimals, symbol: native.symbol }]
}

/** Reads balances and allowances before and after the calls. */
async function readChanges(
  simulation: Simulation,
  { contracts }: SimulatedTransfers,
  spenders: readonly Allowance[],
): Promise<{ balances: readonly Change[]; allowances: readonly AllowanceChange[] }> {
  if (contracts.length === 0 && spenders.length === 0) return { balances: [], allowances: [] }
  const { account, calls, tokens } = simulation
  const data = `${selectors.balanceOf}${padAddress(account)}`
  const reads = [
    ...contracts.map((to) => ({ from: account, to, data })),
    ...spenders.map((each) => ({ from: account, ...spenderRequest(account, each) })),
  ]
  const [results] = await Promise.all([
    runSimulation(simulation, [...reads, ...calls.map((call) => callRequest(simulation, call)), ...reads]),
    // Descriptions of tokens are cached, and needed below.
    Promise.all([...contracts, ...spenders.map(({ token }) => token)].map((token) => tokens.of(token))),
  ])
  const valueAt = (index: number): bigint => getFirstWord(getMember(results[index], 'returnData'))
  const valuesOf = (index: number): { before: bigint; after: bigint } => ({
    before: valueAt(index),
    after: valueAt(results.length - reads.length + index),
  })
  const balances = contracts.map(async (contract, index): Promise<readonly Change[]> => {
    const { before, after } = valuesOf(index)
    if (before === after) return []
    const token = await tokens.of(contract)
    return [{ ...tokens.amount(token, after - before), asset: token.address }]
  })
  const allowances = spenders.map(async (each, index): Promise<readonly AllowanceChange[]> => {
    const { before, after } = valuesOf(contracts.length + index)
    return before === after ? [] : [await allowanceChange(tokens, each, after)]
  })
  return { balances: (await Promise.all(balances)).flat(), allowances: (await Promise.all(allowances)).flat() }
}

function spenderRequest(account: string, each: Allowance): { to: string; data: string } {
  const words = (...addresses: readonly string[]): string => addresses.map(padAddress).join('')
  switch (each.kind) {
    case 'token':
      return { to: each.token, data: `${selectors.allowance}${words(account, each.spender)}` }
    case 'operator':
      return { to: each.token, data: `${selectors.isApprovedForAll}${words(account, each.spender)}` }
    case 'permit2':
      return { to: each.permit2, data: `${selectors.permit2Allowance}${words(account, each.token, each.spender)}` }
  }
}

async function allowanceChange(
  tokens: Tokens,
  { kind, token, spender }: Allowance,
  units: bigint,
): Promise<AllowanceChange> {
  const description = await tokens.of(token)
  const { symbol, address: asset } = description
  const base = { spender, asset, ...(symbol !== undefined && { symbol }) }
  if (units === 0n) return { ...base, kind: 'none' }
  if (kind === 'operator') return { ...base, kind: 'everything' }
  if (isUnlimited(units, description.supply)) return { ...base, kind: 'unlimited' }
  return { ...base, kind: 'amount', amount: tokens.amount(description, units) }
}

function padAddress(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

function getFirstWord(data: unknown): bigint {
  return isHex(data) && data.length >= 66 ? (toQuantity(data.slice(0, 66)) ?? 0n) : 0n
}

function simulationFailureReason(error: unknown): string {
  const message = getMember(error, 'message')
  return revertReason({ message: typeof message === 'string' ? message : '', data: getMember(error, 'data') })
}
