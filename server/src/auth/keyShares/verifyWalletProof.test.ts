import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { verifyWalletProof, walletProofBytes } from './verifyWalletProof.ts'

const key = randomBytes(32)
const challenge = randomBytes(32)
const solana = { namespace: 'solana', address: base58.encode(ed25519.getPublicKey(key)) }
const evm = { namespace: 'eip155', address: '0xab' }
const sign = (bytes: Uint8Array, signer: Uint8Array = key) => ed25519.sign(Uint8Array.from(bytes), signer)

test('a wallet proof is accepted from the Solana key of the wallet, wherever its account is in the list [C-08]', () => {
  const signature = sign(walletProofBytes(challenge))
  expect(verifyWalletProof([evm, solana], { challenge, signature })).toBe(true)
  expect(verifyWalletProof([solana], { challenge, signature })).toBe(true)
})

test('a wallet proof of another key, challenge or account is refused [C-08]', () => {
  const signature = sign(walletProofBytes(challenge))
  const proofs = [
    { challenge, signature: sign(walletProofBytes(challenge), randomBytes(32)) },
    { challenge: randomBytes(32), signature },
    { challenge, signature: new Uint8Array(64) },
    { challenge, signature: signature.slice(1) },
  ]
  for (const proof of proofs) expect(verifyWalletProof([evm, solana], proof)).toBe(false)
  expect(verifyWalletProof([], { challenge, signature })).toBe(false)
  expect(verifyWalletProof([evm], { challenge, signature })).toBe(false)
  expect(verifyWalletProof([{ ...solana, namespace: 'eip155' }], { challenge, signature })).toBe(false)
  expect(verifyWalletProof([{ ...solana, address: 'no base58: 0OIl' }], { challenge, signature })).toBe(false)
})

test('a signature of a message or a transaction is no wallet proof, and a proof is neither [C-08]', () => {
  expect(verifyWalletProof([solana], { challenge, signature: sign(challenge) })).toBe(false)
  const text = Buffer.concat([Buffer.from('latchkey/wallet-proof/1'), challenge])
  expect(verifyWalletProof([solana], { challenge, signature: sign(text) })).toBe(false)
  // The versions of Solana's transactions are 0x80 to 0xfe. The first byte of a legacy one counts signatures.
  expect(walletProofBytes(challenge)).toEqual(Buffer.concat([Buffer.of(0xff), text]))
})

test('a proof that only the tolerant rules of ZIP-215 accept is refused [C-08]', () => {
  // Key, point and scalar of this signature are the neutral element, in an encoding that RFC 8032 refuses.
  const neutral = Buffer.concat([Buffer.of(1), Buffer.alloc(30), Buffer.of(0x80)])
  const account = { namespace: 'solana', address: base58.encode(neutral) }
  const signature = Buffer.concat([neutral, Buffer.alloc(32)])
  expect(ed25519.verify(Uint8Array.from(signature), challenge, Uint8Array.from(neutral), { zip215: true })).toBe(true)
  expect(verifyWalletProof([account], { challenge, signature })).toBe(false)
})
