import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { verify as verifySr25519 } from '@scure/sr25519'
import { concatBytes, hexToBytes, isEqualBytes, isProven, utf8Bytes } from './bytes.ts'

/** The schemes by the first byte of a `MultiSignature`. */
const schemes = [isEd25519, isSr25519, isEcdsa] as const

/**
 * Verifies that a Polkadot account signed a message with sr25519, Ed25519 or ECDSA. Wallets sign raw messages between
 * `<Bytes>` and `</Bytes>`, so that no text can be a transaction. A few wallets omit the tags.
 *
 * @param address SS58 address of any network: a key has a different address on each
 * @param signature hex with `0x`, with or without the byte of its scheme
 * @returns true if the signature is valid
 * @example verifyPolkadot('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', message, signature)
 */
export function verifyPolkadot(address: string, message: string, signature: string): boolean {
  const account = parseSs58Account(address)
  if (account === undefined) return false
  return listSchemes(signature).some(([isSigned, bytes]) =>
    [`<Bytes>${message}</Bytes>`, message].some((text) => isProven(() => isSigned(account, utf8Bytes(text), bytes))),
  )
}

/**
 * Verifies that a Polkadot account signed bytes, such as the payload of a transaction.
 *
 * @param account the 32-byte account key
 * @param bytes exactly what was signed
 * @param signature a `MultiSignature`: the byte of its scheme, then the signature
 * @returns true if the signature is valid
 * @example verifyPolkadotBytes(publicKeyBytes, bytes, signatureBytes)
 */
export function verifyPolkadotBytes(account: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const isSigned = schemes[signature[0] ?? schemes.length]
  return isSigned !== undefined && isProven(() => isSigned(account, bytes, signature.slice(1)))
}

/**
 * Parses an SS58 address to its 32-byte account key.
 *
 * @returns the key, or `undefined` if the address is invalid
 * @example const key = parseSs58Account('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY')
 */
export function parseSs58Account(address: string): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    bytes = base58.decode(address)
  } catch {
    return undefined
  }
  // Formats below 64 take one byte, higher formats two.
  const start = (bytes[0] ?? 0) & 0x40 ? 2 : 1
  if (bytes.length !== start + 34 || (bytes[0] ?? 0) > 127) return undefined
  const hash = blake2b(concatBytes(utf8Bytes('SS58PRE'), bytes.subarray(0, -2)), { dkLen: 64 })
  return isEqualBytes(hash.subarray(0, 2), bytes.subarray(-2)) ? bytes.slice(start, -2) : undefined
}

type Scheme = (account: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

/** Lists the schemes that a signature may have, with its bytes in that case. */
function listSchemes(signature: string): ReadonlyArray<readonly [Scheme, Uint8Array]> {
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

/** The account of an ECDSA key is the hash of the key, which can be recovered from the signature. */
function isEcdsa(account: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const recovery = signature[64]
  if (signature.length !== 65 || recovery === undefined) return false
  const digest = blake2b(message, { dkLen: 32 })
  const recoverable = concatBytes(Uint8Array.of(recovery < 27 ? recovery : recovery - 27), signature.subarray(0, 64))
  const key = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false })
  return isEqualBytes(blake2b(key, { dkLen: 32 }), account)
}
