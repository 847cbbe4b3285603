import { connect, shortenAddress } from '@latchkey/core'
import { fakeAdapter, fakeConnector } from '@latchkey/core/fakes'
import { sendState, setAmount, setReceiver, type SendToken } from '@latchkey/core/money'
import { closeModal, openModal, openSendFlow } from '@latchkey/modal'
import { modalMessages, sendMessages } from '@latchkey/modal/messages'
import { fakeModalWorld } from '@latchkey/modal/testing'
import { expect, test } from 'vitest'
import { fakeTransfers } from '../../../../testing/fakeTransfers.ts'
import { sendWithToasts } from './sendWithToasts.ts'

const chainId = 'eip155:1'
const owner = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'
const coin: SendToken = {
  asset: { symbol: 'COIN', decimals: 18 },
  name: 'Coin',
  chainId,
  balance: undefined,
  price: undefined,
}

/** Sends 1.25 coins to Bob from the modal. The test decides the outcome. */
async function sendInModal() {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * 10n ** 18n } })
  const transfers = fakeTransfers(adapter)
  Object.assign(adapter, { transfers: async () => transfers })
  const world = fakeModalWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  const { latchkey } = world
  await connect(latchkey, 'fake')
  openModal(latchkey)
  openSendFlow(latchkey, coin)
  setReceiver(latchkey, bob)
  setAmount(latchkey, '1.25')
  await expect.poll(() => (world.clock.advance(500), sendState(latchkey).getState().status)).toBe('ready')
  const texts = { t: sendMessages.english, strings: modalMessages.english, wallet: 'Fake', locale: 'en' }
  await sendWithToasts(latchkey, texts)
  expect(transfers.sent).toHaveLength(1)
  return { ...world, transfers }
}

test('a payment that is mined after the modal closed is announced once, with amount, receiver and link', async () => {
  const { latchkey, modal, clock, transfers } = await sendInModal()
  closeModal(latchkey)
  const messages: string[] = []
  modal.toast.subscribe((toast) => void (toast.open && messages.push(toast.message)))
  transfers.end({ status: 'mined', blockNumber: 1n })
  const message = `1.25 COIN sent to ${shortenAddress(bob)}`
  await expect.poll(() => (clock.advance(150), modal.toast.getState())).toMatchObject({ message, autoClose: false })
  clock.advance(60_000)
  expect(modal.toast.getState()).toMatchObject({
    open: true,
    message,
    link: { href: expect.stringMatching(/^https:\/\/explorer\.invalid\/1\/tx\//) },
  })
  expect(messages).toEqual(['Transaction started', message])
})
