import { startLocalPolkadot, type LocalPolkadot } from '@latchkey/devnet'
import { verifyPolkadot } from '@latchkey/verify/polkadot'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, hex } from '@scure/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DecodedRequest } from '../namespaceAdapter.ts'
import { createPolkadotAccounts } from './polkadotAccount.ts'
import { createPolkadotAdapter } from './createPolkadotAdapter.ts'

const adapter = createPolkadotAdapter()
const accounts = createPolkadotAccounts()

let chain: LocalPolkadot
beforeAll(async () => void (chain = await startLocalPolkadot()))
afterAll(() => chain.close())

function createRequest(
  method: string,
  params: object,
  shared: readonly string[] = accounts.map(({ address }) => address),
): DecodedRequest {
  const { network } = chain
  const own = adapter.accounts.filter(({ address }) => shared.includes(address))
  return adapter.decode({ method, params, network, accounts: own, networks: [network], tokens: [] })
}

async function signatureOf(decoded: DecodedRequest): Promise<string> {
  if (decoded.kind !== 'message' && decoded.kind !== 'typedData') throw new Error('Nothing to sign was asked.')
  return ((await decoded.execute()) as { signature: string }).signature
}

test.each(accounts.map(({ origin, address }) => [origin, address]))(
  'polkadot_signMessage signs text with the %s account',
  async (_, address) => {
    const decoded = createRequest('polkadot_signMessage', { address, message: 'Grüße' })
    expect(decoded).toMatchObject({ kind: 'message', message: { text: 'Grüße' } })
    expect(verifyPolkadot(address, 'Grüße', await signatureOf(decoded))).toBe(true)
  },
)

test('polkadot_signMessage shows a hex message as bytes', () => {
  const { message } = createRequest('polkadot_signMessage', { address: accounts[0].address, message: '0xff00' }) as {
    message: unknown
  }
  expect(message).toEqual({ kind: 'bytes', hex: '0xff00' })
})

test('getBalances reads the balance of an account', async () => {
  const [{ amount } = { amount: 0n }] = await adapter.getBalances(chain.network, [], accounts[0].address)
  expect(amount).toBe(10_000_000_000_000_000n)
})

const payload = {
  blockHash: `0x${'0b'.repeat(32)}`,
  era: '0x00',
  method: '0x0000',
  nonce: '0x00000100',
  specVersion: '0x00000001',
  tip: '0x3b9aca00',
  transactionVersion: '0x00000002',
  signedExtensions: [],
  version: 4,
}

test('polkadot_signTransaction signs the payload that chains verify and flags a payload for another chain', async () => {
  const { network } = chain
  const address = accounts[1]?.address ?? ''
  const genesisHash = `0x${String(network.id)}${'61'.repeat(16)}`
  const decoded = createRequest('polkadot_signTransaction', {
    address,
    transactionPayload: { ...payload, genesisHash },
  })
  if (decoded.kind !== 'typedData') return expect.unreachable()
  expect(decoded.data.otherChain).toBeUndefined()
  const signature = await signatureOf(decoded)
  // Method, era, nonce 256 in two bytes, tip in four, versions, both hashes.
  const tip = (1_000_000_000n << 2n) | 2n
  const tipHex = Array.from({ length: 4 }, (_, at) =>
    ((tip >> BigInt(8 * at)) & 0xffn).toString(16).padStart(2, '0'),
  ).join('')
  const bytes = ['0000', '00', '0104', tipHex, '01000000', '02000000', genesisHash.slice(2), payload.blockHash.slice(2)]
  expect(signature.slice(0, 4)).toBe('0x00')
  const key = base58.decode(address).slice(1, -2)
  expect(ed25519.verify(hex.decode(signature.slice(4)), hex.decode(bytes.join('')), key)).toBe(true)

  const foreign = { ...payload, genesisHash: `0x${'ab'.repeat(32)}` }
  const other = createRequest('polkadot_signTransaction', { address, transactionPayload: foreign })
  expect(other).toMatchObject({ data: { otherChain: foreign.genesisHash } })
})

test('polkadot_signTransaction signs the asset that pays the fee in runtimes that accept several', async () => {
  const address = accounts[1]?.address ?? ''
  const genesisHash = `0x${String(chain.network.id)}${'61'.repeat(16)}`
  const transactionPayload = { ...payload, genesisHash, tip: '0x00', signedExtensions: ['ChargeAssetTxPayment'] }
  const signature = await signatureOf(createRequest('polkadot_signTransaction', { address, transactionPayload }))
  const hashes = [genesisHash.slice(2), payload.blockHash.slice(2)]
  const bytes = ['0000', '00', '0104', '00', '00', '01000000', '02000000', ...hashes]
  const key = base58.decode(address).slice(1, -2)
  expect(ed25519.verify(hex.decode(signature.slice(4)), hex.decode(bytes.join('')), key)).toBe(true)
})

test.each([
  ['polkadot_signMessage', {}, -32602],
  ['polkadot_signTransaction', { transactionPayload: { ...payload, version: 5 } }, -32602],
  ['polkadot_signTransaction', { transactionPayload: { ...payload, genesisHash: 'here' } }, -32602],
  ['polkadot_signMessage', { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', message: 'Hi' }, 4100],
  ['constructor', {}, 4200],
])('%s with %j is rejected', (method, params, code) => {
  expect(() => createRequest(method, params)).toThrow(expect.objectContaining({ code }))
})
