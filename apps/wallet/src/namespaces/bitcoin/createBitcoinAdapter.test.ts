import { startLocalBitcoin, type LocalBitcoin } from '@latchkey/devnet'
import { verifyBip122 } from '@latchkey/verify/bip122'
import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DecodedRequest } from '../namespaceAdapter.ts'
import { createBitcoinAdapter } from './createBitcoinAdapter.ts'
import { listUnspentOutputs } from './requestEsplora.ts'
import { createBitcoinAccounts, regtest } from './bitcoinAccount.ts'

const adapter = createBitcoinAdapter()
const [own, other] = createBitcoinAccounts()
const payee = String(other?.address)

let chain: LocalBitcoin
beforeAll(async () => void (chain = await startLocalBitcoin()))
afterAll(() => chain.close())

/** Decodes a request from a session that shares one account. */
function createRequest(method: string, params: object, shared: string = own.address): DecodedRequest {
  const { network } = chain
  const accounts = adapter.accounts.filter(({ address }) => address === shared)
  return adapter.decode({ method, params, network, accounts, networks: [network], tokens: [] })
}

/** Approves a request and returns its result. */
async function approveRequest(decoded: DecodedRequest): Promise<Record<string, string>> {
  if (decoded.kind === 'switchNetwork' || decoded.kind === 'addNetwork')
    throw new Error('The request is not a signing request.')
  return (await decoded.execute()) as Record<string, string>
}

async function balanceOf(address: string): Promise<bigint> {
  const [{ amount } = { amount: 0n }] = await adapter.getBalances(chain.network, [], address)
  return amount
}

test.each([
  ['payment', 'ecdsa', 0],
  ['payment', 'bip322', 0],
  ['ordinal', 'bip322', 1],
] as const)('signMessage signs text with the %s address using %s', async (_, protocol, at) => {
  const { address } = own.keys[at]
  const decoded = createRequest('signMessage', { account: own.address, message: 'Grüße', address, protocol })
  expect(decoded).toMatchObject({ kind: 'message', message: { text: 'Grüße' } })
  const response = await approveRequest(decoded)
  expect(verifyBip122(address, 'Grüße', base64.encode(hex.decode(response['signature'] ?? '')))).toBe(true)
})

test('sendTransfer shows the payment with its fee and broadcasts it after approval', async () => {
  const before = await balanceOf(payee)
  const decoded = createRequest('sendTransfer', { account: own.address, recipientAddress: payee, amount: '12345' })
  if (decoded.kind !== 'transaction') return expect.unreachable()
  expect(decoded.transaction).toMatchObject({ value: 12_345n, action: { kind: 'send', to: payee } })
  expect((await decoded.estimate()).maximum).toBeGreaterThan(0n)
  expect((await approveRequest(decoded))['txid']).toMatch(/^[0-9a-f]{64}$/)
  expect((await balanceOf(payee)) - before).toBe(12_345n)
})

test('signPsbt shows inputs and outputs, signs only its own inputs, and broadcasts if requested', async () => {
  const [output] = await listUnspentOutputs(chain.network, own.address)
  if (output === undefined) return expect.unreachable()
  const transaction = new Transaction()
  const { txid, index, amount } = output
  transaction.addInput({ txid: hex.decode(txid), index, witnessUtxo: { script: own.keys[0].script, amount } })
  transaction.addOutputAddress(payee, amount - 1_000n, regtest)
  const psbt = base64.encode(transaction.toPSBT())
  const params = { account: own.address, psbt, signInputs: [{ address: own.address, index: 0 }] }

  const decoded = createRequest('signPsbt', params)
  if (decoded.kind !== 'typedData') return expect.unreachable()
  expect(decoded.data.domain).toEqual([{ name: 'fee', type: 'BTC', value: '0.00001000 BTC' }])
  expect(JSON.stringify(decoded.data.message)).toContain(payee)
  const signed = Transaction.fromPSBT(base64.decode((await approveRequest(decoded))['psbt'] ?? ''))
  signed.finalize()
  const sent = await approveRequest(createRequest('signPsbt', { ...params, broadcast: true }))
  expect(sent['txid']).toBe(signed.id)
})

test.each([
  ['signMessage', {}],
  ['signPsbt', { psbt: 'nonsense', signInputs: [{ address: own.address, index: 0 }] }],
  ['sendTransfer', { recipientAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '1' }],
  ['sendTransfer', { recipientAddress: payee, amount: '-1' }],
  ['sendTransfer', { recipientAddress: payee, amount: 5 }],
])('%s with malformed parameters is rejected', (method, params) => {
  expect(() => createRequest(method, { account: own.address, ...params })).toThrow(
    expect.objectContaining({ code: -32602 }),
  )
})

test('requests for an account outside the session and unknown methods are rejected', () => {
  const request = (): unknown => createRequest('signMessage', { account: payee, message: 'Hello' })
  expect(request).toThrow(expect.objectContaining({ code: 4100 }))
  expect(() => createRequest('constructor', {})).toThrow(expect.objectContaining({ code: 4200 }))
})

test('session properties contain the addresses of the shared accounts', () => {
  const { bip122_getAccountAddresses: sent } = adapter.sessionProperties?.([own]) ?? {}
  expect(JSON.parse(sent ?? '')).toMatchObject([
    { address: own.address, intention: 'payment', path: "m/84'/1'/0'/0/1" },
    { address: own.keys[1].address, intention: 'ordinal' },
  ])
})
