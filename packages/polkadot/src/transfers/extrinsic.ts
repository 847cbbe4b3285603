import { LatchkeyError } from '@latchkey/protocol'
import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { compact, u32 } from '@polkadot-api/substrate-bindings'
import type { Block } from '../chain/blocks.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import type { RuntimeVersion } from '../runtime/loadRuntime.ts'
import type { Runtime } from '../runtime/decodeRuntime.ts'
import { fromHex } from '../wallet/fromHex.ts'
import type { PolkadotPayload } from '../wallet/requestPayloadSignature.ts'
import { toHex } from '../wallet/toHex.ts'
import { encodeEra } from './era.ts'
import type { TransferCall } from './transferCall.ts'

/** A transaction before it is signed. */
export type UnsignedExtrinsic = {
  readonly call: TransferCall
  readonly runtime: RuntimeVersion & Runtime
  readonly genesisHash: string
  /** The block after which the transaction is valid. */
  readonly birth: Block
  /** The number of blocks in which it is valid, a power of two. */
  readonly period: number
  readonly nonce: number
}

/** The bytes of a signed extension: in the transaction, and only in what is signed. */
type ExtensionBytes = { readonly extra?: Uint8Array; readonly implicit?: Uint8Array }

/** A signed transaction of version 4. */
const signedVersion4 = 0x84

/** Longer payloads are hashed before they are signed, in bytes. */
const longestPayload = 256

/** No tip, no other asset that pays the fee, and no hash of the metadata. */
const none = Uint8Array.of(0)

/**
 * Encodes the payload that the wallet signs, in the form that wallets take (`SignerPayloadJSON`).
 *
 * @param address the signer
 */
export function toSignerPayload(unsigned: UnsignedExtrinsic, address: string): PolkadotPayload {
  const { call, runtime, genesisHash, birth, period, nonce } = unsigned
  return {
    address,
    blockHash: birth.hash,
    blockNumber: toNumberHex(birth.number, 4),
    era: toHex(encodeEra(birth.number, period)),
    genesisHash,
    method: toHex(call.bytes),
    nonce: toNumberHex(nonce, 4),
    specVersion: toNumberHex(runtime.specVersion, 4),
    tip: toNumberHex(0, 16),
    transactionVersion: toNumberHex(runtime.transactionVersion, 4),
    signedExtensions: runtime.extensions.map(({ name }) => name),
    version: 4,
  }
}

/**
 * Returns the bytes that a signature covers.
 *
 * @throws LatchkeyError `send/unsupported` if the chain requires data of an unknown kind
 */
export function encodeSignedBytes(chain: Chain, unsigned: UnsignedExtrinsic): Uint8Array {
  const { extra, implicit } = encodeExtensions(chain, unsigned)
  const bytes = concatBytes(unsigned.call.bytes, extra, implicit)
  return bytes.length > longestPayload ? blake2b(bytes, { dkLen: 32 }) : bytes
}

/**
 * Encodes the signed transaction.
 *
 * @param signature with the byte of its scheme
 * @throws LatchkeyError `send/unsupported` if the chain requires data of an unknown kind
 */
export function encodeExtrinsic(
  chain: Chain,
  unsigned: UnsignedExtrinsic,
  { signer, signature }: { signer: Uint8Array; signature: Uint8Array },
): Uint8Array {
  const { bytes: call, addressPrefix } = unsigned.call
  const { extra } = encodeExtensions(chain, unsigned)
  const body = concatBytes(Uint8Array.of(signedVersion4), addressPrefix, signer, signature, extra, call)
  return concatBytes(compact.enc(body.length), body)
}

/** Returns the hash of a transaction. */
export function hashExtrinsic(extrinsic: Uint8Array): string {
  return toHex(blake2b(extrinsic, { dkLen: 32 }))
}

function encodeExtensions(
  { network }: Chain,
  unsigned: UnsignedExtrinsic,
): { readonly extra: Uint8Array; readonly implicit: Uint8Array } {
  const known = listKnownExtensions(unsigned)
  const parts = unsigned.runtime.extensions.map(({ name, isEmpty }): ExtensionBytes => {
    const bytes = known.get(name)
    if (bytes !== undefined) return bytes
    if (isEmpty) return {}
    // A wallet that does not know the extension either would sign something else.
    const sentence = `Unsupported chain: transactions on ${network.name} need the extension ${name}, which this version does not know.`
    throw new LatchkeyError('send/unsupported', { network: network.name }, { sentence })
  })
  return {
    extra: concatBytes(...parts.map(({ extra = new Uint8Array() }) => extra)),
    implicit: concatBytes(...parts.map(({ implicit = new Uint8Array() }) => implicit)),
  }
}

function listKnownExtensions(unsigned: UnsignedExtrinsic): ReadonlyMap<string, ExtensionBytes> {
  const { runtime, genesisHash, birth, period, nonce } = unsigned
  const mortality = { extra: encodeEra(birth.number, period), implicit: fromHex(birth.hash) }
  return new Map<string, ExtensionBytes>([
    ['CheckSpecVersion', { implicit: u32.enc(runtime.specVersion) }],
    ['CheckTxVersion', { implicit: u32.enc(runtime.transactionVersion) }],
    ['CheckGenesis', { implicit: fromHex(genesisHash) }],
    ['CheckMortality', mortality],
    ['CheckEra', mortality],
    ['CheckNonce', { extra: compact.enc(nonce) }],
    ['ChargeTransactionPayment', { extra: none }],
    ['ChargeAssetTxPayment', { extra: concatBytes(none, none) }],
    ['CheckMetadataHash', { extra: none, implicit: none }],
  ])
}

function toNumberHex(value: number | bigint, bytes: number): string {
  return `0x${value.toString(16).padStart(bytes * 2, '0')}`
}
