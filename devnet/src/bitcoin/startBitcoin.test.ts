import { hex } from '@scure/base'
import { p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBitcoin, type Bitcoin } from './startBitcoin.ts'

const network = { ...TEST_NETWORK, bech32: 'bcrt' }
const key = new Uint8Array(32).fill(7)
const stranger = new Uint8Array(32).fill(8)
const to = p2wpkh(pubECDSA(stranger), network)

const kinds = {
  P2PKH: p2pkh(pubECDSA(key), network),
  P2WPKH: p2wpkh(pubECDSA(key), network),
  'P2SH-P2WPKH': p2sh(p2wpkh(pubECDSA(key), network), network),
  P2TR: p2tr(pubSchnorr(key), undefined, network),
}

let chain: Bitcoin
beforeAll(async () => void (chain = await startBitcoin()))
afterAll(() => chain.close())

type Lock = (typeof kinds)[keyof typeof kinds]

/** Spends a new output of 100,000 satoshis, regardless of the declared amount. */
function spend(lock: Lock, amount = 99_000n, claimed = 100_000n): Transaction {
  const txid = chain.fund(String(lock.address), 100_000n)
  const before = chain.ledger.find(txid)
  const transaction = new Transaction()
  const output = { script: lock.script, amount: claimed }
  const witness = 'tapInternalKey' in lock ? { tapInternalKey: lock.tapInternalKey } : {}
  const redeem = 'redeemScript' in lock ? { redeemScript: lock.redeemScript } : {}
  const source = lock === kinds.P2PKH ? { nonWitnessUtxo: before?.raw } : { witnessUtxo: output }
  transaction.addInput({ txid, index: 0, ...source, ...witness, ...redeem })
  transaction.addOutputAddress(String(to.address), amount, network)
  return transaction
}

async function send(raw: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${chain.url}/tx`, { method: 'POST', body: raw })
  return { status: response.status, text: await response.text() }
}

function signed(transaction: Transaction): Transaction {
  transaction.sign(key)
  transaction.finalize()
  return transaction
}

async function read(path: string): Promise<unknown> {
  return (await fetch(`${chain.url}/${path}`)).json()
}

describe.each(Object.entries(kinds))('an output of %s', (_, lock) => {
  test('an output is spent once, with the signature of its key', async () => {
    const transaction = signed(spend(lock))
    expect(await send(transaction.hex)).toEqual({ status: 200, text: transaction.id })
    expect(await read(`tx/${transaction.id}/status`)).toMatchObject({ confirmed: true })
    expect((await send(transaction.hex)).text).toContain('bad-txns-inputs-missingorspent')
  })

  test('an output is not spent if any signed value changes', async () => {
    const raw = signed(spend(lock)).toBytes(true, true)
    const place = hex.encode(raw).indexOf(hex.encode(to.script)) / 2
    raw[place + 5] = (raw[place + 5] ?? 0) ^ 1
    expect(await send(hex.encode(raw))).toMatchObject({
      status: 400,
      text: expect.stringContaining('mandatory-script-verify-flag-failed'),
    })
  })
})

test('a transaction cannot create money', async () => {
  const transaction = signed(spend(kinds.P2WPKH, 100_001n, 200_000n))
  expect((await send(transaction.hex)).text).toContain('bad-txns-in-belowout')
})

test('the API returns the balance and unspent outputs of an address', async () => {
  const { address } = p2wpkh(pubECDSA(new Uint8Array(32).fill(9)), network)
  const txid = chain.fund(String(address), 5_000n)
  expect(await read(`address/${address}`)).toMatchObject({
    chain_stats: { funded_txo_sum: 5_000, spent_txo_sum: 0 },
    mempool_stats: { funded_txo_sum: 0 },
  })
  expect(await read(`address/${address}/utxo`)).toMatchObject([{ txid, vout: 0, value: 5_000 }])
  expect((await fetch(`${chain.url}/tx/${'0'.repeat(64)}/status`)).status).toBe(404)
  expect((await fetch(`${chain.url}/address/nonsense`)).status).toBe(400)
})
