import type { HistoryItem, HistoryPage } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { Problem } from '../../kit/http/problem.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { toNativeHistoryTransfer, type NativeTransfer } from '../history/toNativeHistoryTransfer.ts'
import { fromUnixSeconds, toAmount, toCount, toFirstText, toList } from '../http/toAmount.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'

/** A transaction in a block. */
type BitcoinTransaction = {
  txid: string
  minedAt: number
  /** Satoshis. */
  fee: bigint
  inputs: readonly BitcoinOutput[]
  outputs: readonly BitcoinOutput[]
}

/** An output, or the output that an input spends. Scripts without an address have none. */
type BitcoinOutput = { address: string | undefined; amount: bigint }

/** The last transaction of a page, and the number of transactions up to it. */
type EsploraPlace = { shown: number; txid: string }

const txidPattern = /^[0-9a-f]{64}$/

/**
 * Gets a page of the history of an address from an Esplora service (its HTTP API): the transactions in blocks, newest first. Pending ones
 * have no time, so that clients show them from their own record.
 *
 * @throws Problem 400 `cursor` if it was not created here
 * @throws ProviderUnavailableError if the service does not respond as Esplora
 */
export async function getEsploraPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  { address, cursor }: { address: string; cursor: string | undefined },
): Promise<HistoryPage> {
  const after = cursor === undefined ? undefined : parseEsploraCursor(cursor)
  const path = `/address/${address}`
  const [about, listed] = await Promise.all([
    fetchJson(provider, path),
    fetchJson(provider, after === undefined ? `${path}/txs` : `${path}/txs/chain/${after.txid}`),
  ])
  const total = toCount(getField(about, 'chain_stats', 'tx_count'))
  if (total === undefined || !Array.isArray(listed)) throw new ProviderUnavailableError('esplora sent no transactions.')
  const transactions = toList(listed).flatMap((each) => parseMinedTransaction(each) ?? [])
  const last = transactions.at(-1)
  const shown = (after?.shown ?? 0) + transactions.length
  return {
    data: transactions.flatMap((each) => toBitcoinHistoryItem(chain, address, each) ?? []),
    next: last === undefined || shown >= total ? null : `${shown}.${last.txid}`,
  }
}

function parseEsploraCursor(cursor: string): EsploraPlace {
  const [, shown, txid] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(cursor) ?? []
  if (txid === undefined) throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  return { shown: Number(shown), txid }
}

/** Returns undefined for a transaction that is not in a block, or that is not valid. */
function parseMinedTransaction(value: unknown): BitcoinTransaction | undefined {
  const [txid, fee] = [getField(value, 'txid'), toAmount(getField(value, 'fee')) ?? 0n]
  const minedAt = fromUnixSeconds(getField(value, 'status', 'block_time'))
  const isMined = getField(value, 'status', 'confirmed') === true
  if (typeof txid !== 'string' || !txidPattern.test(txid) || !isMined || minedAt === undefined) return undefined
  // The input of a coinbase spends nothing.
  const inputs = toList(getField(value, 'vin')).map((input) => parseOutput(getField(input, 'prevout')))
  return { txid, minedAt, fee, inputs, outputs: toList(getField(value, 'vout')).map(parseOutput) }
}

function parseOutput(output: unknown): BitcoinOutput {
  return {
    address: toFirstText(getField(output, 'scriptpubkey_address')),
    amount: toAmount(getField(output, 'value')) ?? 0n,
  }
}

/** Returns undefined if the transaction does not concern the address. */
function toBitcoinHistoryItem(chain: Chain, address: string, transaction: BitcoinTransaction): HistoryItem | undefined {
  const { txid, minedAt, inputs, outputs } = transaction
  const isOwn = (output: BitcoinOutput): boolean => output.address === address
  const isSender = inputs.some(isOwn)
  if (!isSender && !outputs.some(isOwn)) return undefined
  const transfer = getTransfer(address, transaction)
  const sender = isSender ? address : inputs.find(({ address: each }) => each !== undefined)?.address
  const { caipNetworkId } = chain
  return {
    id: `${caipNetworkId}:${txid}`,
    metadata: {
      operationType: transfer === undefined ? 'execute' : transfer.direction === 'in' ? 'receive' : 'send',
      hash: txid,
      minedAt: new Date(minedAt).toISOString(),
      sentFrom: sender ?? '',
      sentTo: transfer?.direction === 'out' ? (findReceiver(address, outputs) ?? '') : address,
      status: 'confirmed',
      nonce: 0,
      application: null,
      chain: caipNetworkId,
    },
    transfers: transfer === undefined ? [] : [toNativeHistoryTransfer(chain, transfer)],
  }
}

/**
 * Gets what the address sent or received in total: change returns to it. The fee is a cost and not a transfer, if the address
 * paid it alone; who paid it in a transaction of several addresses is not known.
 */
function getTransfer(address: string, { fee, inputs, outputs }: BitcoinTransaction): NativeTransfer | undefined {
  const isOwn = (output: BitcoinOutput): boolean => output.address === address
  const spent = sumAmounts(inputs.filter(isOwn))
  const paysAlone = spent > 0n && inputs.every(isOwn)
  const change = sumAmounts(outputs.filter(isOwn)) - spent + (paysAlone ? fee : 0n)
  if (change === 0n) return undefined
  const others = new Set((change > 0n ? inputs : outputs).flatMap((each) => (isOwn(each) ? [] : (each.address ?? []))))
  const [counterparty] = others.size === 1 ? others : []
  return { direction: change > 0n ? 'in' : 'out', amount: change > 0n ? change : -change, counterparty }
}

function sumAmounts(outputs: readonly BitcoinOutput[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Finds the address that got most. */
function findReceiver(own: string, outputs: readonly BitcoinOutput[]): string | undefined {
  const others = outputs.filter(({ address }) => address !== undefined && address !== own)
  return others.toSorted((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0))[0]?.address
}
