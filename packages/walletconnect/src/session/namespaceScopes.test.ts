import { namespaces } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { getNamespaceScope, isAccountQuery, parseEvmChainId, usesEip1193 } from './namespaceScopes.ts'

describe('an app requests by default', () => {
  test.each([
    [
      'eip155',
      [
        'eth_accounts',
        'eth_requestAccounts',
        'eth_sendTransaction',
        'eth_signTransaction',
        'eth_signTypedData_v4',
        'personal_sign',
        'wallet_addEthereumChain',
        'wallet_getAssets',
        'wallet_getCallsStatus',
        'wallet_getCapabilities',
        'wallet_grantPermissions',
        'wallet_revokePermissions',
        'wallet_sendCalls',
        'wallet_switchEthereumChain',
        'wallet_watchAsset',
      ],
      ['accountsChanged', 'chainChanged'],
    ],
    [
      'solana',
      ['solana_signAllTransactions', 'solana_signAndSendTransaction', 'solana_signMessage', 'solana_signTransaction'],
      ['accountsChanged', 'chainChanged'],
    ],
    ['polkadot', ['polkadot_signMessage', 'polkadot_signTransaction'], ['accountsChanged', 'chainChanged']],
    [
      'bip122',
      ['getAccountAddresses', 'sendTransfer', 'signMessage', 'signPsbt'],
      ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'],
    ],
  ] as const)('the methods and events of %s', (namespace, methods, events) => {
    expect(getNamespaceScope(namespace)).toEqual({ methods, events })
  })
})

test('only eip155 uses EIP-1193', () => {
  expect(namespaces.filter(usesEip1193)).toEqual(['eip155'])
})

test('getAccountAddresses is the only account query', () => {
  const methods = namespaces.flatMap((namespace) => getNamespaceScope(namespace).methods)
  expect(methods.filter(isAccountQuery)).toEqual(['getAccountAddresses'])
})

describe('parseEvmChainId', () => {
  test.each([
    [1, 'eip155:1'],
    ['1', 'eip155:1'],
    ['0x1', 'eip155:1'],
    ['0XfF', 'eip155:255'],
    ['eip155:10', 'eip155:10'],
    ['eip155:0xa', 'eip155:10'],
    [`0x${'f'.repeat(16)}`, 'eip155:18446744073709551615'],
    ['9'.repeat(19), `eip155:${'9'.repeat(19)}`],
  ])('parses %j as %s', (value, chain) => {
    expect(parseEvmChainId(value)).toBe(chain)
  })

  test.each([
    '',
    '0x',
    '-1',
    '1.5',
    ' 1',
    '1 ',
    'x0x1',
    '0x1z',
    'eip155:',
    'eip155:eip155:1',
    'eip155:1:0xab',
    '1eip155:',
    'solana:1',
    `0x${'f'.repeat(17)}`,
    '9'.repeat(20),
    undefined,
    null,
    {},
  ])('returns undefined for %j', (value) => {
    expect(parseEvmChainId(value)).toBeUndefined()
  })
})
