import type { HistoryPage } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { Problem } from '../../kit/http/problem.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { fromUnixSeconds, toAmount, toCount, toFirstText, toList } from '../http/toAmount.ts'
import { toBitcoinHistoryItem, type BitcoinOutput, type BitcoinTransaction } from './toBitcoinHistoryItem.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'

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
