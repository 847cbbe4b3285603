import { type ErrorCode, LatchkeyError, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { describeRequestError } from './describeRequestError.ts'

const failed = requestError('request/failed', {
  method: 'personal_sign',
  code: -32_603,
  reason: 'Ledger is asleep',
})

test.each<[ErrorCode, LatchkeyError, RegExp]>([
  ['request/rejected', requestError('request/rejected', { method: 'personal_sign' }), /rejected in the wallet/],
  ['request/unknown', requestError('request/unknown', { method: 'eth_sendTransaction' }), /Check the wallet/],
  ['request/not-allowed', requestError('request/not-allowed', { method: 'eth_sign' }), /not allowed/],
  ['request/failed', failed, /Ledger is asleep/],
])('describeRequestError describes %s without the name of the method', (_, error, expected) => {
  expect(describeRequestError(error)).toMatch(expected)
  expect(describeRequestError(error)).not.toMatch(/personal_|eth_/)
})

test('describeRequestError passes on other messages', () => {
  const aborted = new LatchkeyError(
    'request/rejected',
    { method: 'personal_sign' },
    { sentence: 'Request was aborted' },
  )
  expect(describeRequestError(aborted)).toBe('Request was aborted')
  expect(describeRequestError(new TypeError('not a valid decimal number'))).toBe('not a valid decimal number')
  expect(describeRequestError('text')).toBe('text')
})
