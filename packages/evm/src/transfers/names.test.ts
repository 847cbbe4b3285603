import fc from 'fast-check'
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
  ['wide letters', 'ｖｉｓｉｔｏｒ.eth', 'visitor.eth'],
  ['a soft hyphen', 'visi\u00ADtor.eth', 'visitor.eth'],
  ['a space of no width', 'visitor\u200B.eth', 'visitor.eth'],
  ['a letter and its accent', 'cafe\u0301.eth', 'caf\u00E9.eth'],
  ['a capital letter with its accent', 'CAF\u00C9.eth', 'caf\u00E9.eth'],
  ['a ligature', '\uFB01sh.eth', 'fish.eth'],
  ['a sharp s, which is a letter of its own', 'STRA\u1E9EE.eth', 'stra\u00DFe.eth'],
  ['the sign of the kelvin', '\u212Ay.eth', 'ky.eth'],
  ['a numeral', '\u2167.eth', 'viii.eth'],
  ['a number in a circle', '\u2460.eth', '1.eth'],
  ['a fraction', '\u00BD.eth', '1\u20442.eth'],
  ['a straight apostrophe', "it's-me.eth", 'it\u2019s-me.eth'],
  ['another hyphen', 'a\u2010b.eth', 'a-b.eth'],
  ['Persian digits', '\u06F1.eth', '\u0661.eth'],
  ['an emoji with a sign for how it is drawn', '\u263A\uFE0F.eth', '\u263A.eth'],
  ['an emoji of several', '\u{1F6B4}\u200D\u2642\uFE0F.eth', '\u{1F6B4}\u200D\u2642.eth'],
  ['a key with a digit', '1\uFE0F\u20E3.eth', '1\u20E3.eth'],
  ['a flag', '\u{1F1E6}\u{1F1FA}.eth', '\u{1F1E6}\u{1F1FA}.eth'],
  ['underscores at its beginning', '__v.eth', '__v.eth'],
  ['Chinese characters', '\u65E5\u672C\u8A9E.eth', '\u65E5\u672C\u8A9E.eth'],
])('finds the address behind a name that is written with %s (ENSIP-15) [R5.6.2] [G-04]', async (_, written, name) => {
  await leads(name, mainCoin, onChain)
  expect(await resolve(written)).toBe(onChain)
})

test.each([
  ['nobody owns', 'nobody.eth'],
  ['has an empty label', 'visitor..eth'],
  ['begins with an empty label', '.eth'],
  ['is nothing', ''],
  ['has an underscore inside', 'vis_itor.eth'],
  ['mixes scripts', 'v\u0456sitor.eth'],
  ['mixes Hebrew and Latin', '\u05D0a.eth'],
  ['mixes digits', 'vis\u0661tor.eth'],
  ['looks like Latin and is Cyrillic throughout', '\u0430\u0440\u0435.eth'],
  ['begins with a combining mark', '\u0301visitor.eth'],
  ['has two accents on one letter', 'e\u0301\u0301.eth'],
  ['has a mark that strikes a letter out', 'x\u0338.eth'],
  ['has an accent on an emoji', '\u{1F600}\u0301.eth'],
  ['has half a flag', '\u{1F1E6}.eth'],
  ['joins letters that do not join', 'a\u200Db.eth'],
  ['parts letters without a sign', 'a\u200Cb.eth'],
  ['turns the direction of reading', 'visitor\u202E.eth'],
  ['begins with an apostrophe', '\u2019abc.eth'],
  ['has two apostrophes', 'ab\u2019\u2019c.eth'],
  ['announces another alphabet', 'xn--visitor.eth'],
  ['announces one that there is not', 'ab--cd.eth'],
  ['has a sign of nobody', '\uE000.eth'],
  ['has half a sign', '\uD800.eth'],
  ['ends labels with another stop', 'visitor\u3002eth'],
  ['has a sign that is not allowed', 'visitor?.eth'],
  ['is a path', 'visitor/eth'],
  ['has a space', 'visitor .eth'],
  ['has a space that does not break', 'visi\u00A0tor.eth'],
])('answers false for a name that %s (ENSIP-15) [R5.6.2] [G-04]', async (_, name) => {
  expect(await resolve(name)).toBe(false)
})

test('answers false, and nothing else, for whatever is typed that nobody owns [R5.6.2] [G-04]', async () => {
  const typed = fc.string({ unit: 'binary', maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      expect(await resolve(`${text}.nobody`)).toBe(false)
    }),
    { numRuns: 300 },
  )
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
