import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { Address, p2ms, RawTx, RawWitness, Script } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyBip322, type Bip322Result } from './bip122.ts'
import { createToSign, createToSpend } from './bitcoin/toSign.ts'
import { hashForWitness } from './bitcoin/signatureHash.ts'
import { compactSize, taggedHash } from './bitcoin/taggedHash.ts'
import { hashTransaction, type Transaction } from './bitcoin/transaction.ts'
import { bytesToHex, concatBytes } from './bytes.ts'

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const otherKey = Uint8Array.from({ length: 32 }, (_, index) => index + 101)
const [publicKey, otherPublicKey] = [pubECDSA(key), pubECDSA(otherKey)]

const statusOf = (address: string, message: string, signature: string): Bip322Result['status'] =>
  verifyBip322(address, message, signature).status

/** Signs for a witness script with values of the test's own. */
function signWitnessScript(
  script: Uint8Array,
  stack: (sign: (secret: Uint8Array) => Uint8Array) => readonly Uint8Array[],
  terms: { version?: number; lockTime?: number; sequence?: number } = {},
): { address: string; signature: string } {
  const hash = sha256(script)
  const address = Address().encode({ type: 'wsh', hash })
  const locking = concatBytes(Uint8Array.of(0x00, 0x20), hash)
  const toSpend = createToSpend(locking, 'Hello')
  const { version = 0, lockTime = 0, sequence = 0 } = terms
  const [input] = createToSign(toSpend, { witness: [], scriptSig: new Uint8Array() }).inputs
  const unsigned: Transaction = {
    version,
    lockTime,
    inputs: input === undefined ? [] : [{ ...input, sequence }],
    outputs: [{ value: 0n, script: Uint8Array.of(0x6a) }],
  }
  const digest = hashForWitness({ transaction: unsigned, index: 0, spent: toSpend.outputs }, script)
  const sign = (secret: Uint8Array): Uint8Array =>
    concatBytes(secp256k1.sign(digest, secret, { prehash: false, format: 'der' }), Uint8Array.of(1))
  const raw = RawTx.encode({
    version,
    lockTime,
    segwitFlag: true,
    inputs: [{ txid: hashTransaction(toSpend).toReversed(), index: 0, finalScriptSig: new Uint8Array(), sequence }],
    outputs: [{ amount: 0n, script: Uint8Array.of(0x6a) }],
    witnesses: [[...stack(sign), script]],
  })
  return { address, signature: `ful${base64.encode(raw)}` }
}

function verifyScript(...args: Parameters<typeof signWitnessScript>): Bip322Result['status'] {
  const { address, signature } = signWitnessScript(...args)
  return statusOf(address, 'Hello', signature)
}

const empty = new Uint8Array()
const one = Uint8Array.of(1)
/** The highest S of an ECDSA signature is the order of the curve minus the low one. */
function withHighS(signature: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der')
  const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s)
  return concatBytes(high.toBytes('der'), Uint8Array.of(1))
}

const leafOfOne = Uint8Array.of(0x51)

/** Makes a Taproot address with two scripts. */
function createTree(...scripts: readonly [Uint8Array, Uint8Array]): {
  address: string
  control: (leaf: number) => Uint8Array
} {
  const [first, second] = scripts.map((script) =>
    taggedHash('TapLeaf', Uint8Array.of(0xc0), compactSize(script.length), script),
  )
  const leaves = [first ?? empty, second ?? empty]
  const sorted = leaves.toSorted((one, other) => (bytesToHex(one) < bytesToHex(other) ? -1 : 1))
  const internal = pubSchnorr(otherKey)
  const tweak = taggedHash('TapTweak', internal, taggedHash('TapBranch', ...sorted))
  const lifted = secp256k1.Point.fromBytes(concatBytes(Uint8Array.of(2), internal))
  const point = lifted.add(secp256k1.Point.BASE.multiply(BigInt(`0x${bytesToHex(tweak)}`))).toBytes(true)
  const parity = (point[0] ?? 0) & 1
  return {
    address: Address().encode({ type: 'tr', pubkey: point.subarray(1) }),
    control: (leaf) => concatBytes(Uint8Array.of(0xc0 | parity), internal, leaves[1 - leaf] ?? empty),
  }
}

describe('a script', () => {
  const single = Script.encode([publicKey, 'CHECKSIG'])

  test('with one key is valid only with a canonical signature', () => {
    expect(verifyScript(single, (sign) => [sign(key)])).toBe('valid')
    expect(verifyScript(single, (sign) => [sign(otherKey)])).toBe('invalid')
    expect(verifyScript(single, () => [empty])).toBe('invalid')
    expect(verifyScript(single, (sign) => [withHighS(sign(key))])).toBe('invalid')
    expect(verifyScript(single, (sign) => [concatBytes(sign(key).subarray(0, -1), Uint8Array.of(0x81))])).toBe(
      'invalid',
    )
    expect(verifyScript(single, (sign) => [concatBytes(sign(key).subarray(0, -1))])).toBe('invalid')
  })

  test('with values left over is invalid', () => {
    expect(verifyScript(single, (sign) => [one, sign(key)])).toBe('invalid')
    expect(verifyScript(single, (sign) => [empty, sign(key)])).toBe('invalid')
  })

  test('that anyone can unlock is valid, because that is what its address promises', () => {
    expect(verifyScript(Uint8Array.of(0x51), () => [])).toBe('valid')
    expect(verifyScript(Uint8Array.of(0x00), () => [])).toBe('invalid')
  })

  test('with several keys needs its signatures in order, and an empty extra value', () => {
    const script = p2ms(2, [publicKey, otherPublicKey, pubECDSA(sha256(key))]).script
    expect(verifyScript(script, (sign) => [empty, sign(key), sign(otherKey)])).toBe('valid')
    expect(verifyScript(script, (sign) => [empty, sign(otherKey), sign(sha256(key))])).toBe('valid')
    expect(verifyScript(script, (sign) => [empty, sign(otherKey), sign(key)])).toBe('invalid')
    expect(verifyScript(script, (sign) => [empty, sign(key), sign(key)])).toBe('invalid')
    expect(verifyScript(script, (sign) => [one, sign(key), sign(otherKey)])).toBe('invalid')
    expect(verifyScript(script, (sign) => [empty, sign(key), empty])).toBe('invalid')
    expect(verifyScript(script, (sign) => [empty, sign(key)])).toBe('invalid')
  })

  test('with a lock time is time-locked from that time on', () => {
    const script = Script.encode([900_000, 'CHECKLOCKTIMEVERIFY', 'DROP', publicKey, 'CHECKSIG'])
    const judge = (lockTime: number, sequence = 0): string =>
      verifyScript(script, (sign) => [sign(key)], { version: 2, lockTime, sequence })
    expect(judge(900_000)).toBe('time-locked')
    expect(judge(900_001)).toBe('time-locked')
    expect(judge(899_999)).toBe('invalid')
    // Seconds don't meet a height.
    expect(judge(1_900_000_000)).toBe('invalid')
    expect(judge(900_000, 0xffff_ffff)).toBe('invalid')
    expect(verifyScript(script, (sign) => [sign(key)])).toBe('invalid')
  })

  test('with an age is time-locked from that age on', () => {
    const script = Script.encode([144, 'CHECKSEQUENCEVERIFY', 'DROP', publicKey, 'CHECKSIG'])
    const judge = (sequence: number, version = 2): string =>
      verifyScript(script, (sign) => [sign(key)], { version, sequence })
    expect(judge(144)).toBe('time-locked')
    expect(judge(143)).toBe('invalid')
    expect(judge(144, 0)).toBe('invalid')
    expect(judge(144 | 0x0040_0000)).toBe('invalid')
    expect(judge(0xffff_ffff)).toBe('invalid')
  })

  test('with branches takes only canonical conditions', () => {
    const script = Script.encode(['IF', publicKey, 'ELSE', otherPublicKey, 'ENDIF', 'CHECKSIG'])
    expect(verifyScript(script, (sign) => [sign(key), one])).toBe('valid')
    expect(verifyScript(script, (sign) => [sign(otherKey), empty])).toBe('valid')
    expect(verifyScript(script, (sign) => [sign(otherKey), one])).toBe('invalid')
    expect(verifyScript(script, (sign) => [sign(key), Uint8Array.of(2)])).toBe('invalid')
    expect(verifyScript(script, (sign) => [sign(otherKey), Uint8Array.of(0)])).toBe('invalid')
    expect(verifyScript(script.subarray(0, -2), (sign) => [sign(key), one])).toBe('invalid')
  })

  test('with a hash needs its preimage', () => {
    const secret = Uint8Array.of(9, 8, 7)
    const script = Script.encode(['SHA256', sha256(secret), 'EQUALVERIFY', publicKey, 'CHECKSIG'])
    expect(verifyScript(script, (sign) => [sign(key), secret])).toBe('valid')
    expect(verifyScript(script, (sign) => [sign(key), one])).toBe('invalid')
  })

  test('with operations that BIP-322 forbids is invalid, and with reserved ones inconclusive', () => {
    expect(verifyScript(concatBytes(Uint8Array.of(0xab), single), (sign) => [sign(key)])).toBe('invalid')
    for (const reserved of [0xb0, 0xb3, 0xb9]) {
      const script = concatBytes(Uint8Array.of(reserved), single)
      expect(verifyScript(script, (sign) => [sign(key)])).toBe('inconclusive')
      expect(verifyScript(script, (sign) => [sign(otherKey)])).toBe('invalid')
    }
    for (const disabled of [0x7e, 0x8d, 0x95, 0xba, 0xff]) {
      expect(verifyScript(Uint8Array.of(0x51, 0x51, disabled), () => [])).toBe('invalid')
    }
  })

  test('with pushes that are not minimal is invalid', () => {
    const push = (...prefix: number[]): Uint8Array =>
      concatBytes(Uint8Array.of(...prefix), publicKey, Uint8Array.of(0xac))
    expect(verifyScript(push(33), (sign) => [sign(key)])).toBe('valid')
    expect(verifyScript(push(0x4c, 33), (sign) => [sign(key)])).toBe('invalid')
    expect(verifyScript(push(0x4d, 33, 0), (sign) => [sign(key)])).toBe('invalid')
    expect(verifyScript(Uint8Array.of(0x01, 0x01), () => [])).toBe('invalid')
  })

  test('with more than the limits of Bitcoin is invalid', () => {
    const nops = (count: number): Uint8Array => concatBytes(new Uint8Array(count).fill(0x61), Uint8Array.of(0x51))
    expect(verifyScript(nops(201), () => [])).toBe('valid')
    expect(verifyScript(nops(202), () => [])).toBe('invalid')
    expect(verifyScript(nops(10_000), () => [])).toBe('invalid')
    expect(verifyScript(Uint8Array.of(0x75, 0x51), () => [new Uint8Array(520)])).toBe('valid')
    expect(verifyScript(Uint8Array.of(0x75, 0x51), () => [new Uint8Array(521)])).toBe('invalid')
    expect(verifyScript(new Uint8Array(1_001).fill(0x51), () => [])).toBe('invalid')
  })

  test('of a Taproot address is valid only with its control block', () => {
    const leaf = Script.encode([pubSchnorr(key), 'CHECKSIG'])
    const { address, control } = createTree(leaf, Uint8Array.of(0x51))
    const judge = (...witness: Uint8Array[]): string =>
      statusOf(address, 'Hello', `smp${base64.encode(RawWitness.encode(witness))}`)
    expect(judge(Uint8Array.of(0x51), control(1))).toBe('valid')
    expect(judge(Uint8Array.of(0x51), control(0))).toBe('invalid')
    expect(judge(Uint8Array.of(0x52), control(1))).toBe('invalid')
    expect(judge(Uint8Array.of(0x51), control(1).subarray(0, -1))).toBe('invalid')
    expect(
      judge(
        Uint8Array.of(0x51),
        control(1).map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
      ),
    ).toBe('invalid')
    expect(judge(leaf, control(0))).toBe('invalid')
    expect(judge(new Uint8Array(64), leaf, control(0))).toBe('invalid')
    // An annex may get a meaning later.
    expect(judge(Uint8Array.of(0x51), control(1), Uint8Array.of(0x50, 1))).toBe('inconclusive')
    expect(judge(Uint8Array.of(0x52), control(1), Uint8Array.of(0x50, 1))).toBe('invalid')
  })

  test('of a Taproot address with a reserved operation is inconclusive', () => {
    for (const opcode of [0x50, 0x7e, 0xbb, 0xfe]) {
      const script = Uint8Array.of(0x51, opcode)
      const { address, control } = createTree(script, leafOfOne)
      const witness = RawWitness.encode([script, control(0)])
      expect(statusOf(address, 'Hello', `smp${base64.encode(witness)}`)).toBe('inconclusive')
    }
  })

  test('of any script returns a state', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 5 }),
        (script, stack) => {
          expect(['valid', 'invalid', 'inconclusive']).toContain(verifyScript(script, () => stack))
        },
      ),
    )
  })

  test('with more operations than are run is inconclusive', () => {
    // A Tapscript has no limit of its own.
    const leaf = concatBytes(leafOfOne, new Uint8Array(20_000).fill(0x61))
    const { address, control } = createTree(leaf, leafOfOne)
    const witness = RawWitness.encode([leaf, control(0)])
    expect(statusOf(address, 'Hello', `smp${base64.encode(witness)}`)).toBe('inconclusive')
  })
})
