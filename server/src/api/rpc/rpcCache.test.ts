import { expect, test } from 'vitest'
import type { RpcRequest } from './rpcPolicy.ts'
import { createRpcCache } from './rpcCache.ts'

const sendRequest = (method: string, ...params: readonly unknown[]): RpcRequest => ({
  id: 1,
  jsonrpc: '2.0',
  method,
  params,
})
const head = (number: number): string => `0x${number.toString(16)}`
const address = `0x${'11'.repeat(20)}`

function keeper(options: { bytes?: number } = {}) {
  const time = { now: 0 }
  const cache = createRpcCache({ clock: { now: () => time.now }, ...options })
  cache.note('eip155:1', sendRequest('eth_blockNumber'), head(1_000))
  return { cache, time }
}

test.each([
  ['a block by its hash', sendRequest('eth_getBlockByHash', '0xaa', false), { number: head(999) }],
  ['a block that lies deep', sendRequest('eth_getBlockByNumber', head(800), false), { number: head(800) }],
  ['a balance at a block that lies deep', sendRequest('eth_getBalance', address, head(800)), '0x1'],
  [
    'a receipt from a block that lies deep',
    sendRequest('eth_getTransactionReceipt', '0xaa'),
    { blockNumber: head(800) },
  ],
  ['logs of blocks that lie deep', sendRequest('eth_getLogs', { fromBlock: head(1), toBlock: head(800) }), []],
])('cache stores %s for the same request on the same chain only [P-09]', (_what, request, result) => {
  const { cache } = keeper()
  cache.note('eip155:1', request, result)
  expect(cache.find('eip155:1', request)).toEqual({ result })
  expect(cache.find('eip155:10', request)).toBeUndefined()
  expect(cache.find('eip155:1', { ...request, params: [...Object(request.params), 'more'] })).toBeUndefined()
})

test.each<[string, RpcRequest, unknown]>([
  ['what is not there yet', sendRequest('eth_getBlockByHash', '0xaa', false), null],
  ['an error', sendRequest('eth_getBlockByHash', '0xaa', false), undefined],
  ['what is pending', sendRequest('eth_getTransactionByHash', '0xaa'), { blockNumber: null }],
  ['what is new', sendRequest('eth_getTransactionReceipt', '0xaa'), { blockNumber: head(990) }],
  ['what a tag leads to', sendRequest('eth_getBalance', address, 'latest'), '0x1'],
  ['the head', sendRequest('eth_blockNumber'), head(1_000)],
])('cache does not store %s [P-09]', (_what, request, result) => {
  const { cache } = keeper()
  cache.note('eip155:1', request, result)
  expect(cache.find('eip155:1', request)).toBeUndefined()
})

test('cache drops results of a chain that was reset, and results older than an hour', () => {
  const { cache, time } = keeper()
  const request = sendRequest('eth_getBlockByNumber', head(800), false)
  cache.note('eip155:1', request, { number: head(800) })
  cache.note('eip155:1', sendRequest('eth_blockNumber'), head(5))
  expect(cache.find('eip155:1', request)).toBeUndefined()
  const lasting = sendRequest('eth_getBlockByHash', '0xaa', false)
  cache.note('eip155:1', lasting, { number: head(1) })
  time.now = 3_600_000
  expect(cache.find('eip155:1', lasting)).toBeUndefined()
})

test('cache evicts the least recently used results above its size limit', () => {
  const { cache } = keeper({ bytes: 5_000 })
  const request = (hash: number): RpcRequest => sendRequest('eth_getBlockByHash', head(hash), false)
  const result = 'x'.repeat(900)
  for (const each of [1, 2]) cache.note('eip155:1', request(each), result)
  cache.find('eip155:1', request(1))
  cache.note('eip155:1', request(3), result)
  expect([1, 2, 3].map((each) => cache.find('eip155:1', request(each)) !== undefined)).toEqual([true, false, true])
  cache.note('eip155:1', request(4), 'x'.repeat(3_000))
  expect(cache.find('eip155:1', request(4))).toBeUndefined()
})
