import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64, bech32 } from '@scure/base'
import {
  NETWORK,
  p2pkh,
  p2sh,
  p2tr,
  p2wpkh,
  p2wsh,
  p2ms,
  RawWitness,
  SigHash,
  TEST_NETWORK,
  Transaction,
  WIF,
} from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyBip122 } from './bip122.ts'
import { concatBytes, utf8Bytes } from './bytes.ts'
import { compactSize, doubleSha256, hash160, taggedHash } from './bitcoin/taggedHash.ts'

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const [ecdsaKey, schnorrKey] = [pubECDSA(key), pubSchnorr(key)]
const networks = { mainnet: NETWORK, testnet: TEST_NETWORK, regtest: { ...TEST_NETWORK, bech32: 'bcrt' } }

/** The published vectors of BIP-322 (CC0) that are of one key: address, message, signature. */
const published = [
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '',
    'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '',
    'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'smpAkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
  [
    'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler',
    'No prefix fallback',
    'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R',
  ],
  [
    'bc1qkntwc3c4dzxh9xh6875l03fn3vkk023jgak3u7',
    'ESHJI7MWUL64AXHBI42L3UR4QA',
    'AkcwRAIgCYHF/vn67iZX5WBimh84kqD6pTME6eNCMGhfFnnwCNECIAF3nMCk/RfLit+uv8a8FgfQIw0f0ASE21GSz7rX17PsASEDTA2vM8bOtUFgvenSDUmvkq7aWNwoTB0CMiM6carHY1s=',
  ],
  [
    'bc1p9cyuceaazr8cz46mvgkzl94wy397mwpqsrk84su37t72jvkg6wzqv52nfp',
    'TPIZPITUIHEUHO5ACOL6W6MBVD',
    'AUBay6NwR4LEYedkTG+vE9F7C0RTOCB5NH6ZAqf+3hudjHIkOzSZk1jW/5Kt0wRKX3llJ25os+0qktdou4/Y8516',
  ],
] as const

/** The published vector of a witness script with three keys, all of which sign. */
const multisig = [
  'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9',
  'This will be a p2wsh 3-of-3 multisig BIP 322 signed message',
  'smpBQBHMEQCIFX9aaqPJWq2Ff2kpen5bFDTid+ehgUOpHV0LfjncXy4AiA3GNicF7aKPzdpa9PCpmaYQs3pHd+qbvvhXdxOCKCAMAFIMEUCIQD/ELXg6CNYyUQijCg96JtgvgjZb9dsl1Ctof4QAeyTcQIgVM/1AAblFl/DCt6A1gJg+T/i2qU5SQD09+chFJzolRwBSDBFAiEAlqRfSFyWNVQhvaCnmeV5tyneiCWMTcFbuujoD/pFa3wCIGnZjfQb8NolSYq9asV+ZeBSkCGHJcqnaV4JYS5MYPEGAWlTIQJ1aLEfEi/4p7wcV+XHZCBVvGGJZ7L3v+jhH+mZA8lN0yECCovfec+kIdllXpKCgA8RX/HZ2x5yHOtCSKP8/sf6pnwhAwxSng6kCgCXXSAmJOOZFdr3vdK3HzGqCFloOHgc5fM6U64=',
] as const

/** Signatures that the same test vectors call invalid. */
const refused = [
  ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'not-valid-base64!!!'],
  ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', ''],
  ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'smpAA=='],
  ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'fooAA=='],
  ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Wrong message that was not signed', published[0][2]],
  ['bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9', '', published[0][2]],
  ['bc1qx3f9s3scavc92s3g2fhwzqzn7qucd37ez03jpf', published[5][1], published[5][2]],
  ['bc1p9cyuceaazr8cz46mvgkzl94wy397mwpqsrk84su37t72jvkg6wzqv52nfp', 'IHUVDIXOZV7EE7RU6CP7JUS57N', published[6][2]],
  ['bc1pr72av8sh7qc2ssxs8w0hlj0cl82g2q2dvypngzgsrmd4plml84ksmfyv0q', published[6][1], published[6][2]],
] as const

type Payment = { script: Uint8Array; address?: string; redeemScript?: Uint8Array; tapInternalKey?: Uint8Array }

/** Signs like a wallet: a real transaction that spends the one with the message (BIP-322). */
function signSimple(payment: Payment, message: string, sighashType?: SigHash): string {
  const lax = { version: 0, allowUnknownOutputs: true, allowUnknownInputs: true, disableScriptCheck: true }
  const messageHash = taggedHash('BIP0322-signed-message', utf8Bytes(message))
  const toSpend = new Transaction({ ...lax, allowLegacyWitnessUtxo: true })
  const scriptSig = concatBytes(Uint8Array.of(0x00, 0x20), messageHash)
  toSpend.addOutput({ script: payment.script, amount: 0n })
  toSpend.addInput({ txid: new Uint8Array(32), index: 0xffff_ffff, sequence: 0, finalScriptSig: scriptSig })
  const toSign = new Transaction(lax)
  toSign.addInput({
    txid: toSpend.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script: payment.script, amount: 0n },
    redeemScript: payment.redeemScript,
    tapInternalKey: payment.tapInternalKey,
    sighashType,
  })
  toSign.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  toSign.sign(key, sighashType === undefined ? undefined : [sighashType])
  toSign.finalize()
  return base64.encode(RawWitness.encode(toSign.getInput(0).finalScriptWitness ?? []))
}

/** Signs as `signmessage` does (BIP-137). */
function signLegacy(message: string, header: number): string {
  const [title, text] = [utf8Bytes('Bitcoin Signed Message:\n'), utf8Bytes(message)]
  const digest = doubleSha256(compactSize(title.length), title, compactSize(text.length), text)
  const [recovery = 0, ...rest] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return base64.encode(Uint8Array.of(header + recovery, ...rest))
}

function paymentsOf(network: typeof NETWORK): Record<'P2WPKH' | 'P2SH-P2WPKH' | 'P2TR', Payment> {
  const wpkh = p2wpkh(ecdsaKey, network)
  return { P2WPKH: wpkh, 'P2SH-P2WPKH': p2sh(wpkh, network), P2TR: p2tr(schnorrKey, undefined, network) }
}

const every = Object.entries(networks).flatMap(([network, parameters]) =>
  Object.entries(paymentsOf(parameters)).map(([kind, payment]) => [`${kind} on ${network}`, payment] as const),
)

describe('a Bitcoin message', () => {
  test.each(published)('verifies with the BIP-322 test vectors: %s %s', (address, message, signature) => {
    expect(verifyBip122(address, message, signature)).toBe(true)
  })

  test('verifies with the BIP-322 test vector of three keys, and with nothing else', () => {
    const [address, message, signature] = multisig
    expect(verifyBip122(address, message, signature)).toBe(true)
    expect(verifyBip122(address, 'This is not the message that was signed', signature)).toBe(false)
    const witness = RawWitness.decode(base64.decode(signature.slice(3)))
    const encode = (items: readonly Uint8Array[]): string => base64.encode(RawWitness.encode([...items]))
    const [dummy = new Uint8Array(), first = dummy, second = dummy, third = dummy, script = dummy] = witness
    expect(verifyBip122(address, message, encode([dummy, first, second, third, script]))).toBe(true)
    expect(verifyBip122(address, message, encode([dummy, first, third, second, script]))).toBe(false)
    expect(verifyBip122(address, message, encode([dummy, first, first, first, script]))).toBe(false)
    expect(verifyBip122(address, message, encode([dummy, first, second, script]))).toBe(false)
    expect(verifyBip122(address, message, encode([first, first, second, third, script]))).toBe(false)
    expect(verifyBip122(address, message, encode([dummy, first, second, third, script.slice(1)]))).toBe(false)
  })

  test.each(refused)('is refused with the invalid BIP-322 test vectors: %s %s', (address, message, signature) => {
    expect(verifyBip122(address, message, signature)).toBe(false)
  })

  test('is signed by the published key with the published signature', () => {
    const secret = WIF().decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k')
    expect(p2wpkh(pubECDSA(secret)).address).toBe(published[0][0])
  })

  test.each(every)('verifies with a witness: %s', (_, payment) => {
    const { address = '' } = payment
    expect(verifyBip122(address, 'Hello', signSimple(payment, 'Hello'))).toBe(true)
    expect(verifyBip122(address, 'Hello!', signSimple(payment, 'Hello'))).toBe(false)
    for (const [, other] of every.filter(([, each]) => each.script.join() !== payment.script.join())) {
      expect(verifyBip122(other.address ?? '', 'Hello', signSimple(payment, 'Hello'))).toBe(false)
    }
  })

  test.each([
    ['P2PKH', 31, p2pkh(ecdsaKey).address],
    ['P2PKH on testnet', 31, p2pkh(ecdsaKey, TEST_NETWORK).address],
    ['P2PKH of a long key', 27, p2pkh(pubECDSA(key, false)).address],
    ['P2SH-P2WPKH', 35, p2sh(p2wpkh(ecdsaKey)).address],
    ['P2WPKH', 39, p2wpkh(ecdsaKey).address],
    ['P2WPKH with the header of P2PKH', 31, p2wpkh(ecdsaKey, TEST_NETWORK).address],
    ['P2TR', 31, p2tr(schnorrKey).address],
  ])('verifies with a recoverable signature: %s', (_, header, address = '') => {
    const signature = signLegacy('Hello', header)
    expect(verifyBip122(address, 'Hello', signature)).toBe(true)
    expect(verifyBip122(address, 'hello', signature)).toBe(false)
    expect(verifyBip122('1BitcoinEaterAddressDontSendf59kuE', 'Hello', signature)).toBe(false)
  })

  test('is refused with an uncompressed key for a witness address', () => {
    const hash = hash160(pubECDSA(key, false))
    const address = bech32.encode('bc', [0, ...bech32.toWords(hash)])
    expect(verifyBip122(address, 'Hello', signLegacy('Hello', 27))).toBe(false)
    expect(verifyBip122(p2wpkh(ecdsaKey).address ?? '', 'Hello', signLegacy('Hello', 27))).toBe(false)
  })

  test('verifies only with a canonical signature of the whole transaction', () => {
    const { P2WPKH: wpkh, P2TR: tr } = paymentsOf(NETWORK)
    const witness = RawWitness.decode(base64.decode(signSimple(wpkh, 'Hello')))
    const [signature = new Uint8Array(), publicKey = new Uint8Array()] = witness
    const judge = (payment: Payment, items: Uint8Array[], rest: number[] = []): boolean => {
      const bytes = Uint8Array.of(...RawWitness.encode(items), ...rest)
      return verifyBip122(payment.address ?? '', 'Hello', base64.encode(bytes))
    }
    expect(judge(wpkh, [signature, publicKey])).toBe(true)
    for (const type of [0x00, 0x02, 0x03, 0x81]) {
      expect(judge(wpkh, [Uint8Array.of(...signature.subarray(0, -1), type), publicKey])).toBe(false)
    }
    expect(judge(wpkh, [signature, publicKey], [0])).toBe(false)
    expect(judge(wpkh, [signature, publicKey, new Uint8Array()])).toBe(false)
    expect(judge(wpkh, [signature])).toBe(false)

    const [schnorrSignature = new Uint8Array()] = RawWitness.decode(base64.decode(signSimple(tr, 'Hello')))
    expect(judge(tr, [schnorrSignature])).toBe(true)
    const all = RawWitness.decode(base64.decode(signSimple(tr, 'Hello', SigHash.ALL)))
    expect(all.map(({ length }) => length)).toEqual([65])
    expect(judge(tr, all)).toBe(true)
    for (const type of [0x00, 0x01, 0x02, 0x81]) {
      expect(judge(tr, [Uint8Array.of(...schnorrSignature, type)])).toBe(false)
    }
  })

  test('of any length verifies', () => {
    const message = 'ß'.repeat(40_000)
    expect(verifyBip122(p2pkh(ecdsaKey).address ?? '', message, signLegacy(message, 31))).toBe(true)
  })

  test('is refused if any bit of its signature is flipped', () => {
    const payments = paymentsOf(NETWORK)
    for (const payment of Object.values(payments)) {
      const bytes = base64.decode(signSimple(payment, 'Hello'))
      fc.assert(
        fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
          const changed = Uint8Array.from(bytes, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
          expect(verifyBip122(payment.address ?? '', 'Hello', base64.encode(changed))).toBe(false)
        }),
      )
    }
  })

  test('is refused without an exception for any input', () => {
    const addresses = [published[0][0], published[4][0], '1BitcoinEaterAddressDontSendf59kuE', 'bc1q', '', '\u0000']
    fc.assert(
      fc.property(
        fc.constantFrom(...addresses),
        fc.string(),
        fc.uint8Array({ maxLength: 120 }),
        (address, text, bytes) => {
          expect(verifyBip122(address, text, base64.encode(bytes))).toBe(false)
          expect(verifyBip122(text, text, text)).toBe(false)
        },
      ),
    )
  })

  test('is refused for an address with a custom script', () => {
    const address = p2wsh(p2ms(1, [ecdsaKey])).address ?? ''
    expect(verifyBip122(address, 'Hello', signSimple(p2wpkh(ecdsaKey), 'Hello'))).toBe(false)
  })

  test('is refused for an address with a wrong checksum', () => {
    const payment = p2wpkh(ecdsaKey)
    const { address = '' } = payment
    const [signature, wrong] = [
      signSimple(payment, 'Hello'),
      address.slice(0, -1) + (address.endsWith('q') ? 'p' : 'q'),
    ]
    expect(verifyBip122(wrong, 'Hello', signature)).toBe(false)
  })
})
