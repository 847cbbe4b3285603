import type { Connection, Connector } from '@latchkey/core'
import type { Asset, Transfer, Transfers } from '@latchkey/core/money'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { getField, type AccountId, type Network } from '@latchkey/protocol'
import { createSimulatedSolanaWallet, registerSolanaWallet, type SimulatedSolanaWallet } from '@latchkey/testkit'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Address,
} from '@solana/kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { solana } from '../solana.ts'
import { getTokenAccount, tokenProgram } from './programs.ts'
import { mintToken } from '../testing/mintToken.ts'
import { startRpcProxy, type RpcProxy } from '../testing/startRpcProxy.ts'

// Account 1 of the phrase that all development chains share. It is funded there only.
const poorKey = 'ab'.repeat(32)
const aliceKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const [, alice, bob] = solanaAddresses as readonly string[] as readonly [string, string, string]
const withheld = 100n
const sol: Asset = { symbol: 'SOL', decimals: 9 }
const unusedAddress = 'So11111111111111111111111111111111111111113'

let now = Date.UTC(2025, 0, 1)
let chain: LocalSolana
let proxy: RpcProxy
let network: Network
let wallet: SimulatedSolanaWallet
let connection: Connection
let transfers: Transfers
let dollars: Asset
let fees: Asset

beforeAll(async () => {
  const started = await startSolana({ now: () => now })
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  proxy = await startRpcProxy(chain.rpcUrl)
  const [token] = chain.tokens
  dollars = { address: token?.address ?? '', symbol: 'LUSD', decimals: 6 }
  const key = new Uint8Array(Buffer.from(aliceKey, 'hex'))
  const named = { seed: 'fees', name: 'Taxed Token', symbol: 'TAX', withheld, amount: 1_000_000n }
  fees = { address: await mintToken(chain.rpcUrl, key, named), symbol: 'TAX', decimals: 6 }
  wallet = createSimulatedSolanaWallet({ privateKeys: [aliceKey, poorKey], rpcUrls: { 'solana:localnet': proxy.url } })
  const page = new EventTarget()
  registerSolanaWallet(wallet, page)
  network = { ...chain.network, rpcUrls: { default: { http: [proxy.url] } } }
  const adapter = solana({ networks: [network], page })
  const found: Connector[] = []
  adapter.discover?.((connector) => found.push(connector))
  const granted = await found[0]?.connect({ networks: [network], signal: new AbortController().signal })
  const made = await adapter.transfers?.()
  if (granted === undefined || made === undefined) throw new Error('There is no wallet, or nothing to transfer with.')
  ;[connection] = granted
  transfers = made
  return async () => {
    proxy.close()
    await chain.close()
  }
})

function createTransfer(amount: bigint, asset = sol, to = bob): Transfer {
  return { from: `${network.caipNetworkId}:${alice}` as AccountId, to, asset, amount }
}

/** An address with a key that has never received anything. */
async function createStrangerAddress(seed: number): Promise<Address> {
  return (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed))).address
}

async function pay(transfer: Transfer): Promise<string> {
  const fee = await transfers.estimateFee(network, transfer)
  const sent = await transfers.send(connection, network, transfer, fee)
  const outcome = await transfers.follow(network, transfer.from, sent, { timeout: 5_000 })
  expect(outcome).toMatchObject({ status: 'mined', hash: sent.hash })
  return sent.hash
}

async function getHeldBalance(holder: string, asset = sol): Promise<bigint> {
  return transfers.getBalance(network, holder, asset)
}

describe('paying', () => {
  test('transfers SOL at the estimated fee [R1.5]', async () => {
    const [mine, his] = [await getHeldBalance(alice), await getHeldBalance(bob)]
    const { value, deposit } = await transfers.estimateFee(network, createTransfer(1_000_000_000n))
    expect([value, deposit]).toEqual([5_000n, undefined])
    await pay(createTransfer(1_000_000_000n))
    expect(await getHeldBalance(bob)).toBe(his + 1_000_000_000n)
    expect(await getHeldBalance(alice)).toBe(mine - 1_000_000_000n - value)
  })

  test('transfers tokens to an existing token account [R1.5]', async () => {
    const [mine, his] = [await getHeldBalance(alice, dollars), await getHeldBalance(bob, dollars)]
    expect(await transfers.estimateFee(network, createTransfer(2_500_000n, dollars))).toEqual({ value: 5_000n })
    await pay(createTransfer(2_500_000n, dollars))
    expect(await getHeldBalance(bob, dollars)).toBe(his + 2_500_000n)
    expect(await getHeldBalance(alice, dollars)).toBe(mine - 2_500_000n)
  })

  test('creates a missing token account, and estimates its rent before [R1.5]', async () => {
    const to = await createStrangerAddress(11)
    const [before, transfer] = [await getHeldBalance(alice), createTransfer(1n, dollars, to)]
    const { value, deposit = 0n } = await transfers.estimateFee(network, transfer)
    expect(deposit).toBeGreaterThan(0n)
    await pay(transfer)
    expect(await getHeldBalance(to, dollars)).toBe(1n)
    expect(await getHeldBalance(alice)).toBe(before - value - deposit)
    expect(await transfers.estimateFee(network, transfer)).toEqual({ value })
  })

  test('supports Token-2022 with larger accounts and withheld fees', async () => {
    const to = await createStrangerAddress(12)
    const [before, transfer] = [await getHeldBalance(alice), createTransfer(10_000n, fees, to)]
    const { value, deposit = 0n, withheld: kept = 0n } = await transfers.estimateFee(network, transfer)
    expect(kept).toBe((10_000n * withheld) / 10_000n)
    await pay(transfer)
    expect(await getHeldBalance(to, fees)).toBe(10_000n - kept)
    expect(await getHeldBalance(alice)).toBe(before - value - deposit)
  })

  test('sends all SOL to the last lamport, minus the fee', async () => {
    const poor = await createStrangerAddress(0xab)
    await pay(createTransfer(50_000_000n, sol, poor))
    const all = {
      ...createTransfer(await getHeldBalance(poor)),
      from: `${network.caipNetworkId}:${poor}` as AccountId,
    }
    const { value } = await transfers.estimateFee(network, all)
    const sent = await transfers.send(connection, network, { ...all, amount: all.amount - value })
    const outcome = await transfers.follow(network, all.from, sent, { timeout: 5_000 })
    expect(outcome).toMatchObject({ status: 'mined' })
    expect(await getHeldBalance(poor)).toBe(0n)
  })

  test('adds the current priority fee, and pays no more than estimated', async () => {
    proxy.respond('getRecentPrioritizationFees', [{ slot: 1, prioritizationFee: 400_000 }])
    const before = await getHeldBalance(alice)
    const fee = await transfers.estimateFee(network, createTransfer(7n))
    proxy.respondTruthfully()
    expect(fee.price).toBe(400_000n)
    const sent = await transfers.send(connection, network, createTransfer(7n), fee)
    const outcome = await transfers.follow(network, createTransfer(7n).from, sent, { timeout: 5_000 })
    expect(outcome).toMatchObject({ status: 'mined' })
    expect(await getHeldBalance(alice)).toBe(before - 7n - fee.value)
  })
})

describe('the shown fee', () => {
  test('of a token is rounded up, and is exactly what the receiver misses', async () => {
    const to = await createStrangerAddress(14)
    const { withheld: kept } = await transfers.estimateFee(network, createTransfer(101n, fees, to))
    expect(kept).toBe(2n)
    await pay(createTransfer(101n, fees, to))
    expect(await getHeldBalance(to, fees)).toBe(99n)
  })

  test('of the network is part of the transaction: a limit and a price of its own', async () => {
    for (const prioritizationFee of [0, 250_000]) {
      proxy.respond('getRecentPrioritizationFees', [{ slot: 1, prioritizationFee }])
      const transfer = createTransfer(9n + BigInt(prioritizationFee), dollars)
      const fee = await transfers.estimateFee(network, transfer)
      proxy.respondTruthfully()
      const before = await getHeldBalance(alice)
      expect(transfers.fixesFee).toBe(true)
      const sent = await transfers.send(connection, network, transfer, fee)
      expect(await transfers.follow(network, transfer.from, sent, { timeout: 5_000 })).toMatchObject({
        status: 'mined',
      })
      expect(await getHeldBalance(alice)).toBe(before - fee.value)
      expect(budgetOf(wallet.requests.at(-1)?.params)).toEqual({ limit: 20_000, price: BigInt(prioritizationFee) })
    }
  })
})

/** Returns the compute budget of the transaction in a wallet request. */
function budgetOf(params: unknown): object {
  const wires: unknown = getField(params, 'transactions')
  const wire = new Uint8Array(Buffer.from(String(Array.isArray(wires) ? wires[0] : ''), 'base64'))
  const { messageBytes } = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version !== 0) throw new Error('The transaction has another version.')
  const budget = { limit: 0, price: 0n }
  for (const { data = new Uint8Array(), programAddressIndex } of message.instructions) {
    if (message.staticAccounts[programAddressIndex] !== 'ComputeBudget111111111111111111111111111111') continue
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    if (data[0] === 2) budget.limit = view.getUint32(1, true)
    if (data[0] === 3) budget.price = view.getBigUint64(1, true)
  }
  return budget
}

describe('a refused token', () => {
  test.each(['non-transferable', 'transfer-hook'] as const)('is named before the wallet request: %s', async (note) => {
    const key = new Uint8Array(Buffer.from(aliceKey, 'hex'))
    const named = { seed: note, name: 'Bound Token', symbol: 'BOUND', withheld: 0n, amount: 1_000n, restriction: note }
    const bound: Asset = { address: await mintToken(chain.rpcUrl, key, named), symbol: 'BOUND', decimals: 6 }
    const requestCount = wallet.requests.length
    expect(await transfers.inspectReceiver(network, createTransfer(1n, bound))).toEqual([note])
    const reverted = { code: 'transaction/reverted' }
    await expect(transfers.estimateFee(network, createTransfer(1n, bound))).rejects.toMatchObject(reverted)
    await expect(transfers.send(connection, network, createTransfer(1n, bound))).rejects.toMatchObject(reverted)
    expect(wallet.requests).toHaveLength(requestCount)
  })
})

describe('a token account as receiver', () => {
  test('is refused for SOL and tokens', async () => {
    const account = await getTokenAccount(bob as Address, dollars.address as Address, tokenProgram)
    for (const asset of [sol, dollars, fees]) {
      expect(await transfers.inspectReceiver(network, createTransfer(1n, asset, account))).toEqual(['token-account'])
    }
    const requestCount = wallet.requests.length
    await expect(transfers.send(connection, network, createTransfer(1n, dollars, account))).rejects.toMatchObject({
      code: 'address/invalid',
    })
    expect(wallet.requests).toHaveLength(requestCount)
  })
})

describe('a refused payment', () => {
  test.each([
    ['zero', 0n, sol],
    ['below zero', -1n, sol],
    ['above 64 bits', 2n ** 64n, sol],
    ['zero tokens', 0n, { address: 'F7tozZD6SBLifJMFSePpFvKnSGsvxQqjsrro5K4DM7cp', symbol: 'LUSD', decimals: 6 }],
  ])('with the amount %s is refused before the wallet request [R5.4.1]', async (_, amount, asset) => {
    const requestCount = wallet.requests.length
    await expect(transfers.send(connection, network, createTransfer(amount, asset))).rejects.toMatchObject({
      code: 'amount/invalid',
    })
    expect(wallet.requests).toHaveLength(requestCount)
  })

  test.each(['', '0x90F79bf6EB2c4f870365E785982E1f101E93b906', 'bob.sol', `${'1'.repeat(31)}`])(
    'to the invalid address %j is refused before the wallet request [R5.4.1]',
    async (to) => {
      const requestCount = wallet.requests.length
      await expect(transfers.send(connection, network, createTransfer(1n, sol, to))).rejects.toMatchObject({
        code: 'address/invalid',
      })
      expect(await transfers.inspectReceiver(network, createTransfer(1n, sol, to))).toEqual(['invalid'])
      expect(wallet.requests).toHaveLength(requestCount)
    },
  )

  test('has the chain’s reason, before the wallet request', async () => {
    const tooMany = transfers.estimateFee(network, createTransfer(10n ** 12n, dollars))
    await expect(tooMany).rejects.toMatchObject({ code: 'transaction/reverted' })
    // Below the minimum balance of an account.
    const tooLittle = transfers.estimateFee(network, createTransfer(1n, sol, await createStrangerAddress(13)))
    await expect(tooLittle).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { reason: expect.stringContaining('InsufficientFundsForRent') },
    })
  })

  test('sends nothing when the user declines', async () => {
    const before = await getHeldBalance(bob)
    wallet.rejectNext()
    await expect(transfers.send(connection, network, createTransfer(5n))).rejects.toMatchObject({
      code: 'request/rejected',
    })
    expect(await getHeldBalance(bob)).toBe(before)
  })

  test('recognises addresses that are not tokens', async () => {
    await expect(transfers.readAsset(network, alice)).rejects.toMatchObject({ code: 'address/invalid' })
    await expect(transfers.readAsset(network, unusedAddress)).rejects.toMatchObject({ code: 'address/invalid' })
    const tokenAccount = await getTokenAccount(alice as Address, dollars.address as Address, tokenProgram)
    await expect(transfers.readAsset(network, tokenAccount)).rejects.toMatchObject({ code: 'address/invalid' })
  })

  test('rejects if no node responds', async () => {
    proxy.disconnect()
    try {
      const results = await Promise.allSettled([
        transfers.estimateFee(network, createTransfer(1n)),
        transfers.getBalance(network, alice, dollars),
        transfers.inspectReceiver(network, createTransfer(1n)),
        transfers.send(connection, network, createTransfer(1n)),
      ])
      const unreachable = { status: 'rejected', reason: expect.objectContaining({ code: 'rpc/unreachable' }) }
      expect(results).toEqual([unreachable, unreachable, unreachable, unreachable])
    } finally {
      proxy.reconnect()
    }
  })
})

describe('the receiver', () => {
  test('has no warning if it is an ordinary account', async () => {
    expect(await transfers.inspectReceiver(network, createTransfer(1n))).toEqual([])
    expect(await transfers.inspectReceiver(network, createTransfer(1n, dollars))).toEqual([])
  })

  test.each<[string, () => Promise<string> | string, Asset | undefined, readonly string[]]>([
    ['the sender', () => alice, undefined, ['oneself']],
    ['an unused account', () => createStrangerAddress(21), undefined, ['unused']],
    ['the incinerator', () => '1nc1nerator11111111111111111111111111111111', undefined, ['burn', 'contract', 'unused']],
    ['a program', () => tokenProgram, undefined, ['contract']],
    [
      'an address without a key',
      () => getTokenAccount(unusedAddress as Address, unusedAddress as Address, tokenProgram),
      undefined,
      ['contract', 'unused'],
    ],
  ])('has a warning: %s', async (_, who, asset, notes) => {
    expect(await transfers.inspectReceiver(network, createTransfer(1n, asset, await who()))).toEqual(notes)
  })

  test('has a warning without a token account or if it is the token itself', async () => {
    const inspect = async (to: string): Promise<readonly string[]> =>
      transfers.inspectReceiver(network, createTransfer(1n, dollars, to))
    expect(await inspect(await createStrangerAddress(22))).toEqual(['unused', 'opens-account'])
    expect(await inspect(dollars.address ?? '')).toEqual(['asset', 'contract', 'opens-account'])
  })
})

describe('tokens', () => {
  test('have their own name, or else their address', async () => {
    const { address: taxed = '' } = fees
    expect(await transfers.readAsset(network, taxed)).toEqual({
      address: taxed,
      name: 'Taxed Token',
      symbol: 'TAX',
      decimals: 6,
    })
    const { address = '' } = dollars
    expect(await transfers.readAsset(network, address)).toMatchObject({ address, decimals: 6 })
  })
})

describe('following', () => {
  test('ends after the timeout as unknown if the transaction is not found [P-02]', async () => {
    const sent = { hash: '5'.repeat(87) }
    const outcome = await transfers.follow(network, createTransfer(1n).from, sent, { timeout: 0 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })

  test('reports a transaction that has expired', async () => {
    proxy.drop('sendTransaction')
    const [transfer, before] = [createTransfer(3n), await getHeldBalance(bob)]
    const sent = await transfers.send(connection, network, transfer)
    proxy.respondTruthfully()
    const follow = async (): Promise<object> => transfers.follow(network, transfer.from, sent, { timeout: 0 })
    expect(await follow()).toEqual({ status: 'unknown', hash: sent.hash })
    now += 151 * 400 + 1_000
    expect(await follow()).toEqual({
      status: 'reverted',
      hash: sent.hash,
      reason: 'the transaction expired before the network included it',
    })
    expect(await getHeldBalance(bob)).toBe(before)
  })

  test('never reports a transaction that the wallet changed as expired', async () => {
    proxy.drop('sendTransaction', () => '5'.repeat(87))
    const sent = await transfers.send(connection, network, createTransfer(4n))
    proxy.respondTruthfully()
    now += 151 * 400 + 1_000
    const outcome = await transfers.follow(network, createTransfer(4n).from, sent, { timeout: 0 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })
})
