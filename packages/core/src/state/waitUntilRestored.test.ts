import { expect, test } from 'vitest'
import { fakeWorld, flushTasks } from '../testing/fakes.ts'
import { waitUntilRestored } from './waitUntilRestored.ts'

const reconnecting = {
  status: 'reconnecting',
  connectorId: 'fake',
  account: `eip155:1:0x${'1'.repeat(40)}`,
  chainId: 'eip155:1',
} as const

test('the wait ends when the namespace is no longer restored, whatever the outcome', async () => {
  const { latchkey } = fakeWorld()
  const state = latchkey.wallet.getState()
  latchkey.wallet.setState({ ...state, namespaces: { eip155: reconnecting } })
  let isOver = false
  const waiting = waitUntilRestored(latchkey, 'eip155').then(() => (isOver = true))
  latchkey.wallet.setState({ ...latchkey.wallet.getState(), active: 'eip155' })
  await flushTasks()
  expect(isOver).toBe(false)
  latchkey.wallet.setState({ ...state, namespaces: { eip155: { status: 'disconnected', reason: 'slow' } } })
  await waiting
  expect(isOver).toBe(true)
})

test('a namespace that is not restored needs no wait', async () => {
  const { latchkey } = fakeWorld()
  await expect(waitUntilRestored(latchkey, 'solana')).resolves.toBeUndefined()
})
