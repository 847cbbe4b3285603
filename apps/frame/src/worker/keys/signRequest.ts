import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hashMessage, hashTypedData, serializeTransaction, type Signature } from 'viem'
import type { EvmTransaction, SignRequest } from '../keyHolder.ts'

/**
 * Signs with a key of the wallet. A separate chunk that loads once a wallet is open.
 *
 * @param privateKey key of the request's namespace. The caller has to wipe it.
 * @returns 65 bytes r‖s‖v on EVM chains, 64 on Solana; for transactions, the serialised signed transaction
 * @throws Error for an invalid request, such as malformed typed data
 */
export function signRequest(privateKey: Uint8Array, order: SignRequest): Uint8Array {
  switch (order.kind) {
    case 'solana':
      return ed25519.sign(order.bytes, privateKey)
    case 'evm-message':
      return signHash(fromHex(hashMessage({ raw: order.message })), privateKey)
    case 'evm-operation':
      return signHash(fromHex(hashMessage({ raw: order.hash })), privateKey)
    case 'evm-typed-data':
      return signHash(fromHex(hashTypedData(parseTypedDataJson(order.json))), privateKey)
    case 'evm-transaction':
      return signEvmTransaction(order.transaction, privateKey)
  }
}

function signEvmTransaction({ to, ...transaction }: EvmTransaction, privateKey: Uint8Array): Uint8Array {
  const unsigned = { ...transaction, to, type: 'eip1559' } as const
  const hash = keccak_256(fromHex(serializeTransaction(unsigned)))
  const signature = signHash(hash, privateKey)
  const hex = (from: number, end: number) => `0x${toHexDigits(signature.subarray(from, end))}` as const
  const split: Signature = { r: hex(0, 32), s: hex(32, 64), yParity: (signature[64] ?? 27) - 27 }
  return fromHex(serializeTransaction(unsigned, split))
}

/** Signs a hash with ECDSA. Returns r‖s‖v with v as 27 or 28. */
function signHash(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' })
  const signature = new Uint8Array(65)
  signature.set(recovered.subarray(1))
  signature[64] = 27 + (recovered[0] ?? 0)
  return signature
}

function parseTypedDataJson(json: string): Parameters<typeof hashTypedData>[0] {
  // `hashTypedData` validates it.
  return JSON.parse(json) as Parameters<typeof hashTypedData>[0]
}

const toHexDigits = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
