import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { RpcError } from '../rpcError.ts'

/** Longer payloads are hashed before signing, in bytes. */
const longest = 256

/**
 * Encodes a transaction payload for signing (`ExtrinsicPayload` version 4), as a wallet does.
 */
export function payloadBytes(payload: Readonly<Record<string, unknown>>): Uint8Array {
  const hex = (name: string): Uint8Array => {
    const value = payload[name]
    if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw invalidPayloadField(name)
    return hexToBytes(value.slice(2))
  }
  const number = (name: string): bigint => {
    const value = payload[name]
    if (typeof value !== 'string' || !/^(0x[0-9a-f]+|\d+)$/i.test(value)) throw invalidPayloadField(name)
    return BigInt(value)
  }
  const extensions: unknown = payload['signedExtensions']
  const has = (name: string): boolean => Array.isArray(extensions) && extensions.includes(name)
  const checksMetadata = has('CheckMetadataHash')
  const assetId = payload['assetId'] === undefined ? undefined : hex('assetId')
  const metadataHash = payload['metadataHash'] === undefined ? undefined : hex('metadataHash')
  const bytes = concatBytes(
    hex('method'),
    hex('era'),
    encodeCompact(number('nonce')),
    encodeCompact(number('tip')),
    has('ChargeAssetTxPayment') ? encodeOption(assetId) : new Uint8Array(),
    checksMetadata ? Uint8Array.of(Number(payload['mode'] ?? 0)) : new Uint8Array(),
    uint32(number('specVersion')),
    uint32(number('transactionVersion')),
    hex('genesisHash'),
    hex('blockHash'),
    checksMetadata ? encodeOption(metadataHash) : new Uint8Array(),
  )
  return bytes.length > longest ? blake2b(bytes, { dkLen: 32 }) : bytes
}

function encodeOption(value: Uint8Array | undefined): Uint8Array {
  return value === undefined ? Uint8Array.of(0) : concatBytes(Uint8Array.of(1), value)
}

/** Encodes a number in SCALE's compact form. */
function encodeCompact(value: bigint): Uint8Array {
  if (value < 1n << 6n) return Uint8Array.of(Number(value << 2n))
  if (value < 1n << 14n) return littleEndian((value << 2n) | 1n, 2)
  if (value < 1n << 30n) return littleEndian((value << 2n) | 2n, 4)
  const length = Math.max(4, Math.ceil(value.toString(16).length / 2))
  return concatBytes(Uint8Array.of(((length - 4) << 2) | 3), littleEndian(value, length))
}

function uint32(value: bigint): Uint8Array {
  return littleEndian(value, 4)
}

function littleEndian(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

function invalidPayloadField(name: string): RpcError {
  return new RpcError(-32_602, `The payload has no valid ${name}.`)
}
