import { readFileSync } from 'node:fs'
import { base64 } from '@scure/base'
import {
  p2ms,
  p2pkh,
  p2sh,
  p2tr,
  p2wpkh,
  p2wsh,
  RawTx,
  SigHash,
  Transaction as WalletTransaction,
} from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyBip122, verifyBip322, type Bip322Result } from './bip122.ts'
import { createToSign, createToSpend } from './bitcoin/toSign.ts'
import { parseBitcoinScript } from './bitcoin/lockingScript.ts'
import { compactSize } from './bitcoin/taggedHash.ts'
import { hashTransaction, parseTransaction, serializeTransaction, toTransaction } from './bitcoin/transaction.ts'
import { bytesToHex, concatBytes, hexToBytes } from './bytes.ts'

type Vector = { message: string; address: string; signature: string; wrongMessage?: string; wrongAddress?: string }
type Vectors = {
  hashes: readonly { message: string; toSpend: string; toSign: string }[]
  signatures: readonly (Vector & {
    type: string
    wrongMessage: string
    wrongAddress: string
    time?: number
    age?: number
  })[]
  proofsOfFunds: readonly (Vector & { scripts: readonly string[] })[]
}

const vectors = JSON.parse(readFileSync(new URL('bitcoin/bip322Vectors.test.json', import.meta.url), 'utf8')) as Vectors
const signatures = vectors.signatures.map((vector) => [vector.type, vector.signature.slice(0, 3), vector] as const)

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const otherKey = Uint8Array.from({ length: 32 }, (_, index) => index + 101)
const [publicKey, otherPublicKey] = [pubECDSA(key), pubECDSA(otherKey)]
const valid: Bip322Result = { status: 'valid', outputs: [] }

const statusOf = (address: string, message: string, signature: string): Bip322Result['status'] =>
  verifyBip322(address, message, signature).status

function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes.toReversed())
}

describe('BIP-322 test vector', () => {
  test.each(vectors.hashes)('of the transaction hashes of "$message" is met', ({ message, toSpend, toSign }) => {
    const { script } = parseBitcoinScript('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l') ?? { script: new Uint8Array() }
    const spent = createToSpend(script, message)
    expect(hexOf(hashTransaction(spent))).toBe(toSpend)
    expect(hexOf(hashTransaction(createToSign(spent, { witness: [], scriptSig: new Uint8Array() })))).toBe(toSign)
  })

  test.each(signatures)('%s %s… is valid, at its time and age', (_type, _prefix, vector) => {
    const { address, message, signature, time, age } = vector
    const expected = time === undefined ? valid : { status: 'time-locked', time, age, outputs: [] }
    expect(verifyBip322(address, message, signature)).toEqual(expected)
    // A sign-in only accepts what is valid at any time.
    expect(verifyBip122(address, message, signature)).toBe(time === undefined)
  })

  test.each(signatures)('%s %s… without a prefix has the same result', (_type, _prefix, vector) => {
    const { address, message, signature } = vector
    expect(verifyBip322(address, message, signature.slice(3))).toEqual(verifyBip322(address, message, signature))
  })

  test.each(signatures)('%s %s… is invalid with another message, signer or format', (_type, prefix, vector) => {
    const { address, message, signature, wrongMessage, wrongAddress } = vector
    expect(statusOf(address, wrongMessage, signature)).toBe('invalid')
    expect(statusOf(wrongAddress, message, signature)).toBe('invalid')
    for (const other of ['smp', 'ful', 'pof'].filter((each) => each !== prefix)) {
      expect(statusOf(address, message, other + signature.slice(3))).toBe('invalid')
    }
  })

  test.each(vectors.proofsOfFunds)('proof of funds of $address is valid and names its outputs', (vector) => {
    const { address, message, signature, scripts } = vector
    const result = verifyBip322(address, message, signature)
    expect(result).toMatchObject({ status: 'time-locked', time: 123, age: 456 })
    const outputs = result.status === 'time-locked' ? result.outputs : []
    expect(outputs.map(({ script }) => script)).toEqual(scripts)
    expect(
      outputs.every(({ value, transactionId }) => value === 345_678n && /^[0-9a-f]{64}$/.test(transactionId)),
    ).toBe(true)
    expect(statusOf(address, `${message}!`, signature)).toBe('invalid')
    expect(statusOf(vectors.signatures[0]?.address ?? '', message, signature)).toBe('invalid')
    expect(verifyBip122(address, message, signature)).toBe(false)
  })
})

type Payment = {
  script: Uint8Array
  address?: string
  redeemScript?: Uint8Array
  witnessScript?: Uint8Array
  tapInternalKey?: Uint8Array
}
type Terms = { version?: number; lockTime?: number; sequence?: number; sighash?: SigHash; keys?: readonly Uint8Array[] }

/** Signs like a wallet: a real transaction that spends the one with the message. */
function signTransaction(payment: Payment, message: string, terms: Terms = {}): WalletTransaction {
  const { version = 0, lockTime = 0, sequence = 0, sighash, keys = [key] } = terms
  const toSpend = createToSpend(payment.script, message)
  const lax = {
    allowUnknownOutputs: true,
    allowUnknownInputs: true,
    disableScriptCheck: true,
    allowLegacyWitnessUtxo: true,
  }
  const transaction = new WalletTransaction({ version, lockTime, ...lax })
  transaction.addInput({
    txid: hashTransaction(toSpend).toReversed(),
    index: 0,
    sequence,
    nonWitnessUtxo: serializeTransaction(toSpend),
    redeemScript: payment.redeemScript,
    witnessScript: payment.witnessScript,
    tapInternalKey: payment.tapInternalKey,
    sighashType: sighash,
  })
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  for (const each of keys) transaction.sign(each, sighash === undefined ? undefined : [sighash])
  transaction.finalize()
  return transaction
}

function signFull(payment: Payment, message: string, terms: Terms = {}): string {
  return `ful${base64.encode(signTransaction(payment, message, terms).toBytes(true, true))}`
}

const twoOfTwo = p2ms(2, [publicKey, otherPublicKey])
const payments: Readonly<Record<string, readonly [Payment, Terms]>> = {
  P2PKH: [p2pkh(publicKey), {}],
  P2WPKH: [p2wpkh(publicKey), {}],
  'P2SH-P2WPKH': [p2sh(p2wpkh(publicKey)), {}],
  P2TR: [p2tr(pubSchnorr(key)), {}],
  'P2WSH of two keys': [p2wsh(twoOfTwo), { keys: [key, otherKey] }],
  'P2SH of two keys': [p2sh(twoOfTwo), { keys: [key, otherKey] }],
  'P2SH-P2WSH of two keys': [p2sh(p2wsh(twoOfTwo)), { keys: [key, otherKey] }],
}
const kinds = Object.entries(payments).map(([kind, [payment, terms]]) => ({ kind, payment, terms }))

/** Changes a full signature after it was made. */
function changeFull(signature: string, change: (transaction: ReturnType<typeof RawTx.decode>) => object): string {
  const transaction = RawTx.decode(base64.decode(signature.slice(3)))
  return `ful${base64.encode(RawTx.encode({ ...transaction, ...change(transaction) }))}`
}

describe('a full signature', () => {
  test.each(kinds)('of $kind is valid, and time-locked if it has a lock', ({ payment, terms }) => {
    const { address = '' } = payment
    expect(verifyBip322(address, 'Hello', signFull(payment, 'Hello', terms))).toEqual(valid)
    expect(verifyBip122(address, 'Hello', signFull(payment, 'Hello', terms))).toBe(true)
    expect(statusOf(address, 'hello', signFull(payment, 'Hello', terms))).toBe('invalid')
    const locked = signFull(payment, 'Hello', { ...terms, version: 2, lockTime: 900_000, sequence: 144 })
    expect(verifyBip322(address, 'Hello', locked)).toEqual({
      status: 'time-locked',
      time: 900_000,
      age: 144,
      outputs: [],
    })
    expect(verifyBip122(address, 'Hello', locked)).toBe(false)
  })

  test.each(kinds)('of $kind with another version is inconclusive', ({ payment, terms }) => {
    for (const version of [1, 3]) {
      const signature = signFull(payment, 'Hello', { ...terms, version })
      expect(statusOf(payment.address ?? '', 'Hello', signature)).toBe('inconclusive')
      expect(statusOf(payment.address ?? '', 'Hello!', signature)).toBe('invalid')
      expect(verifyBip122(payment.address ?? '', 'Hello', signature)).toBe(false)
    }
  })

  test.each(kinds)('of $kind is invalid if anything that is signed was changed', ({ payment, terms }) => {
    const signature = signFull(payment, 'Hello', terms)
    const judge = (change: Parameters<typeof changeFull>[1]): string =>
      statusOf(payment.address ?? '', 'Hello', changeFull(signature, change))
    expect(judge(() => ({}))).toBe('valid')
    expect(judge(() => ({ version: 2 }))).toBe('invalid')
    expect(judge(() => ({ lockTime: 1 }))).toBe('invalid')
    expect(judge(({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, sequence: 1 })) }))).toBe('invalid')
    expect(judge(({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, index: 1 })) }))).toBe('invalid')
    expect(judge(({ outputs }) => ({ outputs: [...outputs, ...outputs] }))).toBe('invalid')
    expect(judge(() => ({ outputs: [] }))).toBe('invalid')
    expect(judge(() => ({ outputs: [{ amount: 1n, script: Uint8Array.of(0x6a) }] }))).toBe('invalid')
    expect(judge(() => ({ outputs: [{ amount: 0n, script: Uint8Array.of(0x51) }] }))).toBe('invalid')
  })

  test.each(kinds)('of $kind is invalid with another type than SIGHASH_ALL', ({ payment, terms }) => {
    const types = [SigHash.NONE, SigHash.SINGLE, SigHash.ALL_ANYONECANPAY, SigHash.NONE_ANYONECANPAY]
    for (const sighash of types) {
      expect(statusOf(payment.address ?? '', 'Hello', signFull(payment, 'Hello', { ...terms, sighash }))).toBe(
        'invalid',
      )
    }
  })

  test.each(kinds)('of $kind is invalid with hidden inputs', ({ payment, terms }) => {
    const signature = signFull(payment, 'Hello', terms)
    const hidden = { txid: new Uint8Array(32).fill(7), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }
    const before = changeFull(signature, ({ inputs, witnesses }) => ({
      inputs: [hidden, ...inputs],
      witnesses: witnesses === undefined ? undefined : [[], ...witnesses],
    }))
    const after = changeFull(signature, ({ inputs, witnesses }) => ({
      inputs: [...inputs, hidden],
      witnesses: witnesses === undefined ? undefined : [...witnesses, []],
    }))
    const twice = changeFull(signature, ({ inputs, witnesses }) => ({
      inputs: [...inputs, ...inputs],
      witnesses: witnesses === undefined ? undefined : [...witnesses, ...witnesses],
    }))
    for (const changed of [before, after, twice])
      expect(statusOf(payment.address ?? '', 'Hello', changed)).toBe('invalid')
  })

  test.each(kinds)('of $kind for the transaction of another address or message is invalid', ({ payment, terms }) => {
    for (const other of kinds.filter(({ payment: { address } }) => address !== payment.address)) {
      const signature = signFull(payment, 'Hello', terms)
      expect(statusOf(other.payment.address ?? '', 'Hello', signature)).toBe('invalid')
      // The attacker puts the outpoint of the other message into their own transaction.
      const txid = hashTransaction(createToSpend(other.payment.script, 'Hello')).toReversed()
      const moved = changeFull(signature, ({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, txid })) }))
      expect(statusOf(other.payment.address ?? '', 'Hello', moved)).toBe('invalid')
    }
  })

  test.each(kinds)('of $kind is invalid with bytes that are missing, left over or changed', ({ payment, terms }) => {
    const { address = '' } = payment
    const bytes = base64.decode(signFull(payment, 'Hello', terms).slice(3))
    const judge = (changed: Uint8Array): string => statusOf(address, 'Hello', `ful${base64.encode(changed)}`)
    expect(judge(bytes)).toBe('valid')
    expect(judge(concatBytes(bytes, Uint8Array.of(0)))).toBe('invalid')
    expect(judge(bytes.subarray(0, -1))).toBe('invalid')
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Uint8Array.from(bytes, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect(['valid', 'time-locked']).not.toContain(judge(changed))
      }),
      { numRuns: 60 },
    )
  })

  test('is invalid with a length that is not minimal', () => {
    const { address = '', ...payment } = p2wpkh(publicKey)
    const bytes = base64.decode(signFull(payment, 'Hello').slice(3))
    // Version, marker and flag are followed by the number of inputs.
    for (const longer of [
      Uint8Array.of(0xfd, 1, 0),
      Uint8Array.of(0xfe, 1, 0, 0, 0),
      Uint8Array.of(0xff, 1, 0, 0, 0, 0, 0, 0, 0),
    ]) {
      const changed = concatBytes(bytes.subarray(0, 6), longer, bytes.subarray(7))
      expect(statusOf(address, 'Hello', `ful${base64.encode(changed)}`)).toBe('invalid')
    }
  })

  test('is invalid in other spellings of its text', () => {
    const { address = '', ...payment } = p2tr(pubSchnorr(key))
    const signature = signFull(payment, 'Hello')
    const body = signature.slice(3)
    const urlSafe = body.replaceAll('+', '-').replaceAll('/', '_')
    const spellings = [
      ` ${signature}`,
      `${signature}\n`,
      `FUL${body}`,
      `ful:${body}`,
      `ful${body}=`,
      `fulful${body}`,
      `ful${body.slice(0, 8)}\n${body.slice(8)}`,
    ]
    for (const text of spellings) expect(statusOf(address, 'Hello', text)).toBe('invalid')
    expect(urlSafe === body || statusOf(address, 'Hello', `ful${urlSafe}`) === 'invalid').toBe(true)
    for (const text of ['', 'ful', 'smp', 'pof', 'ful====']) expect(statusOf(address, 'Hello', text)).toBe('invalid')
  })
})

describe('hostile input', () => {
  const addresses = [
    ...kinds.map(({ payment }) => payment.address ?? ''),
    'bc1q',
    '',
    '\u0000',
    '1BitcoinEaterAddressDontSendf59kuE',
  ]

  test('of a megabyte is invalid without being decoded', () => {
    for (const prefix of ['', 'smp', 'ful', 'pof']) {
      for (const address of addresses) expect(statusOf(address, 'Hello', prefix + 'A'.repeat(2 ** 20))).toBe('invalid')
    }
  })

  test('never throws and never verifies', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...addresses),
        fc.constantFrom('', 'smp', 'ful', 'pof', 'pofcHNidP8B', 'fulAgAAAAABAQ'),
        fc.uint8Array({ maxLength: 300 }),
        (address, prefix, bytes) => {
          expect(['valid', 'time-locked']).not.toContain(statusOf(address, 'Hello', prefix + base64.encode(bytes)))
        },
      ),
    )
  })

  test('with a huge count of items is invalid', () => {
    for (const count of [0xff, 0xffff, 0xffff_ffff]) {
      const bytes = concatBytes(count > 0xfc ? compactSize(count) : Uint8Array.of(count), new Uint8Array(50))
      for (const address of addresses) expect(statusOf(address, 'Hello', `smp${base64.encode(bytes)}`)).toBe('invalid')
    }
  })
})

test('a transaction is parsed and serialised without a change', () => {
  for (const { signature } of vectors.signatures.filter((vector) => vector.signature.startsWith('ful'))) {
    const bytes = base64.decode(signature.slice(3))
    const transaction = parseTransaction(bytes)
    const again = toTransaction(RawTx.decode(serializeTransaction(transaction)))
    expect(hashTransaction(again)).toEqual(hashTransaction(transaction))
  }
  expect(() => parseTransaction(hexToBytes('00'))).toThrow('Reader')
})
