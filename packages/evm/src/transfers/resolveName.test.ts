import fc from 'fast-check'
import { namehash, zeroHash, type Address, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Transfers } from '@latchkey/core/money'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain } from '../testing/startTestChain.ts'

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const onChain = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const nameless = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const mainCoin = 60n
const localCoin = 0x80000000n + 31_337n

let bench: TestChain
let resolver: Address
let transfers: Transfers

beforeAll(async () => {
  bench = await startTestChain()
  const [deployer] = (await bench.request('eth_accounts')) as readonly Address[]
  const names = await bench.deploy('LocalNames', [deployer])
  resolver = await bench.deploy('PlainNames')
  await bench.call('LocalNames', names, 'setResolver', [zeroHash, resolver])
  const chain = { ...bench.chain, contracts: { ensUniversalResolver: { address: names } } }
  const adapter = evm({ chains: [chain], page: new EventTarget() })
  const made = await adapter.transfers?.()
  if (made === undefined) throw new Error('There is nothing to transfer with.')
  transfers = made
  return () => bench.stop()
})

const setCoinAddress = (name: string, coin: bigint, to: Hex): Promise<void> =>
  bench.call('PlainNames', resolver, 'setAddress', [namehash(name), coin, to])

/** Sets the primary name of an address. */
const setReverseName = (address: Address, name: string): Promise<void> =>
  bench.call('PlainNames', resolver, 'setName', [namehash(`${address.slice(2).toLowerCase()}.addr.reverse`), name])

const setAvatar = (name: string, record: string): Promise<void> =>
  bench.call('PlainNames', resolver, 'setText', [namehash(name), 'avatar', record])

const lookUpAvatar = (name: string) => transfers.lookUpAvatar?.(bench.network, name)
const resolve = (name: string) => transfers.resolveName?.(bench.network, name)
const lookUp = (address: string) => transfers.lookUpName?.(bench.network, address)

test('resolveName returns the address of a name in any spelling [R5.6.2]', async () => {
  await setCoinAddress('visitor.eth', mainCoin, owner)
  expect(await Promise.all(['visitor.eth', 'Visitor.ETH', 'VISITOR.eth'].map(resolve))).toEqual([owner, owner, owner])
})

test('resolveName prefers the address on this chain to the one on mainnet', async () => {
  await setCoinAddress('two.eth', mainCoin, owner)
  await setCoinAddress('two.eth', localCoin, onChain)
  expect(await resolve('two.eth')).toBe(onChain)
})

test.each([
  ['fullwidth letters', 'ｖｉｓｉｔｏｒ.eth', 'visitor.eth'],
  ['a soft hyphen', 'visi\u00ADtor.eth', 'visitor.eth'],
  ['a zero-width space', 'visitor\u200B.eth', 'visitor.eth'],
  ['a combining accent', 'cafe\u0301.eth', 'caf\u00E9.eth'],
  ['an accented capital letter', 'CAF\u00C9.eth', 'caf\u00E9.eth'],
  ['a ligature', '\uFB01sh.eth', 'fish.eth'],
  ['a capital sharp s', 'STRA\u1E9EE.eth', 'stra\u00DFe.eth'],
  ['the kelvin sign', '\u212Ay.eth', 'ky.eth'],
  ['a Roman numeral character', '\u2167.eth', 'viii.eth'],
  ['a circled digit', '\u2460.eth', '1.eth'],
  ['a fraction character', '\u00BD.eth', '1\u20442.eth'],
  ['a straight apostrophe', "it's-me.eth", 'it\u2019s-me.eth'],
  ['a Unicode hyphen', 'a\u2010b.eth', 'a-b.eth'],
  ['Persian digits', '\u06F1.eth', '\u0661.eth'],
  ['an emoji with a variation selector', '\u263A\uFE0F.eth', '\u263A.eth'],
  ['an emoji sequence', '\u{1F6B4}\u200D\u2642\uFE0F.eth', '\u{1F6B4}\u200D\u2642.eth'],
  ['a keycap emoji', '1\uFE0F\u20E3.eth', '1\u20E3.eth'],
  ['a flag emoji', '\u{1F1E6}\u{1F1FA}.eth', '\u{1F1E6}\u{1F1FA}.eth'],
  ['leading underscores', '__v.eth', '__v.eth'],
  ['Chinese characters', '\u65E5\u672C\u8A9E.eth', '\u65E5\u672C\u8A9E.eth'],
])('resolveName returns the address of a name with %s (ENSIP-15) [R5.6.2] [G-04]', async (_, written, name) => {
  await setCoinAddress(name, mainCoin, onChain)
  expect(await resolve(written)).toBe(onChain)
})

test.each([
  ['is not registered', 'nobody.eth'],
  ['has an empty label', 'visitor..eth'],
  ['begins with an empty label', '.eth'],
  ['is empty', ''],
  ['has an underscore inside', 'vis_itor.eth'],
  ['mixes scripts', 'v\u0456sitor.eth'],
  ['mixes Hebrew and Latin', '\u05D0a.eth'],
  ['mixes digits', 'vis\u0661tor.eth'],
  ['is all Cyrillic look-alikes of Latin letters', '\u0430\u0440\u0435.eth'],
  ['begins with a combining mark', '\u0301visitor.eth'],
  ['has two accents on one letter', 'e\u0301\u0301.eth'],
  ['has a combining strike-through', 'x\u0338.eth'],
  ['has an accent on an emoji', '\u{1F600}\u0301.eth'],
  ['has a single regional indicator', '\u{1F1E6}.eth'],
  ['has a zero-width joiner between letters', 'a\u200Db.eth'],
  ['has a zero-width non-joiner between letters', 'a\u200Cb.eth'],
  ['has a bidirectional override', 'visitor\u202E.eth'],
  ['begins with an apostrophe', '\u2019abc.eth'],
  ['has two apostrophes', 'ab\u2019\u2019c.eth'],
  ['has an invalid Punycode label', 'xn--visitor.eth'],
  ['has hyphens in the third and fourth position', 'ab--cd.eth'],
  ['has a private-use character', '\uE000.eth'],
  ['has a lone surrogate', '\uD800.eth'],
  ['has an ideographic full stop', 'visitor\u3002eth'],
  ['has a disallowed character', 'visitor?.eth'],
  ['has a slash', 'visitor/eth'],
  ['has a space', 'visitor .eth'],
  ['has a no-break space', 'visi\u00A0tor.eth'],
])('resolveName returns false for a name that %s (ENSIP-15) [R5.6.2] [G-04]', async (_, name) => {
  expect(await resolve(name)).toBe(false)
})

test('resolveName returns false for any unregistered input [R5.6.2] [G-04]', { tags: 'abuse' }, async () => {
  const typed = fc.string({ unit: 'binary', maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      expect(await resolve(`${text}.nobody`)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('resolveName returns false if the chain is unreachable or has no names [R5.6.2]', async () => {
  bench.proxy.disconnect()
  expect(await resolve('visitor.eth')).toBe(false)
  bench.proxy.reconnect()
  const plain = await bench.transfers()
  expect(await plain.resolveName?.(bench.network, 'visitor.eth')).toBe(false)
  expect(await plain.lookUpName?.(bench.network, owner)).toBe(false)
})

test('lookUpName returns the primary name of an address if it resolves back', async () => {
  await setCoinAddress('visitor.eth', mainCoin, owner)
  await setReverseName(owner, 'visitor.eth')
  expect(await lookUp(owner)).toBe('visitor.eth')
  expect(await lookUp(nameless)).toBe(false)
})

test('lookUpName returns no name of another address and no name that is not normalized', async () => {
  await setCoinAddress('famous.eth', mainCoin, owner)
  await setReverseName(onChain, 'famous.eth')
  expect(await lookUp(onChain)).toBe(false)
  await setCoinAddress('Famous.eth', mainCoin, onChain)
  await setReverseName(onChain, 'Famous.eth')
  expect(await lookUp(onChain)).toBe(false)
})

test('lookUpName returns no name that resolves elsewhere on this chain', async () => {
  await setCoinAddress('split.eth', mainCoin, onChain)
  await setCoinAddress('split.eth', localCoin, owner)
  await setReverseName(onChain, 'split.eth')
  expect(await lookUp(onChain)).toBe(false)
})

test('lookUpAvatar returns the picture of a name, and nothing for other records', async () => {
  const picture = 'data:image/svg+xml;base64,PHN2Zy8+'
  await setAvatar('drawn.eth', picture)
  expect(await Promise.all(['drawn.eth', 'Drawn.ETH'].map(lookUpAvatar))).toEqual([picture, picture])
  expect(await lookUpAvatar('undrawn.eth')).toBe(false)
  for (const record of ['data:text/html,<script>', 'javascript:alert(1)', 'http://127.0.0.1:1/picture.png', 'no URL']) {
    await setAvatar('drawn.eth', record)
    expect(await lookUpAvatar('drawn.eth')).toBe(false)
  }
})
