import { hkdfSync } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { watchWipes } from '../testing/watchWipes.ts'
import { signStoreProof, storeProofKey } from './signStoreProof.ts'
import { deriveSolana, parseRecoveryPhrase } from './walletKeys.ts'

const entropy = parseRecoveryPhrase(`${'abandon '.repeat(11)}about`)
const text = utf8ToBytes('latchkey/share-store-proof/1\nhttps://shares.example.org\ndelete\n\nAAAA')

test('a proof for the share store is valid for its text and wallet only [C-08]', () => {
  const { publicKey, signature } = signStoreProof(entropy, text)
  expect(publicKey).toEqual(storeProofKey(entropy))
  expect(ed25519.verify(signature, text, publicKey)).toBe(true)
  expect(ed25519.verify(signature, text.slice(1), publicKey)).toBe(false)
  expect(storeProofKey(new Uint8Array(16).fill(1))).not.toEqual(publicKey)
})

test('the key of the share store is not an account of the wallet, so it reveals no address to the share store [C-08]', async () => {
  const { address } = await deriveSolana(entropy, 0)
  expect(storeProofKey(entropy)).not.toEqual(base58.decode(address))
})

test('a proof for the share store leaves no private key in memory', () => {
  const key = hkdf(sha256, entropy, undefined, utf8ToBytes('latchkey/share-store-proof-signing/1'), 32)
  const wiped = watchWipes()
  signStoreProof(entropy, text)
  storeProofKey(entropy)
  // Libraries wipe empty arrays, too.
  expect(wiped.filter((each) => Buffer.compare(each, key) === 0)).toHaveLength(2)
})

test('the key of the share store stays the same in later versions, because the store has pinned it [C-08]', () => {
  const seed = hkdfSync('sha256', entropy, '', 'latchkey/share-store-proof-signing/1', 32)
  expect(storeProofKey(entropy)).toEqual(ed25519.getPublicKey(new Uint8Array(seed)))
})
