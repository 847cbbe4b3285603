import { shortenAddress } from '@latchkey/core'
import { fakeHash } from '@latchkey/core/fakes'
import type { Purpose, TrackedOutcome } from '@latchkey/core/money'
import { expect, test } from 'vitest'
import { holdingsMessages } from '../messages/generated/index.ts'
import { openModal } from '../navigation/openModal.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { createOutcomeReporter } from './createOutcomeReporter.ts'

const chainId = 'eip155:1'
const hash = fakeHash('w', 1)
const bob = `0x${'b0'.repeat(20)}`
const mined = { status: 'mined', hash, blockNumber: 1n } as const
const sent = { kind: 'send', amount: '0.000000000000000001', symbol: 'COIN', to: bob } as const

function report(what: Purpose, outcome: TrackedOutcome) {
  const { latchkey, modal } = fakeModalWorld()
  createOutcomeReporter(latchkey, { messages: holdingsMessages.english }).show({ chainId, hash, what }, outcome)
  return modal.toast.getState()
}

const cases: readonly { message: string; what: Purpose; outcome?: TrackedOutcome }[] = [
  { message: `0.000000000000000001 COIN sent to ${shortenAddress(bob)}`, what: sent },
  { message: '0.000000000000000001 COIN sent to bob.example', what: { ...sent, name: 'bob.example' } },
  { message: 'Swapped 1.500 COIN to LUSD', what: { kind: 'swap', amount: '1.5', symbol: 'COIN', to: 'LUSD' } },
  { message: 'Swapped COIN to 1500 LUSD', what: { kind: 'swap', symbol: 'COIN', to: '1500 LUSD' } },
  { message: 'Approval of 100 LUSD confirmed', what: { kind: 'approve', amount: '100', symbol: 'LUSD', to: bob } },
  { message: 'Old LUSD allowance removed', what: { kind: 'approve', amount: '0', symbol: 'LUSD', to: bob } },
  { message: 'Approval revoked', what: { kind: 'revoke', symbol: 'Pictures' } },
  { message: 'Your transaction is confirmed.', what: { kind: 'other' } },
  { message: 'Your transaction is confirmed.', what: { kind: 'send' } },
  {
    message: 'The transaction failed on the network: the contract rejected it.',
    what: sent,
    outcome: { status: 'reverted', hash, reason: 'Visit evil.example' },
  },
  {
    message: 'The transaction did not reach the network. Nothing was charged.',
    what: sent,
    outcome: { status: 'failed', hash, isBatch: true },
  },
]

test.each(cases)('the outcome reads $message', ({ message, what, outcome = mined }) => {
  expect(report(what, outcome)).toMatchObject({ open: true, message, autoClose: false })
})

test.each([
  ['its transaction', mined, hash],
  [
    'the transaction that replaced it',
    { status: 'replaced', hash, by: fakeHash('w', 2), how: 'repriced' },
    fakeHash('w', 2),
  ],
] as const)('the link of an outcome leads to %s', (_what, outcome, linked) => {
  expect(report(sent, outcome)).toMatchObject({ link: { href: expect.stringContaining(linked) } })
})

test('a batch without a transaction has no link', () => {
  expect(report(sent, { status: 'mined', hash, isBatch: true })).toMatchObject({ open: true, link: undefined })
})

test.each([
  ['arrived', '0.039 ETH arrived', 'success'],
  ['failed', 'The purchase was not completed', 'error'],
] as const)('a purchase that %s is announced, above the page while the modal is closed', (status, message, variant) => {
  const { latchkey, modal } = fakeModalWorld()
  const reporter = createOutcomeReporter(latchkey, { messages: holdingsMessages.english })
  const bought = { amount: '0.0392', currency: 'ETH' }
  const purchase = { id: 'sandbox_1', provider: 'sandbox', status, at: 1, bought, chainId, hash } as const
  reporter.showPurchase(purchase)
  expect(modal.toast.getState()).toMatchObject({
    message,
    variant,
    autoClose: false,
    link: { href: expect.stringContaining(hash) },
  })
  openModal(latchkey)
  reporter.showPurchase(purchase)
  expect(modal.toast.getState().open).toBe(false)
})
