import { encodeFunctionData, erc20Abi, erc721Abi, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import type { Network } from '@latchkey/protocol'
import { describeTransaction, readTransaction } from './transaction.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const to = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const network: Network = {
  id: 31337,
  caipNetworkId: 'eip155:31337',
  chainNamespace: 'eip155',
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
}
const dollar = {
  caipNetworkId: 'eip155:31337' as const,
  address: contract.toLowerCase(),
  name: 'Dollar',
  symbol: 'LUSD',
  decimals: 6,
}
const known = { address: contract, known: { symbol: 'LUSD', decimals: 6 } }

const described = (data: `0x${string}`, tokens = [dollar]) =>
  describeTransaction({ to: contract, data }, network, tokens)

test('reads a transfer of native currency', () => {
  const request = readTransaction([{ from, to, value: '0xde0b6b3a7640000', gas: '0x5208' }])
  expect(request).toMatchObject({ from, to, value: 10n ** 18n, data: '0x', gas: 21_000n, nonce: undefined })
  expect(describeTransaction(request, network, [])).toEqual({ kind: 'send', to })
})

test('reads a token transfer with the token as the wallet knows it', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 2_500_000n] })
  expect(described(data)).toEqual({ kind: 'tokenTransfer', token: known, from: undefined, to, amount: 2_500_000n })
})

test('claims to know a token only on its own network', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })
  expect(described(data, [{ ...dollar, caipNetworkId: 'eip155:1' as never }])).toMatchObject({
    token: { known: undefined },
  })
})

test('tells an allowance, and one without limit', () => {
  const approve = (amount: bigint) => encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, amount] })
  expect(described(approve(7n))).toEqual({ kind: 'tokenApproval', token: known, spender: to, amount: 7n })
  expect(described(approve(maxUint256))).toMatchObject({ amount: 'unlimited' })
  expect(described(approve(maxUint256 - 1n))).toMatchObject({ amount: 'unlimited' })
})

test('takes transferFrom for money with a known token, and for an item otherwise', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, 3n] })
  expect(described(data)).toEqual({ kind: 'tokenTransfer', token: known, from, to, amount: 3n })
  expect(described(data, [])).toEqual({ kind: 'itemTransfer', collection: contract, from, to, id: 3n })
})

test('tells when somebody may move all items of a collection', () => {
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args: [to, true] })
  expect(described(data)).toEqual({ kind: 'collectionApproval', collection: contract, operator: to, isGranted: true })
})

test('says of other calls what is known: whom they go to and their selector', () => {
  expect(described('0xdeadbeef00')).toEqual({ kind: 'call', to: contract, selector: '0xdeadbeef' })
  expect(described('0xde')).toEqual({ kind: 'call', to: contract, selector: '0xde' })
  expect(described('0xa9059cbb00')).toEqual({ kind: 'call', to: contract, selector: '0xa9059cbb' })
})

test('tells the creation of a contract', () => {
  expect(describeTransaction(readTransaction([{ from, data: '0x6000' }]), network, [])).toEqual({ kind: 'create' })
})

test.each([
  ['nothing', []],
  ['no sender', [{ to }]],
  ['a recipient that is none', [{ from, to: '0x12' }]],
  ['a value that is no quantity', [{ from, to, value: 1 }]],
  ['an empty quantity', [{ from, to, value: '0x' }]],
  ['data that is not hexadecimal', [{ from, to, data: 'ab' }]],
  ['half a byte', [{ from, to, data: '0xabc' }]],
  ['no recipient and no data', [{ from }]],
])('refuses %s', (_, params) => {
  expect(() => readTransaction(params)).toThrow(expect.objectContaining({ code: -32602 }))
})
