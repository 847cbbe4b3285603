import { namehash, zeroHash, type Address, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Transfers } from '@latchkey/core/money'
import { evm } from '../evm.ts'
import { startBench, type Bench } from './testing/startBench.ts'

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const onChain = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const nameless = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const mainCoin = 60n
const localCoin = 0x80000000n + 31_337n

let bench: Bench
let resolver: Address
let transfers: Transfers

beforeAll(async () => {
  bench = await startBench()
  const [deployer] = (await bench.ask('eth_accounts')) as readonly Address[]
  const names = await bench.deploy('LocalNames', [deployer])
  resolver = await bench.deploy('PlainNames')
  await bench.call('LocalNames', names, 'setResolver', [zeroHash, resolver])
  const chain = { ...bench.chain, contracts: { ensUniversalResolver: { address: names } } }
  const adapter = evm({ chains: [chain], page: new EventTarget() })
  const made = await adapter.transfers?.()
  if (made === undefined) throw new Error('There is nothing to transfer with.')
  transfers = made
  return () => bench.stop()
}, 60_000)

const leads = (name: string, coin: bigint, to: Hex): Promise<void> =>
  bench.call('PlainNames', resolver, 'setAddress', [namehash(name), coin, to])

/** What an address says that it is called. */
const calls = (address: Address, name: string): Promise<void> =>
  bench.call('PlainNames', resolver, 'setName', [namehash(`${address.slice(2).toLowerCase()}.addr.reverse`), name])

const resolve = (name: string) => transfers.resolveName?.(bench.network, name)
const lookUp = (address: string) => transfers.lookUpName?.(bench.network, address)

test('finds the address behind a name, however it is written [R5.6.2]', async () => {
  await leads('visitor.eth', mainCoin, owner)
  expect(await Promise.all(['visitor.eth', 'Visitor.ETH', 'VISITOR.eth'].map(resolve))).toEqual([owner, owner, owner])
})

test("takes the owner's address on this very chain before the one on the main chain", async () => {
  await leads('two.eth', mainCoin, owner)
  await leads('two.eth', localCoin, onChain)
  expect(await resolve('two.eth')).toBe(onChain)
})

test.each([
  ['nobody owns', 'nobody.eth'],
  ['has an empty label', 'visitor..eth'],
  ['begins with an empty label', '.eth'],
  ['has an underscore inside', 'vis_itor.eth'],
  ['mixes scripts', 'vіsitor.eth'],
  ['has a stray combining mark', '\u0301visitor.eth'],
  ['has a sign that is not allowed', 'visitor?.eth'],
  ['has a space', 'visitor .eth'],
  ['is nothing', ''],
])('answers false for a name that %s [R5.6.2]', async (_, name) => {
  expect(await resolve(name)).toBe(false)
})

test('answers false when the chain cannot be asked, and where there are no names [R5.6.2]', async () => {
  bench.road.cut()
  expect(await resolve('visitor.eth')).toBe(false)
  bench.road.mend()
  const plain = await bench.transfers()
  expect(await plain.resolveName?.(bench.network, 'visitor.eth')).toBe(false)
  expect(await plain.lookUpName?.(bench.network, owner)).toBe(false)
})

test('tells the name that an address chose, when it leads back', async () => {
  await leads('visitor.eth', mainCoin, owner)
  await calls(owner, 'visitor.eth')
  expect(await lookUp(owner)).toBe('visitor.eth')
  expect(await lookUp(nameless)).toBe(false)
})

test('does not call somebody by a name that is not his, nor by one that is not written as names are', async () => {
  await leads('famous.eth', mainCoin, owner)
  await calls(onChain, 'famous.eth')
  expect(await lookUp(onChain)).toBe(false)
  await leads('Famous.eth', mainCoin, onChain)
  await calls(onChain, 'Famous.eth')
  expect(await lookUp(onChain)).toBe(false)
})

test('does not call somebody by a name that leads elsewhere on this chain', async () => {
  await leads('split.eth', mainCoin, onChain)
  await leads('split.eth', localCoin, owner)
  await calls(onChain, 'split.eth')
  expect(await lookUp(onChain)).toBe(false)
})
