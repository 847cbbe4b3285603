import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { custodyError } from './custodyError.ts'
import { deriveEd25519 } from './deriveEd25519.ts'

const entropyBytes = 16
const wordBits = 11
const longestWord = 8

/** A key pair of the wallet. The caller has to wipe the private key. */
export type DerivedKey = { readonly address: string; readonly privateKey: Uint8Array }

/** Creates the entropy of a new wallet: 16 random bytes, the source of twelve words. */
export function createEntropy(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(entropyBytes))
}

/** Formats entropy as a recovery phrase (BIP-39, English). */
export function toRecoveryPhrase(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist)
}

/**
 * Parses a recovery phrase. Ignores case and extra spaces.
 *
 * @throws LatchkeyError `custody/invalid-phrase` for an unknown word or a wrong checksum
 */
export function parseRecoveryPhrase(phrase: string): Uint8Array {
  try {
    return mnemonicToEntropy(phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' '), wordlist)
  } catch {
    // The library's message contains the words.
    throw custodyError('custody/invalid-phrase', {})
  }
}

/** The first account of each namespace. */
export type WalletKeys = { readonly evm: DerivedKey; readonly solana: DerivedKey }

/** Derives both keys from one seed, which is the slow step. The caller has to wipe the private keys. */
export function deriveWalletKeys(entropy: Uint8Array): Promise<WalletKeys> {
  return withSeed(entropy, (seed) => ({ evm: evmOf(seed, 0), solana: solanaOf(seed, 0) }))
}

export function wipeWalletKeys({ evm, solana }: WalletKeys): void {
  evm.privateKey.fill(0)
  solana.privateKey.fill(0)
}

/**
 * Derives the wallet's account on EVM chains (BIP-44, `m/44'/60'/0'/0/index`).
 *
 * @returns the address with its EIP-55 checksum, and the private key
 * @example (await deriveEvm(parseRecoveryPhrase('test test … junk'), 0)).address // '0xf39F…2266'
 */
export function deriveEvm(entropy: Uint8Array, index: number): Promise<DerivedKey> {
  return withSeed(entropy, (seed) => evmOf(seed, index))
}

/**
 * Derives the wallet's account on Solana (SLIP-0010, `m/44'/501'/index'/0'`).
 *
 * @returns the address in base58, and the 32 bytes that Ed25519 calls the seed
 */
export function deriveSolana(entropy: Uint8Array, index: number): Promise<DerivedKey> {
  return withSeed(entropy, (seed) => solanaOf(seed, index))
}

function evmOf(seed: Uint8Array, index: number): DerivedKey {
  const root = HDKey.fromMasterSeed(seed)
  const node = root.derive(`m/44'/60'/0'/0/${index}`)
  // The library returns a copy, which `wipePrivateData` does not reach.
  const privateKey = node.privateKey ?? undefined
  root.wipePrivateData()
  node.wipePrivateData()
  if (privateKey === undefined) throw new Error('The derived node has no key.')
  return { address: evmAddress(secp256k1.getPublicKey(privateKey, false)), privateKey }
}

function solanaOf(seed: Uint8Array, index: number): DerivedKey {
  const privateKey = deriveEd25519(seed, [44, 501, index, 0])
  return { address: base58.encode(ed25519.getPublicKey(privateKey)), privateKey }
}

const seedBits = 512
const stretching = { name: 'PBKDF2', hash: 'SHA-512', salt: utf8ToBytes('mnemonic'), iterations: 2_048 }

/** Derives the BIP-39 seed without a passphrase. WebCrypto stretches twenty times as fast as a script. */
async function withSeed<derived>(entropy: Uint8Array, derive: (seed: Uint8Array) => derived): Promise<derived> {
  const words = formatPhraseBytes(entropy)
  try {
    const key = await crypto.subtle.importKey('raw', words, 'PBKDF2', false, ['deriveBits'])
    const seed = new Uint8Array(await crypto.subtle.deriveBits(stretching, key, seedBits))
    try {
      return derive(seed)
    } finally {
      seed.fill(0)
    }
  } finally {
    words.fill(0)
  }
}

/** Formats the recovery phrase as bytes. A string, and the copies that the library makes for it, can't be wiped. */
function formatPhraseBytes(entropy: Uint8Array): Uint8Array<ArrayBuffer> {
  const [checksum = 0] = sha256(entropy)
  const byteAt = (at: number): number => entropy[at] ?? checksum
  const count = (entropy.length * 3) / 4
  const phrase = new Uint8Array(count * (longestWord + 1))
  let length = 0
  for (let bit = 0; bit < count * wordBits; bit += wordBits) {
    const at = Math.floor(bit / 8)
    const bits = (byteAt(at) << 16) | (byteAt(at + 1) << 8) | byteAt(at + 2)
    const word = wordlist[(bits >> (24 - wordBits - (bit % 8))) & (wordlist.length - 1)] ?? ''
    const text = bit === 0 ? word : ` ${word}`
    for (let letter = 0; letter < text.length; letter += 1) phrase[length + letter] = text.charCodeAt(letter)
    length += text.length
  }
  const words = phrase.slice(0, length)
  phrase.fill(0)
  return words
}

function evmAddress(publicKey: Uint8Array): string {
  const plain = bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))
  const check = bytesToHex(keccak_256(utf8ToBytes(plain)))
  const letters = [...plain].map((letter, at) =>
    Number.parseInt(check[at] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter,
  )
  return `0x${letters.join('')}`
}
