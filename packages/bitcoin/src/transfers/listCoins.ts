import type { Clock } from '@latchkey/core'
import { getField, getListField, getStringField, type Network, networkError } from '@latchkey/protocol'
import { getChainTransaction, isTransactionIdText } from '../chain/chainTransaction.ts'
import { requestEsploraJson } from '../chain/esplora.ts'
import { parseSatoshis } from '../chain/getBitcoinBalance.ts'
import type { Coin } from './selectCoins.ts'

/** The coins that a payment may spend, and the amount of all others. */
type Holdings = { readonly coins: readonly Coin[]; readonly kept: bigint }

/**
 * Outputs up to this amount are not spent. Inscriptions and runes usually lie in outputs of 330, 546 or 10,000 satoshis,
 * and a payment that spends such an output gives them away.
 */
const keptOutputLimit = 10_000n

/** More inputs would make a payment that nodes don't relay, and that wallets take minutes to sign. */
const mostCoins = 500
/** The number of unconfirmed transactions that are looked up. */
const mostLookups = 25

/**
 * Lists the coins of an address that a payment may spend: those above 10,000 satoshis that are confirmed, or the change of
 * an earlier payment of the same address. Its sender can still replace any other unconfirmed payment.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function listCoins(network: Network, address: string, clock: Clock | undefined): Promise<Holdings> {
  const listed = getListField(await requestEsploraJson(network, `address/${address}/utxo`, clock))
  const all = [
    ...new Map(listed.map((each) => parseCoin(each, network)).map((coin) => [getOutpoint(coin), coin])).values(),
  ]
  const large = all.filter(({ amount }) => amount > keptOutputLimit).toSorted(byAmount)
  const unconfirmed = large.filter(({ isConfirmed }) => !isConfirmed).map(({ txid }) => txid)
  const looked = [...new Set(unconfirmed)].slice(0, mostLookups)
  const own = new Set<string>()
  await Promise.all(
    looked.map(async (txid) => {
      if (await isPaidBy(network, address, { txid, clock })) own.add(txid)
    }),
  )
  const coins = large.filter(({ txid, isConfirmed }) => isConfirmed || own.has(txid)).slice(0, mostCoins)
  return { coins, kept: sumCoins(all) - sumCoins(coins) }
}

/** Returns the amount of coins in satoshis. */
export function sumCoins(coins: readonly Coin[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

function byAmount(one: Coin, other: Coin): number {
  return one.amount > other.amount ? -1 : 1
}

function getOutpoint({ txid, index }: Coin): string {
  return `${txid}:${index}`
}

function parseCoin(output: unknown, network: Network): Coin {
  const [txid, index] = [getStringField(output, 'txid'), getField(output, 'vout')]
  const amount = parseSatoshis(getField(output, 'value'))
  const isIndex = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < 2 ** 32
  if (txid === undefined || !isTransactionIdText(txid) || !isIndex || amount === undefined) {
    throw networkError('rpc/unreachable', { network: network.name })
  }
  return { txid, index, amount, isConfirmed: getField(output, 'status', 'confirmed') === true }
}

/** True if all inputs of a transaction belong to the address. A source that does not respond proves nothing. */
async function isPaidBy(
  network: Network,
  address: string,
  { txid, clock }: { txid: string; clock: Clock | undefined },
): Promise<boolean> {
  const transaction = await getChainTransaction(network, txid, clock).catch(() => undefined)
  const inputs = transaction?.inputs ?? []
  return inputs.length > 0 && inputs.every((input) => input.address === address)
}
