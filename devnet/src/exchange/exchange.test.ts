import { createPublicClient, http, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../evm/anvil.ts'
import { deploy, type LocalToken } from '../evm/deploy.ts'
import { deployExchange } from './deployExchange.ts'
import type { LocalExchange } from './localExchange.ts'
import { sqrtPrice } from './poolPlans.ts'

let node: Anvil
let tokens: readonly LocalToken[]
let exchange: LocalExchange

beforeAll(async () => {
  node = await startAnvil({ chainId: 31337, port: 0 })
  tokens = (await deploy(node.rpcUrl, 31337)).tokens
  exchange = await deployExchange(node.rpcUrl, tokens)
})
afterAll(() => node.close())

const createClient = () => createPublicClient({ transport: http(node.rpcUrl) })

test('deployExchange deploys the contracts at their addresses and fills the pools', async () => {
  const { wrappedNative, router, v2, v3 } = exchange
  const contracts = [wrappedNative, router, ...Object.values(v2), ...Object.values(v3)]
  const codes = await Promise.all(contracts.map((address: Hex) => createClient().getCode({ address })))
  expect(codes.every((code) => code !== undefined)).toBe(true)
  const wrapped = await createClient().getBalance({ address: wrappedNative })
  // v3 pools take one base unit less if the price is not exact.
  expect(880n * 10n ** 18n - wrapped).toBeLessThan(10n ** 13n)
})

test('a second deployExchange sends no transaction', async () => {
  const before = await createClient().getBlockNumber()
  expect(await deployExchange(node.rpcUrl, tokens)).toEqual(exchange)
  expect(await createClient().getBlockNumber()).toBe(before)
})

test('sqrtPrice matches the pools', () => {
  expect(sqrtPrice(1n, 1n)).toBe(2n ** 96n)
  expect(sqrtPrice(1n, 4n)).toBe(2n ** 97n)
  expect(sqrtPrice(4n, 1n)).toBe(2n ** 95n)
})
