import type { Clock } from '@latchkey/core'
import { type Network, networkError } from '@latchkey/protocol'
import { hex } from '@scure/base'
import { p2wpkh, RawTx, Transaction } from '@scure/btc-signer'
import { equalBytes, sha256x2 } from '@scure/btc-signer/utils.js'
import { requestEsplora } from '../chain/esplora.ts'
import type { Payer } from './payer.ts'
import type { Coin, CoinSelection } from './selectCoins.ts'

/** The payer of a payment, its coins, and the output that it pays. */
export type PaymentPlan = CoinSelection & {
  readonly payer: Payer
  /** Hex. Wallets need it to sign for a script that does not contain the key. */
  readonly publicKey: string | undefined
  readonly receiverScript: Uint8Array
  /** Satoshis. */
  readonly amount: bigint
}

type Input = Parameters<Transaction['addInput']>[0]

/** Signals that the payment can be replaced by one with a higher fee (BIP-125). */
const replaceableSequence = 0xfffffffd

/** The number of previous transactions that are requested at the same time. */
const concurrentRequests = 8

/**
 * Composes the unsigned transaction of a payment: its first output pays, the second one returns the change.
 *
 * @throws LatchkeyError `rpc/unreachable`, including if a source reports another amount than the chain has
 */
export async function composePayment(
  network: Network,
  plan: PaymentPlan,
  clock: Clock | undefined,
): Promise<Transaction> {
  const { payer, coins, receiverScript, amount, change } = plan
  const transaction = new Transaction()
  for (let at = 0; at < coins.length; at += concurrentRequests) {
    const next = coins.slice(at, at + concurrentRequests)
    const inputs = await Promise.all(next.map((coin) => toInput(network, plan, { coin, clock })))
    for (const input of inputs) transaction.addInput(input)
  }
  transaction.addOutput({ script: receiverScript, amount })
  if (change > 0n) transaction.addOutput({ script: payer.script, amount: change })
  return transaction
}

async function toInput(
  network: Network,
  { payer: { kind, script }, publicKey }: PaymentPlan,
  { coin, clock }: { coin: Coin; clock: Clock | undefined },
): Promise<Input> {
  const { txid, index, amount } = coin
  const input = { txid: hex.decode(txid), index, sequence: replaceableSequence }
  const key = publicKey === undefined ? undefined : hex.decode(publicKey)
  // A Taproot signature covers the amounts of all inputs (BIP-341), so a false amount makes it invalid.
  if (kind === 'tr')
    return { ...input, witnessUtxo: { script, amount }, ...(key && { tapInternalKey: key.slice(-32) }) }
  const nonWitnessUtxo = await getPreviousTransaction(network, { coin, script, clock })
  if (kind === 'pkh') return { ...input, nonWitnessUtxo }
  const redeem = kind === 'sh' && key !== undefined ? { redeemScript: p2wpkh(key).script } : {}
  return { ...input, nonWitnessUtxo, witnessUtxo: { script, amount }, ...redeem }
}

/**
 * Returns the transaction that created a coin, and proves the amount with it. Older signatures don't cover the amounts of
 * the other inputs, so a source that reports too little could make the payer lose the difference as a fee.
 */
async function getPreviousTransaction(
  network: Network,
  { coin, script, clock }: { coin: Coin; script: Uint8Array; clock: Clock | undefined },
): Promise<Uint8Array> {
  const text = await requestEsplora(network, { path: `tx/${coin.txid}/hex` }, clock)
  const raw = text === undefined ? undefined : decodeHex(text)
  if (raw === undefined || !hasCoin(raw, coin, script)) throw networkError('rpc/unreachable', { network: network.name })
  return raw
}

function decodeHex(text: string): Uint8Array | undefined {
  try {
    return hex.decode(text.trim().toLowerCase())
  } catch {
    return undefined
  }
}

function hasCoin(raw: Uint8Array, { txid, index, amount }: Coin, script: Uint8Array): boolean {
  try {
    const { version, inputs, outputs, lockTime } = RawTx.decode(raw)
    const bare = RawTx.encode({ version, segwitFlag: false, inputs, outputs, lockTime })
    const output = outputs[index]
    const isSame = hex.encode(sha256x2(bare).toReversed()) === txid
    return isSame && output?.amount === amount && equalBytes(output.script, script)
  } catch {
    return false
  }
}
