import { hex } from '@scure/base'
import { OutScript, RawTx } from '@scure/btc-signer'
import { sha256x2 } from '@scure/btc-signer/utils.js'
import { checkInput, type SpentOutput } from './checkInput.ts'

/** A transaction of the ledger. */
export type LedgerTransaction = {
  txid: string
  raw: Uint8Array
  outputs: readonly SpentOutput[]
  /** The outputs that it spends, by name. */
  spends: readonly string[]
  /** The height of its block; undefined while it is pending. */
  height: number | undefined
}

/** A Bitcoin chain without proof of work: outputs, their spenders, and the consensus rules that wallets rely on. */
export type Ledger = {
  height(): number
  transactions(): readonly LedgerTransaction[]
  find(txid: string): LedgerTransaction | undefined
  isSpent(name: string): LedgerTransaction | undefined
  /**
   * Adds a transaction to the mempool.
   *
   * @throws Error with the name of the violated rule, as Bitcoin Core reports it.
   */
  accept(raw: Uint8Array): LedgerTransaction
  /** Mines a block whose coinbase pays a script. */
  mint(script: Uint8Array, amount: bigint): LedgerTransaction
  /** Mines a block with all pending transactions. */
  mine(): void
}

/** Formats an outpoint as `txid:index`. */
export function outputName(txid: string, index: number): string {
  return `${txid}:${index}`
}

/** Creates a ledger at height 1. */
export function createLedger(): Ledger {
  const transactions = new Map<string, LedgerTransaction>()
  const spent = new Map<string, LedgerTransaction>()
  let height = 1

  function outputOf(txid: string, index: number): SpentOutput {
    const output = transactions.get(txid)?.outputs[index]
    if (output === undefined || spent.has(outputName(txid, index))) throw new Error('bad-txns-inputs-missingorspent')
    return output
  }

  function add(raw: Uint8Array, spends: readonly string[]): LedgerTransaction {
    const { version, inputs, outputs, lockTime } = RawTx.decode(raw)
    const bare = RawTx.encode({ version, segwitFlag: false, inputs, outputs, lockTime })
    const txid = hex.encode(sha256x2(bare).toReversed())
    if (transactions.has(txid)) throw new Error('txn-already-known')
    const transaction: LedgerTransaction = { txid, raw, outputs, spends, height: undefined }
    transactions.set(txid, transaction)
    for (const name of spends) spent.set(name, transaction)
    return transaction
  }

  return {
    height: () => height,
    transactions: () => [...transactions.values()],
    find: (txid) => transactions.get(txid),
    isSpent: (name) => spent.get(name),
    accept(raw) {
      const { inputs, outputs } = RawTx.decode(raw)
      const names = inputs.map(({ txid, index }) => outputName(hex.encode(txid), index))
      if (inputs.length === 0 || outputs.length === 0) throw new Error('bad-txns-vin-or-vout-empty')
      if (new Set(names).size !== names.length) throw new Error('bad-txns-inputs-duplicate')
      const before = inputs.map(({ txid, index }) => outputOf(hex.encode(txid), index))
      const [paid, given] = [before, outputs].map((list) => list.reduce((sum, { amount }) => sum + amount, 0n))
      if (given === undefined || paid === undefined || given > paid) throw new Error('bad-txns-in-belowout')
      before.forEach((_, index) => checkInput(raw, index, before))
      return add(raw, names)
    },
    mint(script, amount) {
      OutScript.decode(script)
      height += 1
      const minted = add(encodeCoinbase(height, { amount, script }), [])
      transactions.set(minted.txid, { ...minted, height })
      return minted
    },
    mine() {
      height += 1
      for (const [txid, transaction] of transactions) {
        if (transaction.height === undefined) transactions.set(txid, { ...transaction, height })
      }
    },
  }
}

/** The coinbase transaction of a block. It contains the height (BIP-34), so that no two are equal. */
function encodeCoinbase(height: number, output: SpentOutput): Uint8Array {
  const input = {
    txid: new Uint8Array(32),
    index: 0xffffffff,
    finalScriptSig: Uint8Array.of(4, ...numberBytes(height)),
    sequence: 0,
  }
  return RawTx.encode({ version: 2, segwitFlag: false, inputs: [input], outputs: [output], lockTime: 0 })
}

function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
