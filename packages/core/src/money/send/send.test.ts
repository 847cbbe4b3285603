import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../actions/connect.ts'
import { openModal } from '../../actions/navigation.ts'
import { currentEntry } from '../../modal/modal.ts'
import { failureOf, fakeAccount, fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import { findSimilar, isKnownReceiver, rememberReceiver } from './knownReceivers.ts'
import { openSend, setAmount } from './form.ts'
import { sendNow } from './sendNow.ts'
import { sendState } from './state.ts'

let world: FakeWorld

beforeEach(async () => {
  world = fakeWorld({
    adapters: [fakeAdapter({ namespace: 'polkadot' })],
    connectors: [fakeConnector({ namespaces: ['polkadot'] })],
  })
  await connect(world.latchkey, 'fake')
})

test("says 'Unsupported chain' where a family cannot be paid in [R4.4.1]", async () => {
  const { latchkey, events } = world
  openModal(latchkey)
  openSend(latchkey)
  expect(await failureOf(sendNow(latchkey))).toMatchObject({
    code: 'send/unsupported',
    message: expect.stringMatching(/^Unsupported chain/),
  })
  expect(latchkey.toast.getState()).toMatchObject({ open: true, message: 'Unsupported chain', variant: 'error' })
  expect(events.at(-1)).toMatchObject({ type: 'send-error', code: 'send/unsupported' })
})

test('shows the form above the view that is there, once', () => {
  const { latchkey } = world
  openModal(latchkey)
  openSend(latchkey)
  openSend(latchkey)
  const modal = latchkey.modal.getState()
  expect(modal.open && [currentEntry(modal).view, modal.history.length]).toEqual(['WalletSend', 2])
})

test('begins anew for another account, and for another network', async () => {
  const { latchkey } = world
  setAmount(latchkey, '5')
  expect(sendState(latchkey).getState().amount).toBe('5')
  latchkey.wallet.setState({ ...latchkey.wallet.getState(), namespaces: {} }, true)
  expect(sendState(latchkey).getState()).toMatchObject({ amount: '', status: 'select-token' })
})

describe('receivers that were paid', () => {
  const from = fakeAccount('eip155:1')
  const known = '0xAbCd000000000000000000000000000000001234'

  test('are known again in any case of their letters', () => {
    rememberReceiver(world.latchkey, from, known)
    expect(isKnownReceiver(world.latchkey, from, known.toLowerCase())).toBe(true)
    expect(isKnownReceiver(world.latchkey, from, known.replace('1234', '1235'))).toBe(false)
  })

  test('are what others are compared with: the same ends, and another middle', () => {
    rememberReceiver(world.latchkey, from, known)
    const twin = `0xabcd${'f'.repeat(32)}1234`
    expect(findSimilar(world.latchkey, from, twin)).toBe(known)
    expect(findSimilar(world.latchkey, from, known.toLowerCase())).toBeUndefined()
    expect(findSimilar(world.latchkey, from, `0xabce${'f'.repeat(32)}1234`)).toBeUndefined()
    const base58 = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
    rememberReceiver(world.latchkey, from, base58)
    expect(findSimilar(world.latchkey, from, `7S3P${'x'.repeat(36)}AaKv`)).toBe(base58)
    expect(findSimilar(world.latchkey, from, `7s3p${'x'.repeat(36)}AaKv`)).toBeUndefined()
  })

  test.each(['', 'null', '{}', '[1]', '['])('are none where the storage holds %j', (kept) => {
    world.latchkey.memory.setCached(`receivers/${from.split(':')[2]}`, kept)
    expect(isKnownReceiver(world.latchkey, from, known)).toBe(false)
  })
})
