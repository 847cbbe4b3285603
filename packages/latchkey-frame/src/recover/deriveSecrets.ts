import { createHmac } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** An account of the wallet. The private key has the form that other wallets import. */
export type RecoveredAccount = { readonly name: string; readonly address: string; readonly privateKey: string }

/** The recovery phrase and the first account of each namespace. */
export type WalletSecrets = { readonly phrase: string; readonly accounts: readonly RecoveredAccount[] }

/**
 * Derives the recovery phrase (BIP-39) and the accounts `m/44'/60'/0'/0/0` (BIP-44) and `m/44'/501'/0'/0'` (SLIP-10).
 *
 * @param entropy 16 bytes
 */
export function deriveSecrets(entropy: Uint8Array): WalletSecrets {
  const phrase = entropyToMnemonic(entropy, wordlist)
  const seed = mnemonicToSeedSync(phrase)
  return { phrase, accounts: [deriveEip155(seed), deriveSolana(seed)] }
}

function deriveEip155(seed: Uint8Array): RecoveredAccount {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0/0")
  if (privateKey === null) throw new Error('The path yields no private key.')
  const publicKey = secp256k1.getPublicKey(privateKey, false).subarray(1)
  const hex = Buffer.from(keccak_256(publicKey).subarray(-20)).toString('hex')
  const key = Buffer.from(privateKey).toString('hex')
  return { name: 'EVM', address: toChecksumAddress(hex), privateKey: `0x${key}` }
}

/** Capital letters are the checksum (EIP-55). */
function toChecksumAddress(hex: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(hex))).toString('hex')
  const letters = [...hex].map((each, at) => (Number.parseInt(hash.charAt(at), 16) >= 8 ? each.toUpperCase() : each))
  return `0x${letters.join('')}`
}

function deriveSolana(seed: Uint8Array): RecoveredAccount {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const index of [44, 501, 0, 0]) {
    const data = Buffer.alloc(37)
    node.copy(data, 1, 0, 32)
    data.writeUInt32BE(index + 0x80_00_00_00, 33)
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  const secret = node.subarray(0, 32)
  const publicKey = ed25519.getPublicKey(secret)
  const privateKey = base58.encode(Buffer.concat([secret, publicKey]))
  return { name: 'Solana', address: base58.encode(publicKey), privateKey }
}
