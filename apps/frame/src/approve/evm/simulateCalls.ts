import type { Chain } from '../../chain/chain.ts'
import type { Change, Changes } from '../approvalFacts.ts'
import type { Call } from './describeCall.ts'
import { isAddress, isHex, toQuantity, formatQuantity } from './parseQuantity.ts'
import { revertReason } from './revertReason.ts'
import type { Tokens } from './tokens.ts'
import { getMember, isJsonObject } from '../../platform/isJsonObject.ts'

/** A slow simulation counts as unknown. */
const timeoutMs = 3_000
/** Further tokens of one transaction are not counted. */
const mostAssets = 8

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `balanceOf(address)` */
const balanceOf = '0x70a08231'

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
 * Simulates calls with `eth_simulateV1` and returns the account's balance changes. Transfer events show which tokens
 * moved. The amounts come from balances before and after, because a malicious token can emit false events.
 *
 * @returns `unknown` if the node lacks the method or is too slow
 */
export async function simulateCalls(simulation: Simulation): Promise<Changes> {
  try {
    const { calls } = simulation
    const results = await runSimulation(
      simulation,
      calls.map((call) => callRequest(simulation, call)),
    )
    const failed = results.find((result) => getMember(result, 'status') !== '0x1')
    if (failed !== undefined) return { kind: 'fails', reason: simulationFailureReason(getMember(failed, 'error')) }
    const moved = collectMoves(results, simulation.account)
    const list = [...nativeChange(simulation, moved), ...(await tokenChanges(simulation, moved)), ...moved.items]
    return { kind: 'known', list }
  } catch {
    return { kind: 'unknown' }
  }
}

type Moved = {
  /** Change of the native currency, from the node's trace. */
  readonly native: bigint
  readonly contracts: readonly string[]
  readonly items: readonly Change[]
}

function callRequest({ account, from = account }: Simulation, { to, value, data }: Call): object {
  return { from, ...(to !== undefined && { to }), value: formatQuantity(value), data }
}

async function runSimulation({ chain, chainId }: Simulation, calls: readonly object[]): Promise<readonly unknown[]> {
  const options = { blockStateCalls: [{ calls }], traceTransfers: true, validation: false }
  const answer = await chain.ask(chainId, 'eth_simulateV1', [options, 'latest'], { timeoutMs })
  const results = getMember(getMember(answer, 0), 'calls')
  if (!Array.isArray(results) || results.length !== calls.length) throw new TypeError('unexpected number of results')
  return results
}

/** Address that nodes use for transfers of the native currency. */
const nativeLog = /^0xe{40}$/i

function collectMoves(results: readonly unknown[], account: string): Moved {
  let native = 0n
  const contracts = new Set<string>()
  const items: Change[] = []
  const isOwn = (topic: unknown): boolean =>
    isHex(topic) && topic.slice(-40).toLowerCase() === account.slice(2).toLowerCase()
  for (const log of results.flatMap(logsOf)) {
    const { address, data } = log
    const [topic, ...indexed] = log.topics
    const [from, to, id] = topic === singleTopic ? indexed.slice(1) : indexed
    if ((topic !== transferTopic && topic !== singleTopic) || (!isOwn(from) && !isOwn(to))) continue
    const sign = isOwn(from) ? (isOwn(to) ? 0n : -1n) : 1n
    if (nativeLog.test(address)) native += sign * (toQuantity(data) ?? 0n)
    else if (topic === singleTopic)
      items.push(itemChange(address, data.slice(0, 66), sign * (toQuantity(`0x${data.slice(66, 130)}`) ?? 1n)))
    else if (id !== undefined) items.push(itemChange(address, id, sign))
    else contracts.add(address.toLowerCase())
  }
  return { native, contracts: [...contracts].slice(0, mostAssets), items: items.slice(0, mostAssets) }
}

function itemChange(asset: string, id: string, units: bigint): Change {
  return { asset, units, decimals: 0, item: `#${toQuantity(id) ?? id}` }
}

type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

function logsOf(result: unknown): readonly Log[] {
  const logs = getMember(result, 'logs')
  return (Array.isArray(logs) ? logs : []).filter(isJsonObject).flatMap(({ address, topics, data }) => {
    const isLog = isAddress(address) && Array.isArray(topics) && topics.every(isHex) && isHex(data)
    return isLog ? [{ address, topics: topics.filter(isHex), data }] : []
  })
}

function nativeChange({ native }: Simulation, moved: Moved): readonly Change[] {
  return moved.native === 0n ? [] : [{ units: moved.native, decimals: native.decimals, symbol: native.symbol }]
}

async function tokenChanges(simulation: Simulation, { contracts }: Moved): Promise<readonly Change[]> {
  if (contracts.length === 0) return []
  const { account, calls, tokens } = simulation
  const data = `${balanceOf}${account.slice(2).toLowerCase().padStart(64, '0')}`
  const questions = contracts.map((to) => ({ from: account, to, data }))
  const [results, described] = await Promise.all([
    runSimulation(simulation, [...questions, ...calls.map((call) => callRequest(simulation, call)), ...questions]),
    Promise.all(contracts.map((contract) => tokens.of(contract))),
  ])
  const balanceAt = (index: number): bigint => toQuantity(getMember(results[index], 'returnData')) ?? 0n
  return described.flatMap((token, index) => {
    const units = balanceAt(results.length - contracts.length + index) - balanceAt(index)
    return units === 0n ? [] : [{ ...tokens.amount(token, units), asset: token.address }]
  })
}

function simulationFailureReason(error: unknown): string {
  const message = getMember(error, 'message')
  return revertReason({ message: typeof message === 'string' ? message : '', data: getMember(error, 'data') })
}
