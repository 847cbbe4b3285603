import type { WalletListEntry } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { Environment } from './environment.ts'
import { openingsOf, type OpenPlatform } from './openings.ts'

const uri = 'wc:1@2'
const wallet: WalletListEntry = {
  id: 'w',
  name: 'Pocket',
  image_id: '',
  chains: [],
  link_mode: 'https://go.pocket.invalid',
  mobile_link: 'pocket:',
  webapp_link: 'https://pocket.invalid',
  desktop_link: 'pocket-desk://',
}

const phone: Environment = { system: 'ios', host: 'browser', isFramed: false }
const framed: Environment = { ...phone, isFramed: true }
const desk: Environment = { system: 'desk', host: 'browser', isFramed: false }
const inApp: Environment = { system: 'android', host: 'app', isFramed: false }
const telegram: Environment = { system: 'ios', host: 'telegram', isFramed: false }
const telegramOnAndroid: Environment = { ...telegram, system: 'android' }

const once = 'wc?uri=wc%3A1%402'
const twice = 'wc?uri=wc%253A1%25402'

const rules: ReadonlyArray<[where: string, OpenPlatform, Environment, opened: readonly string[]]> = [
  ['on a phone', 'mobile', phone, [`_blank https://go.pocket.invalid/${once}`, `_self pocket://${once}`]],
  ['in a frame', 'mobile', framed, [`_blank https://go.pocket.invalid/${once}`, `_top pocket://${once}`]],
  ['inside another app', 'mobile', inApp, [`_blank https://go.pocket.invalid/${once}`, `_self pocket://${once}`]],
  ['in Telegram', 'mobile', telegram, [`_blank https://go.pocket.invalid/${once}`]],
  ['in Telegram on Android', 'mobile', telegramOnAndroid, [`_blank https://go.pocket.invalid/${twice}`]],
  ['in a tab', 'webapp', desk, [`_blank https://pocket.invalid/${once}`]],
  ['on a desk', 'desktop', desk, [`_self pocket-desk://${once}`]],
]

test.each(rules)(
  '%s a wallet opens as it can there, its universal link first',
  (_where, platform, environment, opened) => {
    const openings = openingsOf(wallet, platform, uri, environment)
    expect(openings.map(({ href, target }) => `${target} ${href}`)).toEqual(opened)
  },
)

test('a web address in place of a scheme is a universal link', () => {
  const [first] = openingsOf(
    { ...wallet, link_mode: undefined, mobile_link: 'https://a.invalid/x' },
    'mobile',
    uri,
    phone,
  )
  expect(first).toEqual({ href: `https://a.invalid/x/${once}`, link: 'https://a.invalid/x', target: '_blank' })
})

test('a link that would run in this page is ignored', () => {
  const hostile = { ...wallet, link_mode: 'javascript:alert(1)//', mobile_link: 'data:text/html,x' }
  expect(openingsOf(hostile, 'mobile', uri, phone)).toEqual([])
})
