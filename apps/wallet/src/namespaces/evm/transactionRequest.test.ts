import { encodeFunctionData, erc20Abi, erc721Abi, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import type { Network } from '@latchkey/protocol'
import { describeTransaction, parseTransactionRequest } from './transactionRequest.ts'

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

const describeTestTransaction = (data: `0x${string}`, tokens = [dollar]) =>
  describeTransaction({ to: contract, data }, network, tokens)

test('parseTransactionRequest parses a transfer of native currency', () => {
  const request = parseTransactionRequest([{ from, to, value: '0xde0b6b3a7640000', gas: '0x5208' }])
  expect(request).toMatchObject({ from, to, value: 10n ** 18n, data: '0x', gas: 21_000n, nonce: undefined })
  expect(describeTransaction(request, network, [])).toEqual({ kind: 'send', to })
})

test('describeTransaction decodes a token transfer with the metadata of a known token', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 2_500_000n] })
  expect(describeTestTransaction(data)).toEqual({
    kind: 'tokenTransfer',
    token: known,
    from: undefined,
    to,
    amount: 2_500_000n,
  })
})

test('describeTransaction treats a token listed on another network as unknown', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })
  expect(describeTestTransaction(data, [{ ...dollar, caipNetworkId: 'eip155:1' as never }])).toMatchObject({
    token: { known: undefined },
  })
})

test('describeTransaction decodes limited and unlimited token allowances', () => {
  const approve = (amount: bigint) => encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, amount] })
  expect(describeTestTransaction(approve(7n))).toEqual({ kind: 'tokenApproval', token: known, spender: to, amount: 7n })
  expect(describeTestTransaction(approve(maxUint256))).toMatchObject({ amount: 'unlimited' })
  expect(describeTestTransaction(approve(maxUint256 - 1n))).toMatchObject({ amount: 'unlimited' })
})

test('describeTransaction decodes transferFrom as a token transfer for a known token and as an NFT transfer otherwise', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, 3n] })
  expect(describeTestTransaction(data)).toEqual({ kind: 'tokenTransfer', token: known, from, to, amount: 3n })
  expect(describeTestTransaction(data, [])).toEqual({ kind: 'itemTransfer', collection: contract, from, to, id: 3n })
})

test('describeTransaction decodes setApprovalForAll as an approval for a whole collection', () => {
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args: [to, true] })
  expect(describeTestTransaction(data)).toEqual({
    kind: 'collectionApproval',
    collection: contract,
    operator: to,
    isGranted: true,
  })
})

test('describeTransaction returns recipient and selector of an unknown call', () => {
  expect(describeTestTransaction('0xdeadbeef00')).toEqual({ kind: 'call', to: contract, selector: '0xdeadbeef' })
  expect(describeTestTransaction('0xde')).toEqual({ kind: 'call', to: contract, selector: '0xde' })
  expect(describeTestTransaction('0xa9059cbb00')).toEqual({ kind: 'call', to: contract, selector: '0xa9059cbb' })
})

test('describeTransaction recognizes a contract creation', () => {
  expect(describeTransaction(parseTransactionRequest([{ from, data: '0x6000' }]), network, [])).toEqual({
    kind: 'create',
  })
})

test.each([
  ['nothing', []],
  ['no sender', [{ to }]],
  ['an invalid recipient', [{ from, to: '0x12' }]],
  ['a value that is not a quantity', [{ from, to, value: 1 }]],
  ['an empty quantity', [{ from, to, value: '0x' }]],
  ['data that is not hexadecimal', [{ from, to, data: 'ab' }]],
  ['half a byte', [{ from, to, data: '0xabc' }]],
  ['no recipient and no data', [{ from }]],
])('parseTransactionRequest throws for %s', (_, params) => {
  expect(() => parseTransactionRequest(params)).toThrow(expect.objectContaining({ code: -32602 }))
})
