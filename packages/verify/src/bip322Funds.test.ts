import { base64 } from '@scure/base'
import { p2pkh, p2sh, p2tr, p2wpkh, RawTx, Transaction as WalletTransaction } from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { describe, expect, test } from 'vitest'
import { verifyBip122, verifyBip322, type Bip322Result } from './bip122.ts'
import { createToSpend } from './bitcoin/toSign.ts'
import { hashTransaction, serializeTransaction, type Transaction } from './bitcoin/transaction.ts'
import { bytesToHex } from './bytes.ts'

type Payment = { script: Uint8Array; address?: string; redeemScript?: Uint8Array; tapInternalKey?: Uint8Array }

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const otherKey = Uint8Array.from({ length: 32 }, (_, index) => index + 101)
const publicKey = pubECDSA(key)
const empty = new Uint8Array()

const statusOf = (address: string, message: string, signature: string): Bip322Result['status'] =>
  verifyBip322(address, message, signature).status

/** Makes a proof of funds: the message of the first payment, and one claimed output of each other one. */
function proveFunds(
  first: Payment,
  claimed: readonly Payment[],
  change: (psbt: ReturnType<typeof RawPSBTV0.decode>) => object = () => ({}),
) {
  const toSpend = createToSpend(first.script, 'Hello')
  const lax = {
    allowUnknownOutputs: true,
    allowUnknownInputs: true,
    disableScriptCheck: true,
    allowLegacyWitnessUtxo: true,
  }
  const transaction = new WalletTransaction({ version: 0, ...lax })
  const add = (payment: Payment, previous: Transaction): void =>
    void transaction.addInput({
      txid: hashTransaction(previous).toReversed(),
      index: 0,
      sequence: 0,
      nonWitnessUtxo: serializeTransaction(previous),
      redeemScript: payment.redeemScript,
      tapInternalKey: payment.tapInternalKey,
    })
  add(first, toSpend)
  for (const [at, payment] of claimed.entries()) add(payment, createFunding(payment, at))
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  transaction.sign(key)
  transaction.finalize()
  const psbt = RawPSBTV0.decode(transaction.toPSBT(0))
  return `pof${base64.encode(RawPSBTV0.encode({ ...psbt, ...change(psbt) }))}`
}

/** A transaction that pays a million satoshis. */
function createFunding({ script }: Payment, at: number): Transaction {
  const input = { outpoint: new Uint8Array(36).fill(at + 1), scriptSig: empty, witness: [], sequence: 0 }
  return { version: 2, lockTime: 0, inputs: [input], outputs: [{ value: 1_000_000n, script }] }
}

describe('a proof of funds', () => {
  const [first, coin, legacyCoin] = [p2wpkh(publicKey), p2tr(pubSchnorr(key)), p2pkh(publicKey)]
  const { address = '' } = first
  const all = [coin, legacyCoin, p2sh(p2wpkh(publicKey))]

  test('is valid and names each output as the chain has it', () => {
    const result = verifyBip322(address, 'Hello', proveFunds(first, all))
    expect(result).toEqual({
      status: 'valid',
      outputs: all.map((payment, at) => ({
        transactionId: bytesToHex(hashTransaction(createFunding(payment, at)).toReversed()),
        index: 0,
        value: 1_000_000n,
        script: bytesToHex(payment.script),
      })),
    })
  })

  test('is refused as a sign-in', () => {
    expect(verifyBip122(address, 'Hello', proveFunds(first, all))).toBe(false)
    expect(verifyBip122(address, 'Hello', proveFunds(first, []))).toBe(false)
  })

  test.each([
    ['a larger value', { amount: 2_000_000n, script: coin.script }],
    ['the script of another address', { amount: 1_000_000n, script: p2tr(pubSchnorr(otherKey)).script }],
  ])('that claims %s is invalid', (_what, witnessUtxo) => {
    const lie = proveFunds(first, [coin], ({ inputs }) => ({
      inputs: inputs.map((input, at) => (at === 1 ? { ...input, nonWitnessUtxo: undefined, witnessUtxo } : input)),
    }))
    expect(statusOf(address, 'Hello', lie)).toBe('invalid')
  })

  test('that claims the output of another transaction is invalid', () => {
    const lie = proveFunds(first, [legacyCoin], ({ inputs }) => ({
      inputs: inputs.map((input, at) =>
        at === 1
          ? {
              ...input,
              nonWitnessUtxo: RawTx.decode(serializeTransaction(createFunding(legacyCoin, 9))),
              witnessUtxo: undefined,
            }
          : input,
      ),
    }))
    expect(statusOf(address, 'Hello', lie)).toBe('invalid')
  })

  test('whose two statements about an output differ is invalid', () => {
    const lie = proveFunds(first, [coin], ({ inputs }) => ({
      inputs: inputs.map((input, at) =>
        at === 1 ? { ...input, witnessUtxo: { amount: 2n, script: coin.script } } : input,
      ),
    }))
    expect(statusOf(address, 'Hello', lie)).toBe('invalid')
  })

  test('without the transaction of an output that has no witness is invalid', () => {
    const lie = proveFunds(first, [legacyCoin], ({ inputs }) => ({
      inputs: inputs.map((input, at) =>
        at === 1
          ? { ...input, nonWitnessUtxo: undefined, witnessUtxo: { amount: 1_000_000n, script: legacyCoin.script } }
          : input,
      ),
    }))
    expect(statusOf(address, 'Hello', lie)).toBe('invalid')
  })

  test('whose output is not signed is invalid', () => {
    const unsigned = proveFunds(first, [coin], ({ inputs }) => ({
      inputs: inputs.map((input, at) => (at === 1 ? { ...input, finalScriptWitness: undefined } : input)),
    }))
    expect(statusOf(address, 'Hello', unsigned)).toBe('invalid')
  })

  test('with more inputs than the limit is inconclusive', () => {
    const many = (count: number): string =>
      proveFunds(first, [coin], ({ global, inputs: [own, claimed] }) => {
        const [spending, spent] = global.unsignedTx?.inputs ?? []
        const indexes = Array.from({ length: count - 1 }, (_, index) => index)
        const witnessUtxo = { amount: 1n, script: coin.script }
        return {
          global: {
            ...global,
            unsignedTx: { ...global.unsignedTx, inputs: [spending, ...indexes.map((index) => ({ ...spent, index }))] },
          },
          inputs: [own, ...indexes.map(() => ({ ...claimed, nonWitnessUtxo: undefined, witnessUtxo }))],
        }
      })
    expect(statusOf(address, 'Hello', many(200))).toBe('invalid')
    expect(statusOf(address, 'Hello', many(201))).toBe('inconclusive')
  })
})
