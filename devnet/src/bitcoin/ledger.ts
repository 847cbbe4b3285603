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
  /** The outputs that it spends, in the order of `spends`. */
  inputs: readonly SpentOutput[]
  /** True if it signals that it can be replaced (BIP-125). */
  replaceable: boolean
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
  const { transactions, spenderOf, outputOf, add, remove, conflictsOf } = createTransactionPool()
  let height = 1

  return {
    height: () => height,
    transactions: () => [...transactions.values()],
    find: (txid) => transactions.get(txid),
    isSpent: spenderOf,
    accept(raw) {
      const { inputs, outputs } = RawTx.decode(raw)
      const names = inputs.map(({ txid, index }) => outputName(hex.encode(txid), index))
      if (inputs.length === 0 || outputs.length === 0) throw new Error('bad-txns-vin-or-vout-empty')
      if (new Set(names).size !== names.length) throw new Error('bad-txns-inputs-duplicate')
      const before = inputs.map(({ txid, index }) => outputOf(hex.encode(txid), index))
      const transaction = describe(raw, before)
      if (transactions.has(transaction.txid)) throw new Error('txn-already-known')
      checkFee(transaction)
      const conflicts = conflictsOf(transaction)
      checkReplacement(transaction, conflicts)
      before.forEach((_, index) => checkInput(raw, index, before))
      for (const conflict of conflicts) remove(conflict)
      return add(raw, before)
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

/** The transactions of a ledger, and which of them spends which output. */
type TransactionPool = {
  transactions: Map<string, LedgerTransaction>
  spenderOf(name: string): LedgerTransaction | undefined
  /** @throws Error if there is no such output, or a mined transaction spent it */
  outputOf(txid: string, index: number): SpentOutput
  add(raw: Uint8Array, inputs: readonly SpentOutput[]): LedgerTransaction
  /** Removes a pending transaction, and all that spend its outputs. */
  remove(transaction: LedgerTransaction): void
  /** Returns the transactions that spend the same outputs. */
  conflictsOf(transaction: LedgerTransaction): readonly LedgerTransaction[]
}

function createTransactionPool(): TransactionPool {
  const transactions = new Map<string, LedgerTransaction>()
  /** The id of the transaction that spends an output, by the name of the output. */
  const spent = new Map<string, string>()

  function spenderOf(name: string): LedgerTransaction | undefined {
    return transactions.get(spent.get(name) ?? '')
  }

  function outputOf(txid: string, index: number): SpentOutput {
    const output = transactions.get(txid)?.outputs[index]
    const spender = spenderOf(outputName(txid, index))
    if (output === undefined || spender?.height !== undefined) throw new Error('bad-txns-inputs-missingorspent')
    return output
  }

  function add(raw: Uint8Array, inputs: readonly SpentOutput[]): LedgerTransaction {
    const transaction = describe(raw, inputs)
    transactions.set(transaction.txid, transaction)
    for (const name of transaction.spends) spent.set(name, transaction.txid)
    return transaction
  }

  function remove({ txid, spends, outputs }: LedgerTransaction): void {
    outputs.forEach((_, index) => {
      const child = spenderOf(outputName(txid, index))
      if (child !== undefined) remove(child)
    })
    transactions.delete(txid)
    for (const name of spends) spent.delete(name)
  }

  function conflictsOf({ spends }: LedgerTransaction): readonly LedgerTransaction[] {
    return [...new Set(spends.flatMap((name) => spenderOf(name) ?? []))]
  }

  return { transactions, spenderOf, outputOf, add, remove, conflictsOf }
}

function describe(raw: Uint8Array, spentOutputs: readonly SpentOutput[]): LedgerTransaction {
  const { version, inputs, outputs, lockTime } = RawTx.decode(raw)
  const bare = RawTx.encode({ version, segwitFlag: false, inputs, outputs, lockTime })
  const isCoinbase = spentOutputs.length === 0
  return {
    txid: hex.encode(sha256x2(bare).toReversed()),
    raw,
    outputs,
    spends: isCoinbase ? [] : inputs.map(({ txid, index }) => outputName(hex.encode(txid), index)),
    inputs: spentOutputs,
    replaceable: inputs.some(({ sequence }) => sequence < 0xfffffffe),
    height: undefined,
  }
}

/** Returns the fee of a transaction in satoshis; 0 for a coinbase. */
export function feeOf({ inputs, outputs }: Pick<LedgerTransaction, 'inputs' | 'outputs'>): bigint {
  return inputs.length === 0 ? 0n : sumOf(inputs) - sumOf(outputs)
}

/** Returns the weight of a transaction (BIP-141). */
export function weightOf(raw: Uint8Array): number {
  const { version, inputs, outputs, lockTime } = RawTx.decode(raw)
  return RawTx.encode({ version, segwitFlag: false, inputs, outputs, lockTime }).length * 3 + raw.length
}

function sumOf(outputs: readonly SpentOutput[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n)
}

/** The rules by which nodes relay: a fee of one satoshi per virtual byte, and no output that costs more than it holds. */
function checkFee(transaction: LedgerTransaction): void {
  const fee = feeOf(transaction)
  if (fee < 0n) throw new Error('bad-txns-in-belowout')
  if (fee < BigInt(Math.ceil(weightOf(transaction.raw) / 4))) throw new Error('min relay fee not met')
  if (transaction.outputs.some(isDust)) throw new Error('dust')
}

function isDust({ amount, script }: SpentOutput): boolean {
  const { type } = OutScript.decode(script)
  const isWitness = type === 'wpkh' || type === 'wsh' || type === 'tr'
  return amount < BigInt(9 + script.length + (isWitness ? 67 : 148)) * 3n
}

/** The rules of BIP-125: all conflicts signal it, and the new fee is higher than theirs together. */
function checkReplacement(transaction: LedgerTransaction, conflicts: readonly LedgerTransaction[]): void {
  if (conflicts.some(({ replaceable }) => !replaceable)) throw new Error('txn-mempool-conflict')
  const spendsConflict = conflicts.some(({ txid }) => transaction.spends.some((name) => name.startsWith(txid)))
  if (spendsConflict) throw new Error('bad-txns-spends-conflicting-tx')
  const paid = conflicts.reduce((sum, each) => sum + feeOf(each), 0n)
  if (conflicts.length > 0 && feeOf(transaction) <= paid) throw new Error('insufficient fee, rejecting replacement')
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
