import { getField } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { kusama } from '../chain/polkadotNetworks.ts'
import type { SignedExtension } from '../runtime/decodeRuntime.ts'
import { toHex } from '../wallet/toHex.ts'
import { choosePeriod, encodeEra } from './era.ts'
import { encodeExtrinsic, encodeSignedBytes, toSignerPayload, type UnsignedExtrinsic } from './extrinsic.ts'
import { encodeTransferCall } from './transferCall.ts'

const chain = { network: kusama, clock: undefined }
const receiver = new Uint8Array(32).fill(2)

const names = ['CheckSpecVersion', 'CheckTxVersion', 'CheckGenesis', 'CheckMortality', 'CheckNonce'] as const

function createUnsigned(extensions: readonly SignedExtension[]): UnsignedExtrinsic {
  return {
    call: { bytes: Uint8Array.of(4, 3, 7), addressPrefix: Uint8Array.of(0) },
    runtime: {
      specVersion: 1,
      transactionVersion: 2,
      extensions,
      existentialDeposit: 1n,
      blockHashCount: 256,
      encodeTransfer: () => new Uint8Array(),
      decodeEvents: () => [],
      describeError: String,
    },
    genesisHash: `0x${'aa'.repeat(32)}`,
    birth: { number: 42n, hash: `0x${'bb'.repeat(32)}` },
    period: 64,
    nonce: 5,
  }
}

const known = names.map((name) => ({ name, isEmpty: false }))

// The example of Substrate's documentation of eras.
test('the era of block 42 with a period of 64 is 0xa502', () => {
  expect(toHex(encodeEra(42n, 64))).toBe('0xa502')
})

test.each([
  [4_096, 256],
  [2_400, 256],
  [256, 256],
  [250, 128],
  [1, 4],
])('a chain that remembers %i block hashes has a period of %i blocks', (count, period) => {
  expect(choosePeriod(count)).toBe(period)
})

test('the signed bytes are the call, the data of the extensions, and what they imply', () => {
  const extensions = [...known, { name: 'CheckMetadataHash', isEmpty: false }, { name: 'CheckWeight', isEmpty: true }]
  const parts = ['040307', 'a502', '14', '00', '01000000', '02000000', 'aa'.repeat(32), 'bb'.repeat(32), '00']
  expect(toHex(encodeSignedBytes(chain, createUnsigned(extensions)))).toBe(`0x${parts.join('')}`)
})

test('a longer payload is hashed', () => {
  const long = { ...createUnsigned(known), call: { bytes: new Uint8Array(300), addressPrefix: new Uint8Array() } }
  expect(encodeSignedBytes(chain, long)).toHaveLength(32)
})

test('the transaction has the address, the signature, the data of the extensions, and the call', () => {
  const signed = { signer: new Uint8Array(32).fill(1), signature: Uint8Array.of(1, 9) }
  const body = ['84', '00', '01'.repeat(32), '0109', 'a502', '14', '040307']
  expect(toHex(encodeExtrinsic(chain, createUnsigned(known), signed))).toBe(`0xa8${body.join('')}`)
})

test('the payload for the wallet names the extensions of the runtime', () => {
  expect(toSignerPayload(createUnsigned(known), 'Alice')).toMatchObject({
    address: 'Alice',
    era: '0xa502',
    nonce: '0x00000005',
    specVersion: '0x00000001',
    signedExtensions: names,
    version: 4,
  })
})

test('a chain that needs data of an unknown extension is refused', () => {
  const extensions = [...known, { name: 'CheckPermission', isEmpty: false }]
  expect(() => encodeSignedBytes(chain, createUnsigned(extensions))).toThrow(
    expect.objectContaining({ code: 'send/unsupported', message: expect.stringContaining('CheckPermission') }),
  )
})

test.each<readonly [string, readonly number[]]>([
  ['another receiver', [10, 3, 0, ...new Uint8Array(32).fill(3), 20]],
  ['another amount', [10, 3, 0, ...receiver, 24]],
  ['another call of the same form', [10, 0, 0, ...receiver, 20]],
  ['more data', [10, 3, 0, ...receiver, 20, 0]],
  ['nothing', []],
])('metadata that encodes %s is not used', (_, bytes) => {
  const { runtime } = createUnsigned([])
  const hostile = { ...runtime, encodeTransfer: () => Uint8Array.from(bytes) }
  expect(() => encodeTransferCall(chain, hostile, { receiver, amount: 5n })).toThrow(
    expect.objectContaining({ code: 'rpc/unreachable' }),
  )
})

test.each<readonly [string, readonly number[]]>([
  ['a variant of MultiAddress', [0]],
  ['a plain key', []],
])('a transfer to %s is accepted', (_, prefix) => {
  const { runtime } = createUnsigned([])
  const honest = { ...runtime, encodeTransfer: () => Uint8Array.of(10, 3, ...prefix, ...receiver, 20) }
  const call = encodeTransferCall(chain, honest, { receiver, amount: 5n })
  expect(getField(call, 'addressPrefix')).toEqual(Uint8Array.from(prefix))
})
