import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals, RpcError } from '../../rpcError.ts'
import type { TypedDataSummary, TypedNode } from '../question.ts'
import { writing, type BitcoinAccount, type BitcoinKey } from './keys.ts'

/** A `signPsbt` request, read. */
export type PsbtRequest = {
  transaction: Transaction
  signing: ReadonlyArray<{ key: BitcoinKey; index: number }>
  broadcast: boolean
}

/** @throws RpcError -32602 unless it is a PSBT with inputs that the account can sign. */
export function readPsbt(params: unknown, { keys }: BitcoinAccount): PsbtRequest {
  const { psbt, signInputs, broadcast } = isRecord(params) ? params : {}
  const transaction = parse(psbt)
  const wanted: readonly unknown[] = Array.isArray(signInputs) ? signInputs : []
  if (wanted.length === 0) throw refusals.invalid('no inputs to sign')
  const signing = wanted.map((item) => {
    const { address, index } = isRecord(item) ? item : {}
    const key = keys.find((each) => each.address === address)
    if (key === undefined) throw refusals.invalid('an input of an address that is not the account’s')
    if (typeof index !== 'number' || !(index >= 0 && index < transaction.inputsLength)) {
      throw refusals.invalid('an input that is not there')
    }
    return { key, index }
  })
  return { transaction, signing, broadcast: broadcast === true }
}

function parse(psbt: unknown): Transaction {
  try {
    return Transaction.fromPSBT(base64.decode(String(psbt)), { allowUnknownInputs: true, allowUnknownOutputs: true })
  } catch {
    throw refusals.invalid('no PSBT')
  }
}

/** Signs what was asked; the rest stays as it is. */
export function signPsbt({ transaction, signing }: PsbtRequest): string {
  for (const { key, index } of signing) {
    try {
      transaction.signIdx(key.secret, index)
    } catch (error) {
      throw new RpcError(-32602, error instanceof Error ? error.message : 'The input cannot be signed.', {
        cause: error,
      })
    }
  }
  return base64.encode(transaction.toPSBT())
}

/** Tells what a transaction takes and where it goes. */
export function describePsbt({ transaction, signing, broadcast }: PsbtRequest, network: Network): TypedDataSummary {
  const { symbol } = network.nativeCurrency
  const signed = new Set(signing.map(({ index }) => index))
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index): TypedNode => {
    const { txid, index: place, witnessUtxo } = transaction.getInput(index)
    const value = witnessUtxo === undefined ? 'unknown amount' : inCoins(witnessUtxo.amount, symbol)
    const whose = signed.has(index) ? 'signed by you' : 'signed by others'
    const name = `${index + 1}. ${txid === undefined ? '' : hex.encode(txid).slice(0, 12)}:${place}`
    return { name, type: whose, value }
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, index): TypedNode => {
    const { amount = 0n, script } = transaction.getOutput(index)
    const to =
      attempt(() => transaction.getOutputAddress(index, writing)) ?? `script ${hex.encode(script ?? new Uint8Array())}`
    return { name: `${index + 1}. ${to}`, type: 'address', value: inCoins(amount, symbol) }
  })
  const fee = attempt(() => transaction.fee)
  return {
    primaryType: broadcast ? 'Transaction, to be sent at once' : 'Transaction',
    domain: [{ name: 'fee', type: symbol, value: fee === undefined ? 'unknown' : inCoins(fee, symbol) }],
    message: [
      { name: 'spends', type: 'list', members: inputs },
      { name: 'pays', type: 'list', members: outputs },
    ],
    foreignChain: undefined,
  }
}

function inCoins(satoshis: bigint, symbol: string): string {
  const digits = String(satoshis).padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)} ${symbol}`
}

function attempt<result>(act: () => result): result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
