import type { HistoryPage } from '@latchkey/protocol'
import { toBitcoinAddress, toBitcoinScript, toScriptHash } from '../../kit/bitcoin/bitcoinScripts.ts'
import {
  connectElectrum,
  ElectrumRefusalError,
  type ElectrumCall,
  type ElectrumConnection,
} from '../../kit/bitcoin/connectElectrum.ts'
import { parseBitcoinTransaction, type BitcoinTransactionBytes } from '../../kit/bitcoin/parseBitcoinTransaction.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createCircuitBreaker, type CircuitBreaker } from '../../kit/limits/circuitBreaker.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { fromUnixSeconds, toList } from '../http/toAmount.ts'
import { ProviderUnavailableError } from './providerFetch.ts'
import {
  sumAmounts,
  toBitcoinHistoryItem,
  type BitcoinOutput,
  type BitcoinTransaction,
} from './toBitcoinHistoryItem.ts'

type PageRequest = { address: string; cursor: string | undefined; size: number }

/** Gets a page of the history of a Bitcoin address from an Electrum server. */
export type ElectrumPages = (provider: DataProvider, chain: Chain, request: PageRequest) => Promise<HistoryPage>

const limits = { timeoutMs: 10_000, maxBytes: 32 * 1024 * 1024 } as const
/** As many transactions as Esplora returns at once. */
const maxPageSize = 25
/** The most transactions that are read for the outputs that a page spends. A page of more ends earlier. */
const maxSpent = 400
const txidPattern = /^[0-9a-f]{64}$/
/** A header of a block has its time at this place (4 bytes, little endian). */
const [timeStart, headerBytes] = [68, 80]

/**
 * Creates the reader of histories from Electrum servers (Electrum protocol 1.4), with a circuit breaker for each server. A server is
 * trusted for the list of transactions and for times; the content of a transaction is checked against its id.
 *
 * @example
 * const getPage = createElectrumPages(clock)
 * const { data, next } = await getPage(provider, chain, { address: 'bc1q…', cursor: undefined, size: 25 })
 */
export function createElectrumPages(clock: Clock): ElectrumPages {
  const breakers = new Map<DataProvider, CircuitBreaker>()

  return async (provider, chain, request) => {
    const breaker = breakers.get(provider) ?? createCircuitBreaker(clock)
    breakers.set(provider, breaker)
    if (!breaker.allowsRequests()) throw new ProviderUnavailableError('electrum failed too often recently.')
    let ok = false
    try {
      const page = await requestElectrumPage(provider.url ?? '', chain, request)
      ok = true
      return page
    } catch (error) {
      // Clients choose the addresses and cursors, and must not be able to open the circuit breaker.
      ok = error instanceof ElectrumRefusalError || error instanceof Problem
      throw error instanceof Problem || error instanceof ProviderUnavailableError
        ? error
        : new ProviderUnavailableError('electrum is not available.', { cause: error })
    } finally {
      breaker.record(ok)
    }
  }
}

/** The place of a transaction in a history. */
type ListedTransaction = { txid: string; height: number }

async function requestElectrumPage(
  url: string,
  chain: Chain,
  { address, cursor, size }: PageRequest,
): Promise<HistoryPage> {
  const after = cursor === undefined ? undefined : parseElectrumCursor(cursor)
  const connection = await connectElectrum(url, limits)
  try {
    const scriptHash = toScriptHash(toBitcoinScript(address))
    const listed = await listMined(connection, scriptHash)
    const rest = listed.slice(findStart(listed, after))
    const own = new Set(listed.map(({ txid }) => txid))
    const transactions = await readListed(connection, chain, {
      wanted: rest.slice(0, Math.min(size, maxPageSize)),
      own,
    })
    const last = rest[transactions.length - 1]
    return {
      data: transactions.flatMap((each) => toBitcoinHistoryItem(chain, address, each) ?? []),
      next: last === undefined || transactions.length === rest.length ? null : `${last.height}.${last.txid}`,
    }
  } finally {
    connection.close()
  }
}

function parseElectrumCursor(cursor: string): ListedTransaction {
  const [, height, txid] = /^(\d{1,9})\.([0-9a-f]{64})$/.exec(cursor) ?? []
  if (txid === undefined) throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  return { height: Number(height), txid }
}

/** Finds the first transaction after a cursor. If a reorg removed its transaction, the list continues at its height. */
function findStart(listed: readonly ListedTransaction[], after: ListedTransaction | undefined): number {
  if (after === undefined) return 0
  const known = listed.findIndex(({ txid }) => txid === after.txid)
  if (known !== -1) return known + 1
  const lower = listed.findIndex(({ height }) => height <= after.height)
  return lower === -1 ? listed.length : lower
}

/** Lists the transactions of a script in blocks, newest first. Servers list them from the oldest, and pending ones with a height of 0 or -1. */
async function listMined(connection: ElectrumConnection, scriptHash: string): Promise<readonly ListedTransaction[]> {
  const [history] = await connection.request([['blockchain.scripthash.get_history', scriptHash]])
  if (!Array.isArray(history)) throw new ProviderUnavailableError('electrum sent no history.')
  return toList(history)
    .flatMap((each): ListedTransaction[] => {
      const [txid, height] = [getField(each, 'tx_hash'), getField(each, 'height')]
      const isMined = typeof height === 'number' && Number.isSafeInteger(height) && height > 0
      return isMined && typeof txid === 'string' && txidPattern.test(txid) ? [{ txid, height }] : []
    })
    .toReversed()
}

/** Reads the first of the wanted transactions, at least one, with the outputs that they spend. */
async function readListed(
  connection: ElectrumConnection,
  chain: Chain,
  { wanted, own }: { wanted: readonly ListedTransaction[]; own: ReadonlySet<string> },
): Promise<readonly BitcoinTransaction[]> {
  const bodies = await readTransactions(
    connection,
    wanted.map(({ txid }) => txid),
  )
  const { count, spent } = selectSpent(bodies, own)
  const sources = new Map(bodies.map((body) => [body.txid, body]))
  const missing = spent.filter((txid) => !sources.has(txid))
  for (const source of await readTransactions(connection, missing)) sources.set(source.txid, source)
  const page = wanted.slice(0, count)
  const times = await readTimes(connection, [...new Set(page.map(({ height }) => height))])
  return page.map(({ height }, index) => {
    const body = bodies[index]
    const minedAt = times.get(height)
    if (body === undefined || minedAt === undefined) throw new ProviderUnavailableError('electrum sent no block.')
    return toTransaction(chain, body, { sources, minedAt })
  })
}

/**
 * Selects the transactions whose outputs a page spends. Outputs of the address are in transactions of its history, which are all
 * read; those of others only name the counterparty.
 */
function selectSpent(
  bodies: readonly BitcoinTransactionBytes[],
  own: ReadonlySet<string>,
): { count: number; spent: readonly string[] } {
  const selected = new Set<string>()
  for (const [count, { spends }] of bodies.entries()) {
    const txids = [...new Set(spends.flatMap((each) => each?.txid ?? []))]
    if (count > 0 && selected.size + txids.length > maxSpent) return { count, spent: [...selected] }
    const others = txids.filter((txid) => !own.has(txid)).slice(0, maxSpent)
    for (const txid of [...txids.filter((each) => own.has(each)), ...others]) selected.add(txid)
  }
  return { count: bodies.length, spent: [...selected] }
}

function toTransaction(
  { caipNetworkId }: Chain,
  { txid, spends, outputs }: BitcoinTransactionBytes,
  { sources, minedAt }: { sources: ReadonlyMap<string, BitcoinTransactionBytes>; minedAt: number },
): BitcoinTransaction {
  const toOutput = (output: BitcoinTransactionBytes['outputs'][number] | undefined): BitcoinOutput =>
    output === undefined
      ? { address: undefined, amount: 0n }
      : { address: toBitcoinAddress(output.script, caipNetworkId), amount: output.amount }
  const inputs = spends.map((each) => toOutput(each && sources.get(each.txid)?.outputs[each.index]))
  const paid = outputs.map(toOutput)
  // The fee counts only if the address paid for all inputs, which are known then.
  const fee = sumAmounts(inputs) - sumAmounts(paid)
  return { txid, minedAt, fee: fee > 0n ? fee : 0n, inputs, outputs: paid }
}

async function readTransactions(
  connection: ElectrumConnection,
  txids: readonly string[],
): Promise<readonly BitcoinTransactionBytes[]> {
  const raw = await connection.request(txids.map((txid): ElectrumCall => ['blockchain.transaction.get', txid, false]))
  return txids.map((txid, index) => {
    const transaction = parseBitcoinTransaction(Buffer.from(String(raw[index]), 'hex'))
    if (transaction.txid !== txid) throw new ProviderUnavailableError('electrum sent another transaction.')
    return transaction
  })
}

/** Reads the times of blocks, in milliseconds. */
async function readTimes(
  connection: ElectrumConnection,
  heights: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const headers = await connection.request(heights.map((height): ElectrumCall => ['blockchain.block.header', height]))
  return new Map(
    heights.flatMap((height, index): [number, number][] => {
      const header = Buffer.from(String(headers[index]), 'hex')
      const minedAt = header.length === headerBytes ? fromUnixSeconds(header.readUInt32LE(timeStart)) : undefined
      return minedAt === undefined ? [] : [[height, minedAt]]
    }),
  )
}
