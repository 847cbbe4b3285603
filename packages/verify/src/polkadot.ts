import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { verify as verifySr25519 } from '@scure/sr25519'
import { concatBytes, hexToBytes, isSame, proves, utf8Bytes } from './bytes.ts'

/** How a signature begins that names its scheme (`MultiSignature`). */
const schemes = [isEd25519, isSr25519, isEcdsa] as const

/**
 * Whether an account of Polkadot signed a text, by any of the schemes of its wallets: sr25519, Ed25519 or ECDSA. Wallets
 * sign raw texts between `<Bytes>` and `</Bytes>`, so that no text can be a transaction; a few leave that out.
 *
 * @param address SS58 of any network: the same key has another address on each
 * @param signature hex with `0x`, with the byte of its scheme in front or without
 */
export function verifyPolkadot(address: string, message: string, signature: string): boolean {
  const account = accountIdOf(address)
  if (account === undefined) return false
  return ways(signature).some(([isSigned, bytes]) =>
    [`<Bytes>${message}</Bytes>`, message].some((text) => proves(() => isSigned(account, utf8Bytes(text), bytes))),
  )
}

/** The 32 bytes that an SS58 address stands for; undefined when it is none. */
export function accountIdOf(address: string): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    bytes = base58.decode(address)
  } catch {
    return undefined
  }
  // Networks below 64 are written in one byte, others in two.
  const start = (bytes[0] ?? 0) & 0x40 ? 2 : 1
  if (bytes.length !== start + 34 || (bytes[0] ?? 0) > 127) return undefined
  const hash = blake2b(concatBytes(utf8Bytes('SS58PRE'), bytes.subarray(0, -2)), { dkLen: 64 })
  return isSame(hash.subarray(0, 2), bytes.subarray(-2)) ? bytes.slice(start, -2) : undefined
}

type Scheme = (account: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

/** Each scheme that a signature may be of, and its bytes in that case. */
function ways(signature: string): ReadonlyArray<readonly [Scheme, Uint8Array]> {
  let bytes: Uint8Array
  try {
    bytes = hexToBytes(signature.replace(/^0x/, ''))
  } catch {
    return []
  }
  const named = schemes[bytes[0] ?? schemes.length]
  return [
    ...schemes.map((scheme) => [scheme, bytes] as const),
    ...(named === undefined ? [] : [[named, bytes.slice(1)] as const]),
  ]
}

function isSr25519(account: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verifySr25519(message, signature, account)
}

function isEd25519(account: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && ed25519.verify(signature, message, account, { zip215: false })
}

/** An account of ECDSA is the hash of its key, which the signature reveals. */
function isEcdsa(account: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const recovery = signature[64]
  if (signature.length !== 65 || recovery === undefined) return false
  const digest = blake2b(message, { dkLen: 32 })
  const recoverable = concatBytes(Uint8Array.of(recovery < 27 ? recovery : recovery - 27), signature.subarray(0, 64))
  const key = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false })
  return isSame(blake2b(key, { dkLen: 32 }), account)
}
