import { expect, test } from 'vitest'
import { getEip1193ErrorCode, isEip1193Rejection } from './isEip1193Rejection.ts'

const enkrypt = JSON.stringify({ code: 4001, message: 'User Rejected Request: The user rejected the request.' })

test.each([
  ['a bare text', 'User rejected the request.'],
  ['a bare text with the user last', 'Request cancelled by user'],
  ['JSON in a bare text', enkrypt],
  ['JSON with a code only', '{"code":4001}'],
  ['JSON in the message of an error', new Error('{"code":4001,"message":"No"}')],
])('isEip1193Rejection recognises %s [R8.3.7]', (_, thrown) => {
  expect(isEip1193Rejection(thrown)).toBe(true)
})

test.each(['', '{', '4001', 'null', '[4001]', 'Transaction rejected: nonce too low', 4001, undefined])(
  'isEip1193Rejection does not take %j for a decision of the user [R8.3.7]',
  (thrown) => {
    expect(isEip1193Rejection(thrown)).toBe(false)
  },
)

test('getEip1193ErrorCode reads the code of JSON in a bare text', () => {
  expect(getEip1193ErrorCode('{"code":4902,"message":"Unrecognized chain"}')).toBe(4902)
  expect(getEip1193ErrorCode('{"code":"4902"}')).toBeUndefined()
})
