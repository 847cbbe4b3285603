import type { Chain } from '../../chain/chain.ts'
import type { Change, Changes } from '../facts.ts'
import { isRecord } from '../../services/ask.ts'
import type { Call } from './calls.ts'
import { isAddress, isHex, quantityOf, read, toHex } from './hex.ts'
import { reasonOf } from './reason.ts'
import type { Tokens } from './tokens.ts'

/** Nobody waits longer for what can also be said to be unknown. */
const patience = 3_000
/** More different tokens than these in one transaction are counted by none. */
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
  /** The most that is paid for gas: it is shown as the fee, so it is no change. */
  readonly from?: string
}

/**
 * What an account would have more and less after some calls, by `eth_simulateV1`. Who moved what is taken from what tokens
 * tell; how much, from what they say of the account's balance before and after, for telling costs a thief nothing.
 *
 * @returns `unknown` where the node cannot do it, or takes too long
 */
export async function simulate(simulation: Simulation): Promise<Changes> {
  try {
    const { calls } = simulation
    const results = await run(
      simulation,
      calls.map((call) => requestOf(simulation, call)),
    )
    const failed = results.find((result) => read(result, 'status') !== '0x1')
    if (failed !== undefined) return { kind: 'fails', reason: reasonFor(read(failed, 'error')) }
    const moved = movedBy(results, simulation.account)
    const list = [...nativeChange(simulation, moved), ...(await tokenChanges(simulation, moved)), ...moved.items]
    return { kind: 'known', list }
  } catch {
    return { kind: 'unknown' }
  }
}

type Moved = {
  /** Of the network's own currency, by the node's tracing. */
  readonly native: bigint
  readonly contracts: readonly string[]
  readonly items: readonly Change[]
}

function requestOf({ account, from = account }: Simulation, { to, value, data }: Call): object {
  return { from, ...(to !== undefined && { to }), value: toHex(value), data }
}

async function run({ chain, chainId }: Simulation, calls: readonly object[]): Promise<readonly unknown[]> {
  const options = { blockStateCalls: [{ calls }], traceTransfers: true, validation: false }
  const answer = await chain.ask(chainId, 'eth_simulateV1', [options, 'latest'], { patience })
  const results = read(read(answer, 0), 'calls')
  if (!Array.isArray(results) || results.length !== calls.length) throw new TypeError('not as many answers as calls')
  return results
}

/** What the nodes call a payment that no token tells of. */
const nativeLog = /^0xe{40}$/i

function movedBy(results: readonly unknown[], account: string): Moved {
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
    if (nativeLog.test(address)) native += sign * (quantityOf(data) ?? 0n)
    else if (topic === singleTopic)
      items.push(itemOf(address, data.slice(0, 66), sign * (quantityOf(`0x${data.slice(66, 130)}`) ?? 1n)))
    else if (id !== undefined) items.push(itemOf(address, id, sign))
    else contracts.add(address.toLowerCase())
  }
  return { native, contracts: [...contracts].slice(0, mostAssets), items: items.slice(0, mostAssets) }
}

function itemOf(asset: string, id: string, units: bigint): Change {
  return { asset, units, decimals: 0, item: `#${quantityOf(id) ?? id}` }
}

type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

function logsOf(result: unknown): readonly Log[] {
  const logs = read(result, 'logs')
  return (Array.isArray(logs) ? logs : []).filter(isRecord).flatMap(({ address, topics, data }) => {
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
    run(simulation, [...questions, ...calls.map((call) => requestOf(simulation, call)), ...questions]),
    Promise.all(contracts.map((contract) => tokens.of(contract))),
  ])
  const balanceAt = (index: number): bigint => quantityOf(read(results[index], 'returnData')) ?? 0n
  return described.flatMap((token, index) => {
    const units = balanceAt(results.length - contracts.length + index) - balanceAt(index)
    return units === 0n ? [] : [{ ...tokens.amount(token, units), asset: token.address }]
  })
}

function reasonFor(error: unknown): string {
  const message = read(error, 'message')
  return reasonOf({ message: typeof message === 'string' ? message : '', data: read(error, 'data') })
}
