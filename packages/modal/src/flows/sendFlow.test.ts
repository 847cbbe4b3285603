import { confirmSend } from './sendFlow.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { openModal } from '../navigation/openModal.ts'
import { openSendFlow } from './sendFlow.ts'
import { formatSendNotice, toSendNotice } from './sendNotice.ts'
import { beforeEach, expect, test } from 'vitest'
import { connect } from '@latchkey/core'
import { transactionError, LatchkeyError, requestError } from '@latchkey/protocol'
import { getRejection, fakeAdapter, fakeConnector, type FakeWorld } from '@latchkey/core/fakes'

let world: FakeWorld

beforeEach(async () => {
  world = fakeModalWorld({
    adapters: [fakeAdapter({ namespace: 'polkadot' })],
    connectors: [fakeConnector({ namespaces: ['polkadot'] })],
  })
  await connect(world.latchkey, 'fake')
})

test("a payment says 'Unsupported chain' without support in the namespace [R4.4.1]", async () => {
  const { latchkey, events } = world
  openModal(latchkey)
  openSendFlow(latchkey)
  expect(await getRejection(confirmSend(latchkey))).toMatchObject({
    code: 'send/unsupported',
    message: expect.stringMatching(/^Unsupported chain/),
  })
  expect(modalOf(latchkey).toast.getState()).toMatchObject({
    open: true,
    message: 'Unsupported chain',
    variant: 'error',
  })
  expect(events.at(-1)).toMatchObject({ type: 'send-error', code: 'send/unsupported' })
})

test('openSendFlow pushes the form once', () => {
  const { latchkey } = world
  openModal(latchkey)
  openSendFlow(latchkey)
  openSendFlow(latchkey)
  const modal = modalOf(latchkey).state.getState()
  expect(modal.open && [currentEntry(modal).view, modal.history.length]).toEqual(['WalletSend', 2])
})

test('a reverted payment never shows the words of the contract', () => {
  const reason = 'Your wallet is at risk. Visit evil.example'
  const error = transactionError('transaction/reverted', { hash: undefined, reason })
  expect(formatSendNotice(toSendNotice(error, undefined))).toBe(
    'The payment failed on the network: the contract rejected it.',
  )
})

test('a payment that the wallet changed, and an account or a wallet that can’t pay, have their own notices', () => {
  const changed = new LatchkeyError('transaction/changed', { wallet: 'Fake' }, { sentence: 'It was changed.' })
  const otherAccount = requestError('request/not-allowed', { method: 'sendTransfer' })
  const context = { wallet: 'Fake', network: 'Network 1' }
  const otherWallet = new LatchkeyError('wallet/payments-unsupported', context, { sentence: 'It can’t pay.' })
  const texts = [changed, otherAccount, otherWallet].map((error) => formatSendNotice(toSendNotice(error, undefined)))
  expect(texts).toEqual([
    'Your wallet signed a different payment. Nothing was sent.',
    'Payments can’t be sent from this address. Choose your payment address.',
    'This wallet can’t sign payments on this network. Use another wallet.',
  ])
})
