import { expect, test } from 'vitest'
import type { Mailbox, NewRelayMessage, StoreResult } from './mailbox.ts'
import { watchStores } from './watchStores.ts'

function createWatched() {
  const state = { now: 1_000, outcome: (): Promise<StoreResult> => Promise.resolve({} as StoreResult) }
  // The other methods are not called.
  const mailbox = { store: () => state.outcome() } as unknown as Mailbox
  const watched = watchStores(mailbox, { now: () => state.now })
  const store = (): Promise<unknown> => watched.mailbox.store({} as NewRelayMessage).catch((error: unknown) => error)
  return { state, watched, store }
}

const fail = (): Promise<never> => Promise.reject(new Error('No space left on device'))

test('a failed write is reported, with its error, until a message is stored [R-04]', async () => {
  const { state, watched, store } = createWatched()
  expect(watched.isFailing()).toBe(false)
  state.outcome = fail
  expect(await store()).toMatchObject({ message: 'No space left on device' })
  expect(watched.isFailing()).toBe(true)
  state.outcome = () => Promise.resolve({} as StoreResult)
  await store()
  expect(watched.isFailing()).toBe(false)
})

test('a failed write is forgotten after 15 seconds, because a server without traffic stores nothing', async () => {
  const { state, watched, store } = createWatched()
  state.outcome = fail
  await store()
  state.now += 14_999
  expect(watched.isFailing()).toBe(true)
  state.now += 1
  expect(watched.isFailing()).toBe(false)
})
