import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors, RpcError } from '../../rpcError.ts'
import type { TypedDataSummary, TypedNode } from '../typedDataSummary.ts'
import { regtest, type BitcoinAccount, type BitcoinKey } from './bitcoinAccount.ts'

/** A parsed `signPsbt` request. */
export type PsbtRequest = {
  transaction: Transaction
  signing: ReadonlyArray<{ key: BitcoinKey; index: number }>
  broadcast: boolean
}

/** @throws RpcError -32602 if it is not a PSBT with inputs that the account can sign */
export function parsePsbtRequest(params: unknown, { keys }: BitcoinAccount): PsbtRequest {
  const { psbt, signInputs, broadcast } = isRecord(params) ? params : {}
  const transaction = parse(psbt)
  const wanted: readonly unknown[] = Array.isArray(signInputs) ? signInputs : []
  if (wanted.length === 0) throw rpcErrors.invalid('signInputs is empty')
  const signing = wanted.map((item) => {
    const { address, index } = isRecord(item) ? item : {}
    const key = keys.find((each) => each.address === address)
    if (key === undefined) throw rpcErrors.invalid('an input belongs to another address')
    if (typeof index !== 'number' || !(index >= 0 && index < transaction.inputsLength)) {
      throw rpcErrors.invalid('an input index is out of range')
    }
    return { key, index }
  })
  return { transaction, signing, broadcast: broadcast === true }
}

function parse(psbt: unknown): Transaction {
  try {
    return Transaction.fromPSBT(base64.decode(String(psbt)), { allowUnknownInputs: true, allowUnknownOutputs: true })
  } catch {
    throw rpcErrors.invalid('psbt is malformed')
  }
}

/** Signs the requested inputs and leaves the others unchanged. */
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

/** Describes the inputs, outputs and fee of a transaction. */
export function describePsbt({ transaction, signing, broadcast }: PsbtRequest, network: Network): TypedDataSummary {
  const { symbol } = network.nativeCurrency
  const signed = new Set(signing.map(({ index }) => index))
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index): TypedNode => {
    const { txid, index: place, witnessUtxo } = transaction.getInput(index)
    const value = witnessUtxo === undefined ? 'unknown amount' : formatCoins(witnessUtxo.amount, symbol)
    const whose = signed.has(index) ? 'signed by you' : 'signed by others'
    const name = `${index + 1}. ${txid === undefined ? '' : hex.encode(txid).slice(0, 12)}:${place}`
    return { name, type: whose, value }
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, index): TypedNode => {
    const { amount = 0n, script } = transaction.getOutput(index)
    const to =
      attempt(() => transaction.getOutputAddress(index, regtest)) ?? `script ${hex.encode(script ?? new Uint8Array())}`
    return { name: `${index + 1}. ${to}`, type: 'address', value: formatCoins(amount, symbol) }
  })
  const fee = attempt(() => transaction.fee)
  return {
    primaryType: broadcast ? 'Transaction, to be sent at once' : 'Transaction',
    domain: [{ name: 'fee', type: symbol, value: fee === undefined ? 'unknown' : formatCoins(fee, symbol) }],
    message: [
      { name: 'spends', type: 'list', members: inputs },
      { name: 'pays', type: 'list', members: outputs },
    ],
    otherChain: undefined,
  }
}

function formatCoins(satoshis: bigint, symbol: string): string {
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
