import { startLocalBitcoin, type LocalBitcoin } from '@latchkey/devnet'
import { verifyBip122 } from '@latchkey/verify/bip122'
import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '../family.ts'
import { bitcoin } from './bitcoin.ts'
import { readUnspent } from './esplora.ts'
import { developmentAccounts, writing } from './keys.ts'

const family = bitcoin()
const [own, other] = developmentAccounts()
const payee = String(other?.address)

let chain: LocalBitcoin
beforeAll(async () => void (chain = await startLocalBitcoin()))
afterAll(() => chain.close())

/** An app asks, in a session that shares one account. */
function ask(method: string, params: object, shared: string = own.address): Question {
  const { network } = chain
  const accounts = family.accounts.filter(({ address }) => address === shared)
  return family.read({ method, params, network, accounts, networks: [network], tokens: [] })
}

/** What becomes of a question that is answered with yes. */
async function yes(question: Question): Promise<Record<string, string>> {
  if (question.kind === 'switchNetwork' || question.kind === 'addNetwork') throw new Error('Nothing of that was asked.')
  return (await question.answer()) as Record<string, string>
}

async function balanceOf(address: string): Promise<bigint> {
  const [{ amount } = { amount: 0n }] = await family.balances(chain.network, [], address)
  return amount
}

test.each([
  ['payment', 'ecdsa', 0],
  ['payment', 'bip322', 0],
  ['ordinal', 'bip322', 1],
] as const)('signs a text with the address for %s by %s', async (_, protocol, at) => {
  const { address } = own.keys[at]
  const question = ask('signMessage', { account: own.address, message: 'Grüße', address, protocol })
  expect(question).toMatchObject({ kind: 'message', message: { text: 'Grüße' } })
  const answer = await yes(question)
  expect(verifyBip122(address, 'Grüße', base64.encode(hex.decode(answer['signature'] ?? '')))).toBe(true)
})

test('shows a payment with its fee, and sends it', async () => {
  const before = await balanceOf(payee)
  const question = ask('sendTransfer', { account: own.address, recipientAddress: payee, amount: '12345' })
  if (question.kind !== 'transaction') return expect.unreachable()
  expect(question.transaction).toMatchObject({ value: 12_345n, action: { kind: 'send', to: payee } })
  expect((await question.estimate()).atMost).toBeGreaterThan(0n)
  expect((await yes(question))['txid']).toMatch(/^[0-9a-f]{64}$/)
  expect((await balanceOf(payee)) - before).toBe(12_345n)
})

test('shows what a PSBT takes and pays, signs its own inputs, and sends it when told to', async () => {
  const [output] = await readUnspent(chain.network, own.address)
  if (output === undefined) return expect.unreachable()
  const transaction = new Transaction()
  const { txid, index, amount } = output
  transaction.addInput({ txid: hex.decode(txid), index, witnessUtxo: { script: own.keys[0].script, amount } })
  transaction.addOutputAddress(payee, amount - 1_000n, writing)
  const psbt = base64.encode(transaction.toPSBT())
  const params = { account: own.address, psbt, signInputs: [{ address: own.address, index: 0 }] }

  const question = ask('signPsbt', params)
  if (question.kind !== 'typedData') return expect.unreachable()
  expect(question.data.domain).toEqual([{ name: 'fee', type: 'BTC', value: '0.00001000 BTC' }])
  expect(JSON.stringify(question.data.message)).toContain(payee)
  const signed = Transaction.fromPSBT(base64.decode((await yes(question))['psbt'] ?? ''))
  signed.finalize()
  const sent = await yes(ask('signPsbt', { ...params, broadcast: true }))
  expect(sent['txid']).toBe(signed.id)
})

test.each([
  ['signMessage', {}],
  ['signPsbt', { psbt: 'nonsense', signInputs: [{ address: own.address, index: 0 }] }],
  ['sendTransfer', { recipientAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '1' }],
  ['sendTransfer', { recipientAddress: payee, amount: '-1' }],
  ['sendTransfer', { recipientAddress: payee, amount: 5 }],
])('refuses %s with parameters that make no sense', (method, params) => {
  expect(() => ask(method, { account: own.address, ...params })).toThrow(expect.objectContaining({ code: -32602 }))
})

test('signs for no account that the session does not share, and knows no other methods', () => {
  const asked = (): unknown => ask('signMessage', { account: payee, message: 'Hello' })
  expect(asked).toThrow(expect.objectContaining({ code: 4100 }))
  expect(() => ask('constructor', {})).toThrow(expect.objectContaining({ code: 4200 }))
})

test('tells apps the addresses of the accounts that they get', () => {
  const { bip122_getAccountAddresses: told } = family.sessionProperties?.([own]) ?? {}
  expect(JSON.parse(told ?? '')).toMatchObject([
    { address: own.address, intention: 'payment', path: "m/84'/1'/0'/0/1" },
    { address: own.keys[1].address, intention: 'ordinal' },
  ])
})
