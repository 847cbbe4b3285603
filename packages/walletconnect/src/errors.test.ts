import { expect, test } from 'vitest'
import { walletConnectError } from './errors.ts'

test('shows of a session topic no more than tells it from others', () => {
  const topic = 'a1b2c3'.padEnd(64, '7')
  expect(walletConnectError('session/not-found', { topic }).message).not.toContain(topic.slice(0, 7))
})
