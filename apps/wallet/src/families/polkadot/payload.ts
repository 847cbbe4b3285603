import { blake2b } from '@noble/hashes/blake2.js'
import { hex } from '@scure/base'
import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { TypedDataSummary } from '../question.ts'

/** A transaction to sign, read: its bytes, and what they say as far as can be told without the runtime's metadata. */
export type PayloadRequest = { bytes: Uint8Array; summary: TypedDataSummary }

/** What is signed longer than this is signed by its hash. */
const longest = 256

/** @throws RpcError -32602 unless it is a payload of version 4. */
export function readPayload(payload: unknown, network: Network): PayloadRequest {
  if (!isRecord(payload) || payload['version'] !== 4) throw refusals.invalid('no payload of version 4')
  const { method, era, genesisHash, blockHash, metadataHash, mode, signedExtensions } = payload
  const [nonce, tip, specVersion, transactionVersion] = ['nonce', 'tip', 'specVersion', 'transactionVersion'].map(
    (name) => readNumber(payload[name], name),
  )
  const checksMetadata = Array.isArray(signedExtensions) && signedExtensions.includes('CheckMetadataHash')
  const bytes = Uint8Array.from([
    ...readHex(method, 'method'),
    ...readHex(era, 'era'),
    ...compact(nonce ?? 0n),
    ...compact(tip ?? 0n),
    ...(checksMetadata ? [Number(mode ?? 0)] : []),
    ...littleEndian(specVersion ?? 0n, 4),
    ...littleEndian(transactionVersion ?? 0n, 4),
    ...readHex(genesisHash, 'genesisHash'),
    ...readHex(blockHash, 'blockHash'),
    ...(checksMetadata ? optional(metadataHash) : []),
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
    foreignChain: isOf(network, String(genesisHash)) ? undefined : String(genesisHash),
  }
  return { bytes: bytes.length > longest ? blake2b(bytes, { dkLen: 32 }) : bytes, summary }
}

function isOf({ caipNetworkId }: Network, genesisHash: string): boolean {
  return genesisHash.toLowerCase().startsWith(`0x${caipNetworkId.slice(caipNetworkId.indexOf(':') + 1)}`)
}

function readHex(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw refusals.invalid(`no ${name}`)
  return hex.decode(value.slice(2).toLowerCase())
}

function readNumber(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^(0x[0-9a-f]+|\d+)$/i.test(value)) throw refusals.invalid(`no ${name}`)
  return BigInt(value)
}

function optional(value: unknown): readonly number[] {
  return value === undefined ? [0] : [1, ...readHex(value, 'metadataHash')]
}

/** A number in as many bytes as it needs (SCALE's compact form). */
function compact(value: bigint): readonly number[] {
  if (value < 1n << 6n) return [Number(value << 2n)]
  if (value < 1n << 14n) return littleEndian((value << 2n) | 1n, 2)
  if (value < 1n << 30n) return littleEndian((value << 2n) | 2n, 4)
  const length = Math.max(4, Math.ceil(value.toString(16).length / 2))
  return [((length - 4) << 2) | 3, ...littleEndian(value, length)]
}

function littleEndian(value: bigint, length: number): readonly number[] {
  return Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}
