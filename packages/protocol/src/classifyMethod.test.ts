import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyMethod } from './classifyMethod.ts'

test.each([
  'eth_accounts',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'eth_getUserOperationReceipt',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
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
