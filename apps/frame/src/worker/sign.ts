import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hashMessage, hashTypedData, serializeTransaction, type Signature } from 'viem'
import type { EvmTransaction, SignOrder } from './keyHolder.ts'

/**
 * Signs with a key of the wallet. This is the part of the worker that is loaded once a wallet is open.
 *
 * @param privateKey of the order's family; the caller's to wipe
 * @returns the signature: 65 bytes r‖s‖v on EVM chains, 64 on Solana; of a transaction, the whole of it, serialised
 * @throws Error for an order that makes no sense, such as typed data that is none
 */
export function signOrder(privateKey: Uint8Array, order: SignOrder): Uint8Array {
  switch (order.kind) {
    case 'solana':
      return ed25519.sign(order.bytes, privateKey)
    case 'evm-message':
      return signHash(bytesOf(hashMessage({ raw: order.message })), privateKey)
    case 'evm-operation':
      return signHash(bytesOf(hashMessage({ raw: order.hash })), privateKey)
    case 'evm-typed-data':
      return signHash(bytesOf(hashTypedData(typedDataOf(order.json))), privateKey)
    case 'evm-transaction':
      return signTransaction(order.transaction, privateKey)
  }
}

function signTransaction({ to, ...transaction }: EvmTransaction, privateKey: Uint8Array): Uint8Array {
  const unsigned = { ...transaction, to, type: 'eip1559' } as const
  const hash = keccak_256(bytesOf(serializeTransaction(unsigned)))
  const signature = signHash(hash, privateKey)
  const hex = (from: number, end: number) => `0x${hexOf(signature.subarray(from, end))}` as const
  const parts: Signature = { r: hex(0, 32), s: hex(32, 64), yParity: (signature[64] ?? 27) - 27 }
  return bytesOf(serializeTransaction(unsigned, parts))
}

/** ECDSA over a hash that is one already, r‖s‖v with v as 27 or 28. */
function signHash(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' })
  const signature = new Uint8Array(65)
  signature.set(recovered.subarray(1))
  signature[64] = 27 + (recovered[0] ?? 0)
  return signature
}

function typedDataOf(json: string): Parameters<typeof hashTypedData>[0] {
  // What it lacks is found by whoever hashes it.
  return JSON.parse(json) as Parameters<typeof hashTypedData>[0]
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
