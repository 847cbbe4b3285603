import { confirmSend } from './sendFlow.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { openModal } from '../navigation/openModal.ts'
import { openSendFlow } from './sendFlow.ts'
import { beforeEach, expect, test } from 'vitest'
import { connect } from '@latchkey/core'
import { failureOf, fakeAdapter, fakeConnector, type FakeWorld } from '@latchkey/core/fakes'

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
  expect(await failureOf(confirmSend(latchkey))).toMatchObject({
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
