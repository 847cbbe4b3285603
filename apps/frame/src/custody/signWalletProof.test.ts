import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { watchWipes } from '../testing/watchWipes.ts'
import { signWalletProof } from './signWalletProof.ts'
import { deriveSolana, parseRecoveryPhrase } from './walletKeys.ts'

const entropy = parseRecoveryPhrase(`${'abandon '.repeat(11)}about`)
const challenge = new Uint8Array(32).fill(7)

/** The bytes that the auth service verifies. */
const getProofMessage = (message: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0xff), utf8ToBytes('latchkey/wallet-proof/1'), message)

test('a wallet proof is a signature of the first Solana account over prefix and challenge [D-04]', async () => {
  const { address } = await deriveSolana(entropy, 0)
  const signature = await signWalletProof(entropy, challenge)
  expect(signature).toHaveLength(64)
  expect(ed25519.verify(signature, getProofMessage(challenge), base58.decode(address))).toBe(true)
})

test('a wallet proof is valid only for its challenge and wallet, never as a message signature [D-04]', async () => {
  const signature = await signWalletProof(entropy, challenge)
  const key = base58.decode((await deriveSolana(entropy, 0)).address)
  const other = base58.decode((await deriveSolana(new Uint8Array(16).fill(1), 0)).address)
  expect(ed25519.verify(signature, getProofMessage(new Uint8Array(32)), key)).toBe(false)
  expect(ed25519.verify(signature, challenge, key)).toBe(false)
  expect(ed25519.verify(signature, getProofMessage(challenge), other)).toBe(false)
  // No version of a Solana transaction begins with this byte.
  expect(getProofMessage(challenge)[0]).toBe(255)
})

test('a wallet proof leaves no private key in memory', async () => {
  const { privateKey } = await deriveSolana(entropy, 0)
  const wiped = watchWipes()
  await signWalletProof(entropy, challenge)
  expect(wiped).toContainEqual(privateKey)
})
