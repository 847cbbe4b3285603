import { hex } from '@scure/base'
import { Address, OutScript, type NETWORK } from '@scure/btc-signer'
import type { SpentOutput } from './checkInput.ts'
import { feeOf, weightOf, type LedgerTransaction } from './ledger.ts'

/** Describes a transaction as Esplora does, without its status. */
export function describeTransaction(transaction: LedgerTransaction, network: typeof NETWORK): object {
  const { txid, spends, inputs, outputs, raw } = transaction
  return {
    txid,
    version: 2,
    vin: spends.map((name, at) => describeInput(name, inputs[at], network)),
    vout: outputs.map((output) => describeOutput(output, network)),
    size: raw.length,
    weight: weightOf(raw),
    fee: Number(feeOf(transaction)),
  }
}

function describeInput(name: string, spent: SpentOutput | undefined, network: typeof NETWORK): object {
  const [txid, index] = name.split(':')
  return { txid, vout: Number(index), prevout: spent === undefined ? null : describeOutput(spent, network) }
}

function describeOutput({ amount, script }: SpentOutput, network: typeof NETWORK): object {
  return { scriptpubkey: hex.encode(script), scriptpubkey_address: addressOf(script, network), value: Number(amount) }
}

/** Scripts without an address have none. */
function addressOf(script: Uint8Array, network: typeof NETWORK): string | undefined {
  try {
    return Address(network).encode(OutScript.decode(script))
  } catch {
    return undefined
  }
}
