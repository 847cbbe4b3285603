import { fakeConnector } from '@latchkey/core/fakes'
import type { WalletListEntry } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { isMissing, platformsOf } from './platforms.ts'

const base: WalletListEntry = { id: 'w', name: 'Pocket', image_id: '', chains: [] }
const everywhere: WalletListEntry = {
  ...base,
  rdns: 'org.pocket',
  mobile_link: 'pocket:',
  webapp_link: 'https://pocket.invalid',
  desktop_link: 'pocket-desk:',
}
const installed = [fakeConnector({ id: 'org.pocket', rdns: 'org.pocket', name: 'Pocket' })]

test.each([
  ['any wallet', undefined, false, [], ['mobile']],
  ['a wallet without platform data', base, false, [], ['mobile']],
  ['a wallet that is everywhere', everywhere, false, installed, ['mobile', 'browser', 'webapp', 'desktop']],
  ['the same, not installed', everywhere, false, [], ['mobile', 'webapp', 'desktop']],
  ['the same, on a phone', everywhere, true, [], ['mobile', 'webapp']],
  ['an app with a universal link only', { ...base, link_mode: 'https://go.invalid' }, true, [], ['mobile']],
] as const)('%s is reached where its record says', (_name, wallet, mobile, connectors, platforms) => {
  expect(platformsOf(wallet, { mobile, connectors })).toEqual(platforms)
})

test.each([
  ['an extension that is not installed', { ...base, rdns: 'org.pocket' }, false, [], true],
  ['the same, known by its store', { ...base, chrome_store: 'https://chrome.invalid' }, false, [], true],
  ['the same, installed', { ...base, rdns: 'org.pocket' }, false, installed, false],
  ['the same, seen on a phone', { ...base, rdns: 'org.pocket' }, true, [], false],
  ['an extension with an app', everywhere, false, [], false],
  ['a wallet without platform data', base, false, [], false],
] as const)('%s is known to be missing or not', (_name, wallet, mobile, connectors, missing) => {
  expect(isMissing(wallet, { mobile, connectors })).toBe(missing)
})
