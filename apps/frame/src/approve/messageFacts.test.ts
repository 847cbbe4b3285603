import { formatSignInMessage } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { findLookAlikes } from './findLookAlikes.ts'
import { describeMessageBytes } from './messageFacts.ts'
import { hasDeceptiveCharacters, isSuspiciousName, splitVisibleText } from './splitVisibleText.ts'

const origin = 'https://dapp.example'
const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)
const listBannerKinds = (message: Uint8Array): readonly string[] =>
  describeMessageBytes(message, origin).banners.map(({ kind }) => kind)

const signIn = (fields: object = {}): string =>
  formatSignInMessage({
    domain: 'dapp.example',
    accountAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    uri: 'https://dapp.example/login',
    version: '1',
    chainId: 'eip155:1',
    nonce: 'abcdefgh12345678',
    issuedAt: '2026-01-01T00:00:00Z',
    statement: 'Hello',
    ...fields,
  })

test.each([
  ['of the page itself', signIn(), []],
  ['of the page with its scheme', signIn({ scheme: 'https' }), []],
  ['of another site', signIn({ domain: 'bank.example', uri: 'https://bank.example' }), ['foreignDomain']],
  ['of a site whose name ends the same', signIn({ domain: 'evil-dapp.example' }), ['foreignDomain']],
  ['of a page below', signIn({ domain: 'app.dapp.example' }), ['foreignDomain']],
  ['of another port', signIn({ domain: 'dapp.example:8443' }), ['foreignDomain']],
  ['of another scheme', signIn({ scheme: 'http' }), ['foreignDomain']],
  ['that leads elsewhere', signIn({ uri: 'https://bank.example/login' }), ['foreignDomain']],
  ['that is not by the letter', `${signIn()}\nand more`, ['oddSignIn']],
  [
    'of another site and not by the letter',
    `bank.example wants you to sign in with your account`,
    ['foreignDomain', 'oddSignIn'],
  ],
  [
    'behind an introduction',
    `Hi!\n\nbank.example wants you to sign in with your Ethereum account:`,
    ['foreignDomain', 'oddSignIn'],
  ],
] as const)('a sign-in %s has the warnings %j [I-16]', (_what, text, expected) => {
  expect(listBannerKinds(encodeText(text))).toEqual(expected)
  expect(describeMessageBytes(encodeText(text), origin).action).toBe('signIn')
})

test('a sign-in is shown in its parts and as a whole', () => {
  const { sections } = describeMessageBytes(encodeText(signIn()), origin)
  expect(sections[0]?.rows.map(({ label }) => label)).toEqual([
    'domain',
    'statement',
    'uri',
    'chain',
    'nonce',
    'issued',
  ])
  expect(sections[1]).toMatchObject({ title: 'message', isFolded: true, rows: [{ value: { text: signIn() } }] })
})

test.each([
  ['32 bytes of letters', encodeText('a'.repeat(32)), []],
  ['32 bytes that are hardly text', encodeText('\u0007'.repeat(32)), ['rawHash']],
  ['32 bytes that are not UTF-8', new Uint8Array(32).fill(0xfe), ['rawHash']],
  ['a hash that is written out', encodeText(`0x${'ab'.repeat(32)}`), ['rawHash']],
  ['bytes that are not text', new Uint8Array([0xff, 0xfe, 0x00]), ['rawHash']],
  ['text', encodeText('Hello, 世界 👩‍👩‍👧'), []],
  ['text that reverses its direction', encodeText('pay 1 \u202e00001 ETH'), ['oddText']],
  ['text with hidden letters', encodeText('pay\u200b me'), ['oddText']],
  ['nothing', new Uint8Array(), []],
] as const)('%s has the expected warnings [I-16]', (_what, message, expected) => {
  expect(listBannerKinds(message)).toEqual(expected)
})

test.each([
  ['Hello\nyou', ['Hello', { hidden: 'U+000A' }, 'you']],
  ['a\u202eb', ['a', { hidden: 'U+202E' }, 'b']],
  ['a\u0000b\u007f', ['a', { hidden: 'U+0000' }, 'b', { hidden: 'U+007F' }]],
  ['\u200b\ufeff', [{ hidden: 'U+200B' }, { hidden: 'U+FEFF' }]],
  ['a\u2028b\u{e0041}', ['a', { hidden: 'U+2028' }, 'b', { hidden: 'U+E0041' }]],
  ['\ud800', [{ hidden: 'U+D800' }]],
  ['a\u200db', ['a', { hidden: 'U+200D' }, 'b']],
  ['👩\u200d👧', ['👩\u200d👧']],
  ['ﷺ עברית', ['ﷺ עברית']],
  ['', []],
] as const)('%j is drawn with its hidden characters spelled out [G-05]', (text, expected) => {
  expect(splitVisibleText(text)).toEqual(expected)
})

test('line breaks are kept in multi-line text', () => {
  expect(splitVisibleText('a\nb\tc\r', { lines: true })).toEqual(['a\nb\tc', { hidden: 'U+000D' }])
})

test.each([
  ['USDC', false],
  ['UЅDC', true],
  ['USD\u200bC', true],
  ['ΑΒΓ', false],
  ['Ꭺpple', true],
  ['トークン', false],
  ['USDC Юань', false],
] as const)('isSuspiciousName of %s is %s [G-05]', (name, expected) => {
  expect(isSuspiciousName(name)).toBe(expected)
})

test('emoji and right-to-left letters are not deceptive', () => {
  expect(hasDeceptiveCharacters('مرحبا 👩‍👧 שלום')).toBe(false)
})

const known = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
test.each([
  ['the same', known, []],
  ['the same in small letters', known.toLowerCase(), []],
  ['its ends around something else', `0x7099${'0'.repeat(32)}79C8`, [{ kind: 'lookAlike' }]],
  ['its ends in other letters', `0x7099${'0'.repeat(32)}79c8`, [{ kind: 'lookAlike' }]],
  ['the ends that apps show', `0x70${'0'.repeat(32)}dc79c8`, [{ kind: 'lookAlike' }]],
  ['fewer than the ends that apps show', `0x70${'0'.repeat(32)}0c79c8`, []],
  ['only its beginning', `0x7099${'0'.repeat(36)}`, []],
  ['only its end', `0x${'0'.repeat(36)}79c8`, []],
])('a look-alike check of an address that is %s [I-16] [G-05]', (_what, address, expected) => {
  expect(findLookAlikes([address], [known])).toMatchObject(expected)
})

test('look-alike addresses of Solana are detected', () => {
  const mine = 'AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD'
  expect(findLookAlikes([`Aqyn${mine.slice(4, -4).replace('R', 'Q')}UFxD`], [mine])).toHaveLength(1)
  expect(findLookAlikes([mine], [mine])).toEqual([])
})
