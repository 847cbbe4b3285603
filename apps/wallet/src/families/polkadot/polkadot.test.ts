import { startLocalPolkadot, type LocalPolkadot } from '@latchkey/devnet'
import { verifyPolkadot } from '@latchkey/verify/polkadot'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, hex } from '@scure/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '../family.ts'
import { developmentAccounts } from './keys.ts'
import { polkadot } from './polkadot.ts'

const family = polkadot()
const accounts = developmentAccounts()

let chain: LocalPolkadot
beforeAll(async () => void (chain = await startLocalPolkadot()))
afterAll(() => chain.close())

function ask(
  method: string,
  params: object,
  shared: readonly string[] = accounts.map(({ address }) => address),
): Question {
  const { network } = chain
  const own = family.accounts.filter(({ address }) => shared.includes(address))
  return family.read({ method, params, network, accounts: own, networks: [network], tokens: [] })
}

async function signatureOf(question: Question): Promise<string> {
  if (question.kind !== 'message' && question.kind !== 'typedData') throw new Error('Nothing to sign was asked.')
  return ((await question.answer()) as { signature: string }).signature
}

test.each(accounts.map(({ origin, address }) => [origin, address]))('signs raw texts with %s', async (_, address) => {
  const question = ask('polkadot_signMessage', { address, message: 'Grüße' })
  expect(question).toMatchObject({ kind: 'message', message: { text: 'Grüße' } })
  expect(verifyPolkadot(address, 'Grüße', await signatureOf(question))).toBe(true)
})

test('shows bytes as bytes', () => {
  const { message } = ask('polkadot_signMessage', { address: accounts[0].address, message: '0xff00' }) as {
    message: unknown
  }
  expect(message).toEqual({ kind: 'bytes', hex: '0xff00' })
})

test('reads what an account has', async () => {
  const [{ amount } = { amount: 0n }] = await family.balances(chain.network, [], accounts[0].address)
  expect(amount).toBe(100_000_000_000_000n)
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

test('signs a transaction as the bytes that chains check, and warns of one of another chain', async () => {
  const { network } = chain
  const address = accounts[1]?.address ?? ''
  const genesisHash = `0x${String(network.id)}${'61'.repeat(16)}`
  const question = ask('polkadot_signTransaction', { address, transactionPayload: { ...payload, genesisHash } })
  if (question.kind !== 'typedData') return expect.unreachable()
  expect(question.data.foreignChain).toBeUndefined()
  const signature = await signatureOf(question)
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
  const other = ask('polkadot_signTransaction', { address, transactionPayload: foreign })
  expect(other).toMatchObject({ data: { foreignChain: foreign.genesisHash } })
})

test.each([
  ['polkadot_signMessage', {}, -32602],
  ['polkadot_signTransaction', { transactionPayload: { ...payload, version: 5 } }, -32602],
  ['polkadot_signTransaction', { transactionPayload: { ...payload, genesisHash: 'here' } }, -32602],
  ['polkadot_signMessage', { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', message: 'Hi' }, 4100],
  ['constructor', {}, 4200],
])('refuses %s with %j', (method, params, code) => {
  expect(() => ask(method, params)).toThrow(expect.objectContaining({ code }))
})
