import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import { findSimilar, isKnownReceiver, rememberReceiver } from './knownReceivers.ts'
import { setAmount } from './form.ts'
import { sendState } from './state.ts'
import { setCached } from '../../storage/getCached.ts'

let world: FakeWorld

beforeEach(async () => {
  world = fakeWorld({
    adapters: [fakeAdapter({ namespace: 'polkadot' })],
    connectors: [fakeConnector({ namespaces: ['polkadot'] })],
  })
  await connect(world.latchkey, 'fake')
})

test('the form resets when the account or the network changes', async () => {
  const { latchkey } = world
  setAmount(latchkey, '5')
  expect(sendState(latchkey).getState().amount).toBe('5')
  latchkey.wallet.setState({ ...latchkey.wallet.getState(), namespaces: {} }, true)
  expect(sendState(latchkey).getState()).toMatchObject({ amount: '', status: 'select-token' })
})

describe('known recipients', () => {
  const from = fakeAccount('eip155:1')
  const known = '0xAbCd000000000000000000000000000000001234'

  test('match in any case', () => {
    rememberReceiver(world.latchkey, from, known)
    expect(isKnownReceiver(world.latchkey, from, known.toLowerCase())).toBe(true)
    expect(isKnownReceiver(world.latchkey, from, known.replace('1234', '1235'))).toBe(false)
  })

  test('reveal similar addresses: the same ends with another middle', () => {
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

  test.each(['', 'null', '{}', '[1]', '['])('are empty when the storage holds %j', (kept) => {
    setCached(world.latchkey.internal, `receivers/${from.split(':')[2]}`, kept)
    expect(isKnownReceiver(world.latchkey, from, known)).toBe(false)
  })
})
