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

function signTransaction(transaction: Transaction): Transaction {
  transaction.sign(key)
  transaction.finalize()
  return transaction
}

async function read(path: string): Promise<unknown> {
  return (await fetch(`${chain.url}/${path}`)).json()
}

describe.each(Object.entries(kinds))('an output of %s', (_, lock) => {
  test('an output is spent once, with the signature of its key', async () => {
    const transaction = signTransaction(spend(lock))
    expect(await send(transaction.hex)).toEqual({ status: 200, text: transaction.id })
    expect(await read(`tx/${transaction.id}/status`)).toMatchObject({ confirmed: true })
    expect((await send(transaction.hex)).text).toContain('bad-txns-inputs-missingorspent')
  })

  test('an output is not spent if any signed value changes', async () => {
    const raw = signTransaction(spend(lock)).toBytes(true, true)
    const place = hex.encode(raw).indexOf(hex.encode(to.script)) / 2
    raw[place + 5] = (raw[place + 5] ?? 0) ^ 1
    expect(await send(hex.encode(raw))).toMatchObject({
      status: 400,
      text: expect.stringContaining('mandatory-script-verify-flag-failed'),
    })
  })
})

test('a transaction cannot create money', async () => {
  const transaction = signTransaction(spend(kinds.P2WPKH, 100_001n, 200_000n))
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

describe('the mempool', () => {
  /** Spends an output of the chain, and leaves a fee. */
  function pay(pool: Bitcoin, txid: string, fee: bigint, sequence = 0xfffffffd): Transaction {
    const transaction = new Transaction()
    const witnessUtxo = { script: kinds.P2WPKH.script, amount: 100_000n }
    transaction.addInput({ txid, index: 0, sequence, witnessUtxo })
    transaction.addOutputAddress(String(to.address), 100_000n - fee, network)
    return signTransaction(transaction)
  }

  let pool: Bitcoin
  beforeAll(async () => void (pool = await startBitcoin({ mining: false })))
  afterAll(() => pool.close())

  test('a pending transaction is replaced by one with a higher fee only if it signals it (BIP-125)', async () => {
    const [open, final] = [0, 1].map(() => pool.fund(String(kinds.P2WPKH.address), 100_000n))
    const first = pay(pool, open ?? '', 500n)
    pool.ledger.accept(first.toBytes(true, true))
    const cheaper = pay(pool, open ?? '', 400n)
    expect(() => pool.ledger.accept(cheaper.toBytes(true, true))).toThrow('insufficient fee')
    const second = pool.ledger.accept(pay(pool, open ?? '', 900n).toBytes(true, true))
    expect([pool.ledger.find(first.id), pool.ledger.isSpent(`${open}:0`)?.txid]).toEqual([undefined, second.txid])
    pool.ledger.accept(pay(pool, final ?? '', 500n, 0xffffffff).toBytes(true, true))
    const late = pay(pool, final ?? '', 900n)
    expect(() => pool.ledger.accept(late.toBytes(true, true))).toThrow('txn-mempool-conflict')
  })

  test('a mined transaction is not replaced', () => {
    const txid = pool.fund(String(kinds.P2WPKH.address), 100_000n)
    pool.ledger.accept(pay(pool, txid, 500n).toBytes(true, true))
    pool.ledger.mine()
    expect(() => pool.ledger.accept(pay(pool, txid, 900n).toBytes(true, true))).toThrow('missingorspent')
  })

  test.each([
    ['a fee below one satoshi per virtual byte', 50n, 'min relay fee not met'],
    ['an output that costs more than it holds', 99_800n, 'dust'],
  ])('%s is refused', (_, fee, reason) => {
    const transaction = pay(pool, pool.fund(String(kinds.P2WPKH.address), 100_000n), fee)
    expect(() => pool.ledger.accept(transaction.toBytes(true, true))).toThrow(reason)
  })

  test('the API returns inputs, outputs, fee and spender of a transaction', async () => {
    const txid = pool.fund(String(kinds.P2WPKH.address), 100_000n)
    const sent = pool.ledger.accept(pay(pool, txid, 500n).toBytes(true, true))
    const get = async (path: string): Promise<unknown> => (await fetch(`${pool.url}/${path}`)).json()
    const described = {
      txid: sent.txid,
      vin: [{ txid, vout: 0, prevout: { scriptpubkey_address: kinds.P2WPKH.address, value: 100_000 } }],
      vout: [{ scriptpubkey_address: to.address, value: 99_500 }],
      fee: 500,
      status: { confirmed: false },
    }
    expect(await get(`tx/${sent.txid}`)).toMatchObject(described)
    expect(await get(`address/${to.address}/txs`)).toContainEqual(
      expect.objectContaining({ txid: sent.txid, fee: 500 }),
    )
    expect(await get(`tx/${txid}/outspend/0`)).toMatchObject({
      spent: true,
      txid: sent.txid,
      status: { confirmed: false },
    })
    expect(await get(`tx/${sent.txid}/outspend/0`)).toEqual({ spent: false })
  })
})
