import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { getPublicKey, secretFromSeed, sign as signSr25519 } from '@scure/sr25519'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { privateKeyToAccount } from 'viem/accounts'
import { compactSignatureToHex, parseSignature, signatureToCompactSignature } from 'viem'
import { bytesToHex, concatBytes, utf8Bytes } from './bytes.ts'
import { verifyEip155 } from './eip155.ts'
import { parseSs58Account, verifyPolkadot } from './polkadot.ts'
import { verifySolana, verifySolanaBytes } from './solana.ts'

const seed = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const concatHex = (...parts: Uint8Array[]): `0x${string}` => `0x${bytesToHex(concatBytes(...parts))}`

/** Writes an account as a network does (SS58). */
function addressOn(network: number, account: Uint8Array): string {
  const prefix =
    network < 64
      ? Uint8Array.of(network)
      : Uint8Array.of(((network & 0xfc) >> 2) | 0x40, (network >> 8) | ((network & 0x03) << 6))
  const bytes = concatBytes(prefix, account)
  const checksum = blake2b(concatBytes(utf8Bytes('SS58PRE'), bytes), { dkLen: 64 }).subarray(0, 2)
  return base58.encode(concatBytes(bytes, checksum))
}

/** The three kinds of accounts of Polkadot: their id, the byte of their scheme, and how they sign. */
const secret = secretFromSeed(seed)
const polkadotKeys = {
  ed25519: [0x00, ed25519.getPublicKey(seed), (bytes: Uint8Array) => ed25519.sign(bytes, seed)],
  sr25519: [0x01, getPublicKey(secret), (bytes: Uint8Array) => signSr25519(secret, bytes)],
  ecdsa: [0x02, blake2b(secp256k1.getPublicKey(seed), { dkLen: 32 }), signEcdsa],
} as const

function signEcdsa(bytes: Uint8Array): Uint8Array {
  const digest = blake2b(bytes, { dkLen: 32 })
  const signed = secp256k1.sign(digest, seed, { prehash: false, format: 'recovered' })
  return concatBytes(signed.subarray(1), signed.subarray(0, 1))
}

/** Changes one bit of some bytes. */
function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  return Uint8Array.from(bytes, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
}

describe('an eip155 message', () => {
  const account = privateKeyToAccount(concatHex(seed))

  test('verifies with each form of its signature, and for no other address or text', async () => {
    const signature = await account.signMessage({ message: 'Grüße' })
    const zeroBased = `${signature.slice(0, -2)}0${Number(signature.endsWith('1c'))}`
    const compact = compactSignatureToHex(signatureToCompactSignature(parseSignature(signature)))
    for (const each of [signature, zeroBased, compact, signature.slice(2)]) {
      expect(verifyEip155(account.address, 'Grüße', each)).toBe(true)
      expect(verifyEip155(account.address.toLowerCase(), 'Grüße', each)).toBe(true)
      expect(verifyEip155(account.address, 'Gruesse', each)).toBe(false)
      expect(verifyEip155('0x0000000000000000000000000000000000000000', 'Grüße', each)).toBe(false)
    }
  })

  test('is refused if any bit of its signature is flipped', { tags: 'abuse' }, async () => {
    const signature = await account.signMessage({ message: 'Hello' })
    const bytes = Uint8Array.from(signature.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
    fc.assert(
      fc.property(fc.nat(65 * 8 - 1), (bit) => {
        expect(verifyEip155(account.address, 'Hello', concatHex(flipBit(bytes, bit)))).toBe(false)
      }),
    )
  })
})

describe('a Solana message', () => {
  const address = base58.encode(ed25519.getPublicKey(seed))
  const signature = ed25519.sign(utf8Bytes('Hello'), seed)

  test('verifies with its signature, and for no other address or text', () => {
    expect(verifySolana(address, 'Hello', base58.encode(signature))).toBe(true)
    expect(verifySolana(address, 'hello', base58.encode(signature))).toBe(false)
    expect(
      verifySolana(base58.encode(ed25519.getPublicKey(seed.toReversed())), 'Hello', base58.encode(signature)),
    ).toBe(false)
  })

  test('of bytes that are no text verifies with its signature, and with no other bytes', () => {
    const bytes = Uint8Array.of(255, 254, 0)
    const signed = ed25519.sign(bytes, seed)
    expect(verifySolanaBytes(address, bytes, signed)).toBe(true)
    expect(verifySolanaBytes(address, bytes.toReversed(), signed)).toBe(false)
    expect(verifySolanaBytes('text', bytes, signed)).toBe(false)
    expect(verifySolanaBytes(address, bytes, signed.subarray(1))).toBe(false)
  })

  test('is refused with a small-order key, which would accept a signature for any message', () => {
    const weak = Uint8Array.from({ length: 32 }, (_, index) => Number(index === 0))
    const forged = concatBytes(weak, new Uint8Array(32))
    expect(ed25519.verify(forged, utf8Bytes('Hello'), weak, { zip215: true })).toBe(true)
    expect(verifySolana(base58.encode(weak), 'Hello', base58.encode(forged))).toBe(false)
  })

  test('is refused if any bit of its signature is flipped', () => {
    fc.assert(
      fc.property(fc.nat(64 * 8 - 1), (bit) => {
        expect(verifySolana(address, 'Hello', base58.encode(flipBit(signature, bit)))).toBe(false)
      }),
    )
  })
})

describe('a Polkadot message', () => {
  test('has one account for Alice’s published addresses on all networks (SS58)', () => {
    const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
    for (const address of [
      '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
      '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
      'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
    ]) {
      expect(bytesToHex(parseSs58Account(address) ?? new Uint8Array())).toBe(alice)
    }
  })

  test.each(Object.entries(polkadotKeys))('verifies with %s, wrapped or not', (_, [scheme, account, sign]) => {
    for (const network of [0, 2, 42, 63, 64, 255, 1284, 16383]) {
      const address = addressOn(network, account)
      for (const text of ['<Bytes>Hello</Bytes>', 'Hello']) {
        const signature = sign(utf8Bytes(text))
        expect(verifyPolkadot(address, 'Hello', concatHex(signature))).toBe(true)
        expect(verifyPolkadot(address, 'Hello', concatHex(Uint8Array.of(scheme), signature))).toBe(true)
        if (network === 42) expect(verifyPolkadot(address, 'hello', concatHex(signature))).toBe(false)
      }
    }
  })

  test('is refused with another key’s scheme or a wrong checksum', () => {
    const [, account, sign] = polkadotKeys.sr25519
    const signature = concatHex(sign(utf8Bytes('<Bytes>Hello</Bytes>')))
    const address = addressOn(42, account)
    for (const [, other] of [polkadotKeys.ed25519, polkadotKeys.ecdsa]) {
      expect(verifyPolkadot(addressOn(42, other), 'Hello', signature)).toBe(false)
    }
    expect(verifyPolkadot(address.slice(0, -1) + (address.endsWith('a') ? 'b' : 'a'), 'Hello', signature)).toBe(false)
  })

  test.each(Object.entries(polkadotKeys))('is refused if a bit of its signature is flipped: %s', (_, key) => {
    const [, account, sign] = key
    const [address, signature] = [addressOn(0, account), sign(utf8Bytes('<Bytes>Hello</Bytes>'))]
    fc.assert(
      fc.property(fc.nat(signature.length * 8 - 1), (bit) => {
        expect(verifyPolkadot(address, 'Hello', concatHex(flipBit(signature, bit)))).toBe(false)
      }),
      { numRuns: 25 },
    )
  })
})

test('any other input is refused without an exception', () => {
  const [, account] = polkadotKeys.sr25519
  const address = addressOn(42, account)
  fc.assert(
    fc.property(fc.string(), fc.uint8Array({ minLength: 60, maxLength: 70 }), (text, bytes) => {
      for (const verify of [verifyEip155, verifySolana, verifyPolkadot]) {
        expect(verify(text, text, text)).toBe(false)
        expect(verify(text, text, concatHex(bytes))).toBe(false)
        expect(verify(text, text, base58.encode(bytes))).toBe(false)
      }
      expect(verifyPolkadot(address, text, concatHex(bytes))).toBe(false)
    }),
    { numRuns: 50 },
  )
})
