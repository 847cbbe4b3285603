import type { Connection, Connector } from '@latchkey/core'
import type { Asset, Transfer, Transfers } from '@latchkey/core/money'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import type { AccountId, Network } from '@latchkey/protocol'
import { createSimulatedSolanaWallet, registerSolanaWallet, type SimulatedSolanaWallet } from '@latchkey/testkit'
import { createKeyPairSignerFromPrivateKeyBytes, type Address } from '@solana/kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { solana } from '../solana.ts'
import { tokenAccountOf, tokenProgram } from './programs.ts'
import { mintToken } from './testing/mintToken.ts'
import { startRoad, type Road } from './testing/startRoad.ts'

// Account 1 of the phrase that all development chains share: rich there, worthless anywhere else.
const poorKey = 'ab'.repeat(32)
const aliceKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const [, alice, bob] = solanaAddresses as readonly string[] as readonly [string, string, string]
const withheld = 100n
const sol: Asset = { symbol: 'SOL', decimals: 9 }
const nobody = 'So11111111111111111111111111111111111111113'

let now = Date.UTC(2025, 0, 1)
let chain: LocalSolana
let road: Road
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
  road = await startRoad(chain.rpcUrl)
  const [token] = chain.tokens
  dollars = { address: token?.address ?? '', symbol: 'LUSD', decimals: 6 }
  const key = new Uint8Array(Buffer.from(aliceKey, 'hex'))
  const named = { seed: 'fees', name: 'Taxed Token', symbol: 'TAX', withheld, amount: 1_000_000n }
  fees = { address: await mintToken(chain.rpcUrl, key, named), symbol: 'TAX', decimals: 6 }
  wallet = createSimulatedSolanaWallet({ privateKeys: [aliceKey, poorKey], rpcUrls: { 'solana:localnet': road.url } })
  const page = new EventTarget()
  registerSolanaWallet(wallet, page)
  network = { ...chain.network, rpcUrls: { default: { http: [road.url] } } }
  const adapter = solana({ networks: [network], page })
  const found: Connector[] = []
  adapter.discover?.((connector) => found.push(connector))
  const granted = await found[0]?.connect({ networks: [network], signal: new AbortController().signal })
  const made = await adapter.transfers?.()
  if (granted === undefined || made === undefined) throw new Error('There is no wallet, or nothing to transfer with.')
  ;[connection] = granted
  transfers = made
  return async () => {
    road.close()
    await chain.close()
  }
})

function paying(amount: bigint, asset = sol, to = bob): Transfer {
  return { from: `${network.caipNetworkId}:${alice}` as AccountId, to, asset, amount }
}

/** An address with a key that nothing was ever paid to. */
async function stranger(seed: number): Promise<Address> {
  return (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed))).address
}

async function pay(transfer: Transfer): Promise<string> {
  const fee = await transfers.estimateFee(network, transfer)
  const sent = await transfers.send(connection, network, transfer, fee)
  const outcome = await transfers.follow(network, transfer.from, sent, { timeout: 5_000 })
  expect(outcome).toMatchObject({ status: 'mined', hash: sent.hash })
  return sent.hash
}

async function held(holder: string, asset = sol): Promise<bigint> {
  return transfers.getBalance(network, holder, asset)
}

describe('paying', () => {
  test('moves SOL, at the fee that was told [R1.5]', async () => {
    const [mine, his] = [await held(alice), await held(bob)]
    const { value, deposit } = await transfers.estimateFee(network, paying(1_000_000_000n))
    expect([value, deposit]).toEqual([5_000n, undefined])
    await pay(paying(1_000_000_000n))
    expect(await held(bob)).toBe(his + 1_000_000_000n)
    expect(await held(alice)).toBe(mine - 1_000_000_000n - value)
  })

  test('moves tokens to who keeps some already [R1.5]', async () => {
    const [mine, his] = [await held(alice, dollars), await held(bob, dollars)]
    expect(await transfers.estimateFee(network, paying(2_500_000n, dollars))).toEqual({ value: 5_000n })
    await pay(paying(2_500_000n, dollars))
    expect(await held(bob, dollars)).toBe(his + 2_500_000n)
    expect(await held(alice, dollars)).toBe(mine - 2_500_000n)
  })

  test('opens an account for who has none of a token yet, and tells before what that locks [R1.5]', async () => {
    const to = await stranger(11)
    const [before, transfer] = [await held(alice), paying(1n, dollars, to)]
    const { value, deposit = 0n } = await transfers.estimateFee(network, transfer)
    expect(deposit).toBeGreaterThan(0n)
    await pay(transfer)
    expect(await held(to, dollars)).toBe(1n)
    expect(await held(alice)).toBe(before - value - deposit)
    expect(await transfers.estimateFee(network, transfer)).toEqual({ value })
  })

  test('knows the newer token program: its larger accounts, and what it withholds', async () => {
    const to = await stranger(12)
    const [before, transfer] = [await held(alice), paying(10_000n, fees, to)]
    const { value, deposit = 0n } = await transfers.estimateFee(network, transfer)
    await pay(transfer)
    expect(await held(to, fees)).toBe(10_000n - (10_000n * withheld) / 10_000n)
    expect(await held(alice)).toBe(before - value - deposit)
  })

  test('empties an account of SOL to the last lamport when the fee is left out', async () => {
    const poor = await stranger(0xab)
    await pay(paying(50_000_000n, sol, poor))
    const all = {
      ...paying(await held(poor)),
      from: `${network.caipNetworkId}:${poor}` as AccountId,
    }
    const { value } = await transfers.estimateFee(network, all)
    const sent = await transfers.send(connection, network, { ...all, amount: all.amount - value })
    const outcome = await transfers.follow(network, all.from, sent, { timeout: 5_000 })
    expect(outcome).toMatchObject({ status: 'mined' })
    expect(await held(poor)).toBe(0n)
  })

  test('offers what others pay to be taken soon, and pays no more than was told', async () => {
    road.answer('getRecentPrioritizationFees', [{ slot: 1, prioritizationFee: 400_000 }])
    const before = await held(alice)
    const fee = await transfers.estimateFee(network, paying(7n))
    road.answerTruly()
    expect(fee.price).toBe(400_000n)
    const sent = await transfers.send(connection, network, paying(7n), fee)
    const outcome = await transfers.follow(network, paying(7n).from, sent, { timeout: 5_000 })
    expect(outcome).toMatchObject({ status: 'mined' })
    expect(await held(alice)).toBe(before - 7n - fee.value)
  })
})

describe('what cannot be paid', () => {
  test.each([
    ['nothing', 0n, sol],
    ['less than nothing', -1n, sol],
    ['more than a program can be told', 2n ** 64n, sol],
    ['no tokens', 0n, { address: 'F7tozZD6SBLifJMFSePpFvKnSGsvxQqjsrro5K4DM7cp', symbol: 'LUSD', decimals: 6 }],
  ])('%s is no amount, and no wallet is asked [R5.4.1]', async (_, amount, asset) => {
    const asked = wallet.requests.length
    await expect(transfers.send(connection, network, paying(amount, asset))).rejects.toMatchObject({
      code: 'amount/invalid',
    })
    expect(wallet.requests).toHaveLength(asked)
  })

  test.each(['', '0x90F79bf6EB2c4f870365E785982E1f101E93b906', 'bob.sol', `${'1'.repeat(31)}`])(
    '%j is nobody to pay, and no wallet is asked [R5.4.1]',
    async (to) => {
      const asked = wallet.requests.length
      await expect(transfers.send(connection, network, paying(1n, sol, to))).rejects.toMatchObject({
        code: 'address/invalid',
      })
      expect(await transfers.inspectReceiver(network, paying(1n, sol, to))).toEqual(['invalid'])
      expect(wallet.requests).toHaveLength(asked)
    },
  )

  test('tells why the chain would not take it, before anybody is asked', async () => {
    const tooMany = transfers.estimateFee(network, paying(10n ** 12n, dollars))
    await expect(tooMany).rejects.toMatchObject({ code: 'transaction/reverted' })
    // Less than an account must hold to exist.
    const tooLittle = transfers.estimateFee(network, paying(1n, sol, await stranger(13)))
    await expect(tooLittle).rejects.toMatchObject({
      code: 'transaction/reverted',
      context: { reason: expect.stringContaining('InsufficientFundsForRent') },
    })
  })

  test('is calm about who declines, and sends nothing', async () => {
    const before = await held(bob)
    wallet.rejectNext()
    await expect(transfers.send(connection, network, paying(5n))).rejects.toMatchObject({
      code: 'request/rejected',
    })
    expect(await held(bob)).toBe(before)
  })

  test('knows a token from what is none', async () => {
    await expect(transfers.readAsset(network, alice)).rejects.toMatchObject({ code: 'address/invalid' })
    await expect(transfers.readAsset(network, nobody)).rejects.toMatchObject({ code: 'address/invalid' })
    const tokenAccount = await tokenAccountOf(alice as Address, dollars.address as Address, tokenProgram)
    await expect(transfers.readAsset(network, tokenAccount)).rejects.toMatchObject({ code: 'address/invalid' })
  })

  test('says when no node answers', async () => {
    road.cut()
    try {
      const asked = await Promise.allSettled([
        transfers.estimateFee(network, paying(1n)),
        transfers.getBalance(network, alice, dollars),
        transfers.inspectReceiver(network, paying(1n)),
        transfers.send(connection, network, paying(1n)),
      ])
      const unreachable = { status: 'rejected', reason: expect.objectContaining({ code: 'rpc/unreachable' }) }
      expect(asked).toEqual([unreachable, unreachable, unreachable, unreachable])
    } finally {
      road.mend()
    }
  })
})

describe('who is paid', () => {
  test('is worth no word when he is an ordinary account', async () => {
    expect(await transfers.inspectReceiver(network, paying(1n))).toEqual([])
    expect(await transfers.inspectReceiver(network, paying(1n, dollars))).toEqual([])
  })

  test.each<[string, () => Promise<string> | string, Asset | undefined, readonly string[]]>([
    ['oneself', () => alice, undefined, ['oneself']],
    ['one who was never seen', () => stranger(21), undefined, ['unused']],
    ['the incinerator', () => '1nc1nerator11111111111111111111111111111111', undefined, ['burn', 'contract', 'unused']],
    ['a program', () => tokenProgram, undefined, ['contract']],
    [
      'an address that no key can sign for',
      () => tokenAccountOf(nobody as Address, nobody as Address, tokenProgram),
      undefined,
      ['contract', 'unused'],
    ],
  ])('%s is told of', async (_, who, asset, notes) => {
    expect(await transfers.inspectReceiver(network, paying(1n, asset, await who()))).toEqual(notes)
  })

  test('who keeps none of a token yet is told of, and so is the token itself', async () => {
    const inspect = async (to: string): Promise<readonly string[]> =>
      transfers.inspectReceiver(network, paying(1n, dollars, to))
    expect(await inspect(await stranger(22))).toEqual(['unused', 'opens-account'])
    expect(await inspect(dollars.address ?? '')).toEqual(['asset', 'contract', 'opens-account'])
  })
})

describe('tokens', () => {
  test('go by the name that they give themselves, or by their address', async () => {
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
  test('ends in time when the transaction is nowhere, and says no more than that [P-02]', async () => {
    const sent = { hash: '5'.repeat(87) }
    const outcome = await transfers.follow(network, paying(1n).from, sent, { timeout: 0 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })

  test('tells when a transaction can never be taken any more', async () => {
    road.swallow('sendTransaction')
    const [transfer, before] = [paying(3n), await held(bob)]
    const sent = await transfers.send(connection, network, transfer)
    road.answerTruly()
    const follow = async (): Promise<object> => transfers.follow(network, transfer.from, sent, { timeout: 0 })
    expect(await follow()).toEqual({ status: 'unknown', hash: sent.hash })
    now += 151 * 400 + 1_000
    expect(await follow()).toEqual({
      status: 'reverted',
      hash: sent.hash,
      reason: 'the network did not take it in time, and will not any more',
    })
    expect(await held(bob)).toBe(before)
  })

  test('never says so of a transaction that the wallet changed: it may be good for longer', async () => {
    road.swallow('sendTransaction', () => '5'.repeat(87))
    const sent = await transfers.send(connection, network, paying(4n))
    road.answerTruly()
    now += 151 * 400 + 1_000
    const outcome = await transfers.follow(network, paying(4n).from, sent, { timeout: 0 })
    expect(outcome).toEqual({ status: 'unknown', hash: sent.hash })
  })
})
