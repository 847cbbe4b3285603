import { parseAbiItem, type AbiFunction } from 'viem'
import { expect, test } from 'vitest'
import { parsePermissionRequest } from './permissionRequest.ts'

const now = 1_800_000_000_000
const seconds = now / 1_000
const day = 86_400
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const abi = [
  { type: 'function', name: 'buy', stateMutability: 'payable', inputs: [{ name: 'id', type: 'uint256' }], outputs: [] },
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'uint256' }],
    outputs: [],
  },
  { type: 'function', name: 'twice', stateMutability: 'view', inputs: [], outputs: [] },
  { type: 'function', name: 'twice', stateMutability: 'view', inputs: [{ type: 'uint8' }], outputs: [] },
]
const buying = {
  type: 'contract-call',
  data: { address: shop, abi, functions: [{ functionName: 'buy', valueLimit: '0x64' }] },
}
const spending = { type: 'native-token-recurring-allowance', data: { allowance: '0x5', period: day } }
const createPermissionRequest = (change: object = {}) => [
  {
    chainId: '0x7a69',
    expiry: seconds + day,
    signer: { type: 'wallet', data: {} },
    permissions: [buying, spending],
    ...change,
  },
]
const createBuyingRequest = (data: object) =>
  createPermissionRequest({ permissions: [{ ...buying, data: { ...buying.data, ...data } }] })

test('parsePermissionRequest reads calls, limits and expiry', () => {
  expect(parsePermissionRequest(createPermissionRequest(), now)).toMatchObject({
    chainId: 'eip155:31337',
    expiry: seconds + day,
    bounds: {
      native: { most: 5n, period: day, start: seconds },
      tokens: [],
      calls: [{ address: shop, functions: [{ name: 'buy', selector: '0xd96a094a' }], most: 100n }],
    },
    written: { permissions: [{ type: 'contract-call' }, { type: 'native-token-recurring-allowance' }] },
  })
  expect(parsePermissionRequest(createBuyingRequest({ abi: JSON.stringify(abi) }), now).bounds.calls).toHaveLength(1)
})

test('parsePermissionRequest reads a session account and the periodic permissions of other wallets', () => {
  const signer = { type: 'account', data: { address: shop } }
  const data = { tokenAddress: shop, periodAmount: '0x5', periodDuration: day, startTime: 7 }
  const permissions = [{ type: 'erc20-token-periodic', data }]
  expect(parsePermissionRequest(createPermissionRequest({ signer, permissions }), now)).toMatchObject({
    delegate: shop,
    bounds: { tokens: [{ address: shop, most: 5n, period: day, start: 7 }], calls: [] },
  })
})

test.each([
  ['is over already', createPermissionRequest({ expiry: seconds })],
  ['lasts for ever', createPermissionRequest({ expiry: undefined })],
  ['lasts longer than a year', createPermissionRequest({ expiry: seconds + 366 * day })],
  ['allows nothing', createPermissionRequest({ permissions: [] })],
  ['is not a permission', [undefined]],
  ['is of an unknown kind', createPermissionRequest({ permissions: [{ type: 'everything', data: {} }] })],
  [
    'has a bound that is not understood',
    createPermissionRequest({ policies: [{ type: 'rate-limit', data: { count: 1 } }] }),
  ],
  [
    'has such a bound within',
    createPermissionRequest({ permissions: [{ ...spending, policies: [{ type: 'gas-limit' }] }] }),
  ],
  ['allows coins twice', createPermissionRequest({ permissions: [spending, spending] })],
  [
    'allows no coins',
    createPermissionRequest({ permissions: [{ ...spending, data: { allowance: '0x0', period: day } }] }),
  ],
  [
    'has periods of a moment',
    createPermissionRequest({ permissions: [{ ...spending, data: { allowance: '0x5', period: 1 } }] }),
  ],
  ['names no function', createBuyingRequest({ functions: [] })],
  ['names a function that is not there', createBuyingRequest({ functions: [{ functionName: 'sell' }] })],
  ['names one of two functions', createBuyingRequest({ functions: [{ functionName: 'twice' }] })],
  ['has no interface', createBuyingRequest({ abi: undefined })],
  ['has an invalid interface', createBuyingRequest({ abi: '{' })],
  [
    'bounds arguments',
    createBuyingRequest({ functions: [{ functionName: 'buy', args: [{ operator: 'EQUAL', value: '0x1' }] }] }),
  ],
  ['hands tokens over without an amount', createBuyingRequest({ functions: [{ functionName: 'approve' }] })],
  ['is of no contract', createBuyingRequest({ address: 'shop' })],
  ['names a key as the signer', createPermissionRequest({ signer: { type: 'keys', data: { ids: ['did:key:z6Mk'] } } })],
  ['names a session account without an address', createPermissionRequest({ signer: { type: 'account', data: {} } })],
  [
    'lets everyone redeem',
    createPermissionRequest({ signer: { type: 'account', data: { address: `0x${'0'.repeat(37)}a11` } } }),
  ],
])('parsePermissionRequest refuses a request that %s', (_what, params) => {
  expect(() => parsePermissionRequest(params, now)).toThrow(expect.objectContaining({ code: -32_602 }) as Error)
})

test.each([
  'push(address,uint256)',
  'transferAndCall(address,uint256,bytes)',
  'approveAndCall(address,uint256,bytes)',
  'increaseApproval(address,uint256)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'authorizeOperator(address)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'approve(address,address,uint160,uint48)',
  'multicall(bytes[])',
  'aggregate3((address,bool,bytes)[])',
  'execute(address,uint256,bytes)',
  'redeemDelegations(bytes[],bytes32[],bytes[])',
  'enableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))',
])('parsePermissionRequest refuses the function %s [I-21]', (signature) => {
  const item = parseAbiItem([`function ${signature}`] as readonly string[]) as AbiFunction
  const params = createBuyingRequest({ abi: [item], functions: [{ functionName: item.name }] })
  expect(() => parsePermissionRequest(params, now)).toThrow('a token allowance')
})
