import { expect, test } from 'vitest'
import type { RpcRequest } from './rpcPolicy.ts'
import { createRpcCache } from './rpcCache.ts'

const sendRequest = (method: string, ...params: readonly unknown[]): RpcRequest => ({
  id: 1,
  jsonrpc: '2.0',
  method,
  params,
})
const toBlockNumber = (number: number): string => `0x${number.toString(16)}`
const address = `0x${'11'.repeat(20)}`

function createTestCache(options: { bytes?: number } = {}) {
  const time = { now: 0 }
  const cache = createRpcCache({ clock: { now: () => time.now }, ...options })
  cache.note('eip155:1', sendRequest('eth_blockNumber'), toBlockNumber(1_000))
  return { cache, time }
}

test.each([
  ['a block by its hash', sendRequest('eth_getBlockByHash', '0xaa', false), { number: toBlockNumber(999) }],
  [
    'a block that lies deep',
    sendRequest('eth_getBlockByNumber', toBlockNumber(800), false),
    { number: toBlockNumber(800) },
  ],
  ['a balance at a block that lies deep', sendRequest('eth_getBalance', address, toBlockNumber(800)), '0x1'],
  [
    'a receipt from a block that lies deep',
    sendRequest('eth_getTransactionReceipt', '0xaa'),
    { blockNumber: toBlockNumber(800) },
  ],
  [
    'logs of blocks that lie deep',
    sendRequest('eth_getLogs', { fromBlock: toBlockNumber(1), toBlock: toBlockNumber(800) }),
    [],
  ],
])('cache stores %s for the same request on the same chain only [P-09]', (_what, request, result) => {
  const { cache } = createTestCache()
  cache.note('eip155:1', request, result)
  expect(cache.find('eip155:1', request)).toEqual({ result })
  expect(cache.find('eip155:10', request)).toBeUndefined()
  expect(cache.find('eip155:1', { ...request, params: [...Object(request.params), 'more'] })).toBeUndefined()
})

test.each<[string, RpcRequest, unknown]>([
  ['what is not there yet', sendRequest('eth_getBlockByHash', '0xaa', false), null],
  ['an error', sendRequest('eth_getBlockByHash', '0xaa', false), undefined],
  ['what is pending', sendRequest('eth_getTransactionByHash', '0xaa'), { blockNumber: null }],
  ['what is new', sendRequest('eth_getTransactionReceipt', '0xaa'), { blockNumber: toBlockNumber(990) }],
  ['what a tag leads to', sendRequest('eth_getBalance', address, 'latest'), '0x1'],
  ['the head', sendRequest('eth_blockNumber'), toBlockNumber(1_000)],
])('cache does not store %s [P-09]', (_what, request, result) => {
  const { cache } = createTestCache()
  cache.note('eip155:1', request, result)
  expect(cache.find('eip155:1', request)).toBeUndefined()
})

test('cache drops results of a chain that was reset, and results older than an hour', () => {
  const { cache, time } = createTestCache()
  const request = sendRequest('eth_getBlockByNumber', toBlockNumber(800), false)
  cache.note('eip155:1', request, { number: toBlockNumber(800) })
  cache.note('eip155:1', sendRequest('eth_blockNumber'), toBlockNumber(5))
  expect(cache.find('eip155:1', request)).toBeUndefined()
  const lasting = sendRequest('eth_getBlockByHash', '0xaa', false)
  cache.note('eip155:1', lasting, { number: toBlockNumber(1) })
  time.now = 3_600_000
  expect(cache.find('eip155:1', lasting)).toBeUndefined()
})

test('cache evicts the least recently used results above its size limit', () => {
  const { cache } = createTestCache({ bytes: 5_000 })
  const request = (hash: number): RpcRequest => sendRequest('eth_getBlockByHash', toBlockNumber(hash), false)
  const result = 'x'.repeat(900)
  for (const each of [1, 2]) cache.note('eip155:1', request(each), result)
  cache.find('eip155:1', request(1))
  cache.note('eip155:1', request(3), result)
  expect([1, 2, 3].map((each) => cache.find('eip155:1', request(each)) !== undefined)).toEqual([true, false, true])
  cache.note('eip155:1', request(4), 'x'.repeat(3_000))
  expect(cache.find('eip155:1', request(4))).toBeUndefined()
})
