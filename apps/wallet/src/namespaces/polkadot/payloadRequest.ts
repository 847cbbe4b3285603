import { blake2b } from '@noble/hashes/blake2.js'
import { hex } from '@scure/base'
import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors } from '../../rpcError.ts'
import type { TypedDataSummary } from '../typedDataSummary.ts'

/** A parsed transaction: the bytes to sign, and the summary that is possible without the runtime's metadata. */
export type PayloadRequest = { bytes: Uint8Array; summary: TypedDataSummary }

/** Longer payloads are hashed before signing. */
const longest = 256

/** @throws RpcError -32602 if it is not a payload of version 4 */
export function parsePayloadRequest(payload: unknown, network: Network): PayloadRequest {
  if (!isRecord(payload) || payload['version'] !== 4) throw rpcErrors.invalid('the payload is not version 4')
  const { method, era, genesisHash, blockHash, metadataHash, mode, signedExtensions } = payload
  const [nonce, tip, specVersion, transactionVersion] = ['nonce', 'tip', 'specVersion', 'transactionVersion'].map(
    (name) => parseNumber(payload[name], name),
  )
  const has = (name: string): boolean => Array.isArray(signedExtensions) && signedExtensions.includes(name)
  const checksMetadata = has('CheckMetadataHash')
  const bytes = Uint8Array.from([
    ...parseHex(method, 'method'),
    ...parseHex(era, 'era'),
    ...encodeCompact(nonce ?? 0n),
    ...encodeCompact(tip ?? 0n),
    // The asset that pays the fee, in runtimes that accept several.
    ...(has('ChargeAssetTxPayment') ? encodeOptional(payload['assetId'], 'assetId') : []),
    ...(checksMetadata ? [Number(mode ?? 0)] : []),
    ...encodeLittleEndian(specVersion ?? 0n, 4),
    ...encodeLittleEndian(transactionVersion ?? 0n, 4),
    ...parseHex(genesisHash, 'genesisHash'),
    ...parseHex(blockHash, 'blockHash'),
    ...(checksMetadata ? encodeOptional(metadataHash, 'metadataHash') : []),
  ])
  const summary: TypedDataSummary = {
    primaryType: 'Transaction',
    domain: [
      { name: 'chain', type: 'genesis hash', value: String(genesisHash) },
      { name: 'runtime', type: 'version', value: String(specVersion) },
    ],
    message: [
      { name: 'call', type: 'bytes', value: String(method) },
      { name: 'nonce', type: 'number', value: String(nonce) },
      { name: 'tip', type: network.nativeCurrency.symbol, value: String(tip) },
      { name: 'era', type: 'bytes', value: String(era) },
    ],
    otherChain: isOnNetwork(network, String(genesisHash)) ? undefined : String(genesisHash),
  }
  return { bytes: bytes.length > longest ? blake2b(bytes, { dkLen: 32 }) : bytes, summary }
}

function isOnNetwork({ caipNetworkId }: Network, genesisHash: string): boolean {
  return genesisHash.toLowerCase().startsWith(`0x${caipNetworkId.slice(caipNetworkId.indexOf(':') + 1)}`)
}

function parseHex(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw rpcErrors.invalid(`${name} is missing or malformed`)
  return hex.decode(value.slice(2).toLowerCase())
}

function parseNumber(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^(0x[0-9a-f]+|\d+)$/i.test(value))
    throw rpcErrors.invalid(`${name} is missing or malformed`)
  return BigInt(value)
}

function encodeOptional(value: unknown, name: string): readonly number[] {
  return value === undefined ? [0] : [1, ...parseHex(value, name)]
}

/** Encodes a number in SCALE's compact form. */
function encodeCompact(value: bigint): readonly number[] {
  if (value < 1n << 6n) return [Number(value << 2n)]
  if (value < 1n << 14n) return encodeLittleEndian((value << 2n) | 1n, 2)
  if (value < 1n << 30n) return encodeLittleEndian((value << 2n) | 2n, 4)
  const length = Math.max(4, Math.ceil(value.toString(16).length / 2))
  return [((length - 4) << 2) | 3, ...encodeLittleEndian(value, length)]
}

function encodeLittleEndian(value: bigint, length: number): readonly number[] {
  return Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}
