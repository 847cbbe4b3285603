import { expect, test } from 'vitest'
import { walletConnectError } from './walletConnectError.ts'

test('walletConnectError shortens session topics', () => {
  const topic = 'a1b2c3'.padEnd(64, '7')
  expect(walletConnectError('session/not-found', { topic }).message).not.toContain(topic.slice(0, 7))
})
