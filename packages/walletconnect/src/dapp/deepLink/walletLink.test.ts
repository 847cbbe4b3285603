import { describe, expect, test } from 'vitest'
import { formatRequestLink, walletLink } from './walletLink.ts'

const uri = 'wc:ab@2?symKey=cd'
const encoded = 'wc%3Aab%402%3FsymKey%3Dcd'
const both = { native: 'wallet://', universal: 'https://wallet.example' }

describe('walletLink [R3.17]', () => {
  test.each([
    ['ios', both, `https://wallet.example/wc?uri=${encoded}`],
    ['android', both, `wallet://wc?uri=${encoded}`],
    ['ios', { native: 'wallet:' }, `wallet://wc?uri=${encoded}`],
    ['android', { universal: 'https://wallet.example/app/' }, `https://wallet.example/app/wc?uri=${encoded}`],
    ['android', { native: 'wallet://open' }, `wallet://open/wc?uri=${encoded}`],
    ['android', {}, uri],
    ['ios', {}, undefined],
  ] as const)('on %s, of %o, is %s', (system, links, expected) => {
    expect(walletLink(links, uri, system)).toBe(expected)
  })

  test.each([
    'javascript:alert(1)//',
    'JavaScript://x',
    'data:text/html,x',
    'blob:x',
    'http://wallet.example',
    'wallet',
  ])('ignores the unsafe link %s', (link) => {
    expect(walletLink({ native: link, universal: link }, uri, 'ios')).toBeUndefined()
  })

  test('has a counterpart that shows a request', () => {
    expect(formatRequestLink(both, { id: 7, topic: 'ab' }, 'android')).toBe('wallet://wc?requestId=7&sessionTopic=ab')
  })
})
