import { LatchkeyError, requestError, connectionError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { toProviderRpcError } from './toProviderRpcError.ts'

test.each([
  [requestError('request/rejected', { method: 'personal_sign' }), 4001],
  [connectionError('connection/rejected', { wallet: 'Example Wallet' }), 4001],
  [connectionError('connection/aborted', {}), 4001],
  [new LatchkeyError('account/not-found', { account: 'eip155:1:0x1' }, { sentence: 'It is not shared.' }), 4100],
  [connectionError('connection/not-connected', {}), 4900],
  [requestError('request/failed', { method: 'm', code: 7, reason: 'No' }), 7],
  [requestError('request/unknown', { method: 'm' }), -32_603],
])('%s has the number %i', (error, code) => {
  expect(toProviderRpcError(error)).toMatchObject({ code, data: { code: error.code }, cause: error })
})

test('an error of the app stays as it is', () => {
  const error = new TypeError('No')
  expect(toProviderRpcError(error)).toBe(error)
})
