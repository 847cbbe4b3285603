import type { WalletListEntry } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { downloadsOf } from './downloads.ts'

const wallet: WalletListEntry = {
  id: 'w',
  name: 'Pocket',
  image_id: '',
  chains: [],
  homepage: 'https://pocket.invalid',
  chrome_store: 'https://chrome.invalid/pocket',
  app_store: 'https://apps.invalid/pocket',
  play_store: 'https://play.invalid/pocket',
}

test.each([
  ['desk', ['browser', 'ios', 'android', 'website']],
  ['ios', ['ios', 'website']],
  ['android', ['android', 'website']],
] as const)('on %s a wallet can be got where it is of use', (system, kinds) => {
  const downloads = downloadsOf(wallet, { system, host: 'browser', isFramed: false })
  expect(downloads.map(({ kind }) => kind)).toEqual(kinds)
})

test('download links other than web addresses are ignored', () => {
  const hostile = {
    ...wallet,
    homepage: 'javascript:alert(1)',
    app_store: 'itms://x',
    chrome_store: 'data:text/html,x',
  }
  const downloads = downloadsOf(hostile, { system: 'desk', host: 'browser', isFramed: false })
  expect(downloads).toEqual([{ kind: 'android', href: 'https://play.invalid/pocket' }])
})
