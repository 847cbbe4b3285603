import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyMethod } from './classifyMethod.ts'

test.each([
  'eth_accounts',
  'eth_call',
  'eth_getBalance',
  'eth_chainId',
  'eth_sendRawTransaction',
  'wallet_getCapabilities',
  'wallet_getAssets',
  'wallet_getSupportedExecutionPermissions',
  'wallet_getGrantedExecutionPermissions',
])('classifyMethod returns safe for %s [R6.4]', (method) => expect(classifyMethod(method)).toBe('safe'))

test.each([
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'wallet_requestExecutionPermissions',
  'wallet_revokeExecutionPermission',
  'eth_sendUserOperation',
])('classifyMethod returns unsafe for %s [R6.5]', (method) => expect(classifyMethod(method)).toBe('unsafe'))

test.each(['eth_sign', 'eth_signTransaction', 'PERSONAL_SIGN', ' personal_sign', '', 'toString', '__proto__'])(
  'classifyMethod returns unknown for %j [R6.6]',
  (method) => expect(classifyMethod(method)).toBe('unknown'),
)

test('classifyMethod never returns safe for methods that sign, send calls or change permissions [R6.3] [R6.5] [R6.6]', () => {
  const words = fc.constantFrom('sign', 'sendTransaction', 'sendCalls', 'grantPermissions', 'sendUserOperation')
  const method = fc
    .tuple(fc.constantFrom('eth_', 'wallet_', 'solana_', 'personal_', ''), words, fc.string())
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(method, (method) => {
      expect(classifyMethod(method)).not.toBe('safe')
    }),
  )
})
