import { createPublicClient, http, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../anvil.ts'
import { deploy, type LocalToken } from '../deploy.ts'
import { deployExchange, type LocalExchange } from './deployExchange.ts'
import { sqrtPrice } from './pools.ts'

let node: Anvil
let tokens: readonly LocalToken[]
let exchange: LocalExchange

beforeAll(async () => {
  node = await startAnvil({ chainId: 31337, port: 0 })
  tokens = (await deploy(node.rpcUrl, 31337)).tokens
  exchange = await deployExchange(node.rpcUrl, tokens)
})
afterAll(() => node.close())

const client = () => createPublicClient({ transport: http(node.rpcUrl) })

test('puts contracts where it says, and liquidity behind them', async () => {
  const { wrappedNative, router, v2, v3 } = exchange
  const contracts = [wrappedNative, router, ...Object.values(v2), ...Object.values(v3)]
  const codes = await Promise.all(contracts.map((address: Hex) => client().getCode({ address })))
  expect(codes.every((code) => code !== undefined)).toBe(true)
  const wrapped = await client().getBalance({ address: wrappedNative })
  // Pools of version 3 take a base unit less where the price does not come out even.
  expect(880n * 10n ** 18n - wrapped).toBeLessThan(10n ** 13n)
})

test('deploys and fills nothing again', async () => {
  const before = await client().getBlockNumber()
  expect(await deployExchange(node.rpcUrl, tokens)).toEqual(exchange)
  expect(await client().getBlockNumber()).toBe(before)
})

test('writes prices as the pools do', () => {
  expect(sqrtPrice(1n, 1n)).toBe(2n ** 96n)
  expect(sqrtPrice(1n, 4n)).toBe(2n ** 97n)
  expect(sqrtPrice(4n, 1n)).toBe(2n ** 95n)
})
