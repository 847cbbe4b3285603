import type { Asset, Transfer } from '@latchkey/core/money'
import { describeTransfers, getRejection } from '@latchkey/core/testing'
import type { AccountId } from '@latchkey/protocol'
import { parseEther, type Address } from 'viem'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

const burnAddress = '0x00000000000000000000000000000000000A11cE'
const pollTimeout = { timeout: 25_000 }

let bench: TestChain
let wallet: TestWallet
let receiver: TestWallet
let dollars: Address
let taxed: Address
let silent: Address
let moody: Address

beforeAll(async () => {
  bench = await startTestChain()
  ;[wallet, receiver] = [await bench.wallet(), await bench.wallet()]
  dollars = await bench.deploy('LocalToken', [
    'Latch Dollar',
    'LUSD',
    6,
    [wallet.address, receiver.address],
    10n ** 12n,
  ])
  ;[taxed, silent, moody] = [
    await bench.deploy('TaxedToken'),
    await bench.deploy('SilentToken'),
    await bench.deploy('MoodyToken'),
  ]
  await bench.call('TaxedToken', taxed, 'mint', [wallet.address, 1_000n])
  await bench.call('SilentToken', silent, 'mint', [wallet.address, 1_000n])
  await bench.call('MoodyToken', moody, 'mint', [wallet.address, 1_000n])
  return () => bench.stop()
})

afterEach(async () => {
  bench.proxy.reconnect()
  await bench.request('evm_setAutomine', true)
})

function createTransfer(amount: bigint, asset: Asset = bench.native, to: string = receiver.address): Transfer {
  return { from: accountOf(wallet.address), to, asset, amount }
}

function accountOf(address: Address): AccountId {
  return `eip155:31337:${address}`
}

describeTransfers('evm', async () => {
  const spender = await bench.wallet('1')
  return {
    transfers: await bench.transfers(),
    network: bench.network,
    connection: wallet.connection,
    spender: spender.connection,
    receiver: receiver.address,
    native: bench.native,
    token: { address: dollars, symbol: 'LUSD', decimals: 6, name: 'Latch Dollar' },
    amount: 1_500_000n,
    notAddresses: ['0x', burnAddress.slice(0, -1), burnAddress.replace('A', 'a'), 'visitor.eth'],
    notToken: receiver.address,
    unknownHash: `0x${'ab'.repeat(32)}`,
    failing: {
      transfer: createTransfer(10n ** 30n, { address: dollars, symbol: 'LUSD', decimals: 6 }),
      reason: 'ERC20InsufficientBalance',
    },
    decline: () => wallet.extension.rejectNext(),
    cutOff: () => bench.proxy.disconnect(),
  }
})

describe('receivers', () => {
  const inspect = async (to: string, asset: Asset = bench.native) =>
    (await bench.transfers()).inspectReceiver(bench.network, { from: accountOf(wallet.address), to, asset })

  test('are flagged if a payment to them would be lost', async () => {
    const token = { address: dollars, symbol: 'LUSD', decimals: 6 }
    expect(await inspect(dollars, token)).toEqual(['asset'])
    expect(await inspect(dollars)).toEqual(['contract'])
    for (const burnt of [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD', `0x${'0'.repeat(39)}1`]) {
      expect([burnt, await inspect(burnt)]).toEqual([burnt, ['burn']])
    }
    expect(await inspect((await bench.wallet('0')).address)).toEqual(['unused'])
  })

  test('with delegated code count as ordinary accounts (EIP-7702)', async () => {
    const { address } = await bench.wallet()
    await bench.request('anvil_setCode', address, `0xef0100${dollars.slice(2)}`)
    expect(await inspect(address)).toEqual([])
  })

  test('are inspected without the chain where possible', async () => {
    bench.proxy.disconnect()
    expect(await inspect(dollars, { address: dollars, symbol: 'LUSD', decimals: 6 })).toEqual(['asset'])
    expect(await inspect(wallet.address)).toEqual(['oneself'])
    expect(await inspect(receiver.address)).toEqual([])
  })
})

describe('tokens that misbehave', () => {
  const holds = async (address: Address, holder: Address) =>
    (await bench.transfers()).getBalance(bench.network, holder, { address, symbol: '', decimals: 0 })
  const send = async (address: Address) => {
    const transfers = await bench.transfers()
    const asset = { address, symbol: 'X', decimals: 0 }
    await transfers.estimateFee(bench.network, createTransfer(100n, asset))
    const sent = await transfers.send(wallet.connection, bench.network, createTransfer(100n, asset))
    return transfers.follow(bench.network, accountOf(wallet.address), sent, pollTimeout)
  }

  test('by taking a fee: the received amount is read from the chain', async () => {
    expect(await send(taxed)).toMatchObject({ status: 'mined' })
    expect([await holds(taxed, wallet.address), await holds(taxed, receiver.address)]).toEqual([900n, 95n])
  })

  test('without return values can be transferred, and their bytes32 names are read', async () => {
    expect(await send(silent)).toMatchObject({ status: 'mined' })
    expect([await holds(silent, wallet.address), await holds(silent, receiver.address)]).toEqual([900n, 100n])
    const read = await (await bench.transfers()).readAsset(bench.network, silent)
    expect(read).toEqual({ address: silent, name: 'Silent Token', symbol: 'SLNT', decimals: 6 })
  })

  test.each([
    ['by being paused', 1, 'Pausable: paused'],
    ['by returning false without a revert', 2, 'the token refuses the transfer'],
  ])('%s: the transfer rejects with the reason before it is sent', async (_, mood, reason) => {
    await bench.call('MoodyToken', moody, 'setMood', [mood])
    expect(await getRejection(send(moody))).toMatchObject({ code: 'transaction/reverted', context: { reason } })
    await bench.call('MoodyToken', moody, 'setMood', [0])
    expect(await holds(moody, wallet.address)).toBe(1_000n)
  })

  test('by claiming a false balance: the transfer is simulated before the request', async () => {
    await bench.call('MoodyToken', moody, 'setMood', [3])
    const asset = { address: moody, symbol: 'MOOD', decimals: 18 }
    expect(await holds(moody, wallet.address)).toBe(2n ** 128n - 1n)
    const estimate = (await bench.transfers()).estimateFee(bench.network, createTransfer(5_000n, asset))
    expect(await getRejection(estimate)).toMatchObject({ code: 'transaction/reverted' })
    await bench.call('MoodyToken', moody, 'setMood', [0])
  })
})

describe('fees', () => {
  test('include a rollup’s L1 data fee', async () => {
    const oracle = '0x420000000000000000000000000000000000000F'
    // PUSH2 1000 · PUSH1 0 · MSTORE · PUSH1 32 · PUSH1 0 · RETURN: it always returns 1,000.
    await bench.request('anvil_setCode', oracle, '0x6103e860005260206000f3')
    const rollup = { ...bench.chain, contracts: { gasPriceOracle: { address: oracle } } } as const
    const [plain, rolled] = await Promise.all(
      [bench.chain, rollup].map(async (chain) => {
        const adapter = evm({ chains: [chain], page: new EventTarget() })
        return (await adapter.transfers?.())?.estimateFee(adapter.networks[0], createTransfer(1n))
      }),
    )
    expect((rolled?.value ?? 0n) - (plain?.value ?? 0n)).toBe(1_250n)
  })

  test('of a rollup’s data are reported for a call of any size, and are 0 elsewhere', async () => {
    const oracle = '0x420000000000000000000000000000000000000F'
    // CALLDATASIZE · PUSH1 0 · MSTORE · PUSH1 32 · PUSH1 0 · RETURN: it returns the size of the request.
    await bench.request('anvil_setCode', oracle, '0x3660005260206000f3')
    const rollup = { ...bench.chain, contracts: { gasPriceOracle: { address: oracle } } } as const
    const feeOf = async (chain: typeof bench.chain, bytes: number): Promise<bigint | undefined> => {
      const adapter = evm({ chains: [chain], page: new EventTarget() })
      return (await adapter.transfers?.())?.estimateDataFee?.(adapter.networks[0], bytes)
    }
    expect(await feeOf(bench.chain, 800)).toBe(0n)
    const [small = 0n, large = 0n] = [await feeOf(rollup, 0), await feeOf(rollup, 800)]
    expect(small).toBeGreaterThan(0n)
    // 800 bytes and the longer lengths around them, with a margin of a quarter.
    expect(large - small).toBeGreaterThanOrEqual(1_000n)
    expect(large - small).toBeLessThan(1_100n)
  })

  test('of data on Arbitrum are the gas that its node estimates, at the highest price', async () => {
    const arbitrum = await startTestChain({ chainId: 42_161 })
    onTestFinished(() => arbitrum.stop())
    // PUSH2 1000 · PUSH1 0 · MSTORE · PUSH1 96 · PUSH1 0 · RETURN: 1,000 gas, and two prices of 0.
    await arbitrum.request('anvil_setCode', '0x00000000000000000000000000000000000000C8', '0x6103e860005260606000f3')
    const transfers = await arbitrum.transfers()
    const fee = await transfers.estimateDataFee?.(arbitrum.network, 800)
    const { price = 0n } = await transfers.estimateFee(arbitrum.network, {
      from: `eip155:42161:${wallet.address}`,
      to: receiver.address,
      asset: arbitrum.native,
      amount: 0n,
    })
    expect(price).toBeGreaterThan(0n)
    expect(fee).toBe(1_000n * price)
  })

  test('for a receiver that refuses money return the reason', async () => {
    const grumbler = '0x00000000000000000000000000000000000090BE'
    // PUSH1 0 · PUSH1 0 · REVERT
    await bench.request('anvil_setCode', grumbler, '0x60006000fd')
    const estimate = (await bench.transfers()).estimateFee(bench.network, createTransfer(1n, bench.native, grumbler))
    expect(await getRejection(estimate)).toMatchObject({
      code: 'transaction/reverted',
      context: { reason: 'unknown reason' },
    })
  })

  test('are estimated for amounts above the balance', async () => {
    const fee = await (await bench.transfers()).estimateFee(bench.network, createTransfer(parseEther('1000000')))
    expect(fee.value > 0n).toBe(true)
  })
})
