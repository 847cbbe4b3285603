import { afterEach, expect, test } from 'vitest'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { getField } from '../runtime/getField.ts'
import { systemClock } from '../runtime/clock.ts'
import { createEndpointPool, type EndpointPool } from './endpointPool.ts'

let node: RpcNode
afterEach(() => node.close())

type Item = { id: number }

const respondTo = ({ id }: Item): object => ({ jsonrpc: '2.0', id, result: `0x${id.toString(16)}` })
const createRequests = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [] }))
const listBatchSizes = (): readonly number[] => node.requests.map((body) => (Array.isArray(body) ? body.length : 0))

async function open(behave: RpcBehaviour): Promise<EndpointPool> {
  node = await startRpcNode(behave)
  return createEndpointPool([node.url], systemClock)
}

/** The ids of the responses with a result. */
async function postCalls(pool: EndpointPool, count: number): Promise<readonly unknown[]> {
  const responses = (await pool.request(createRequests(count))) as readonly unknown[]
  return responses
    .filter((response) => getField(response, 'result') !== undefined)
    .map((response) => getField(response, 'id'))
    .toSorted((a, b) => Number(a) - Number(b))
}

const listIds = (count: number): readonly number[] => createRequests(count).map(({ id }) => id)
const error = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch too large' } }

test('a large batch is sent in parts', async () => {
  const pool = await open((body) => (body as Item[]).map(respondTo))
  expect(await postCalls(pool, 401)).toEqual(listIds(401))
  expect(listBatchSizes()).toEqual([100, 100, 100, 100, 1])
})

test('the size of batches follows the limit of an endpoint, which is remembered', async () => {
  const pool = await open((body) => ((body as Item[]).length > 10 ? error : (body as Item[]).map(respondTo)))
  expect(await postCalls(pool, 50)).toEqual(listIds(50))
  const before = listBatchSizes().length
  expect(await postCalls(pool, 50)).toEqual(listIds(50))
  expect(Math.max(...listBatchSizes().slice(before))).toBeLessThanOrEqual(10)
})

test.each<[string, RpcBehaviour]>([
  ['with an error', (body) => (Array.isArray(body) ? error : respondTo(body as Item))],
  [
    'with the error of a rate limit',
    (body) =>
      Array.isArray(body)
        ? { ...error, error: { code: -32_005, message: 'Batch requests are not supported' } }
        : respondTo(body as Item),
  ],
  [
    'with a status and a text',
    (body, response) =>
      Array.isArray(body) ? void response.writeHead(400).end('batches are not allowed') : respondTo(body as Item),
  ],
])('an endpoint that refuses batches %s gets single requests', async (_how, behave) => {
  const pool = await open(behave)
  expect(await postCalls(pool, 5)).toEqual(listIds(5))
  const before = listBatchSizes().length
  expect(await postCalls(pool, 5)).toEqual(listIds(5))
  expect(listBatchSizes().slice(before)).toEqual([0, 0, 0, 0, 0])
})

test('requests that an endpoint leaves out of a batch are sent again', async () => {
  const limited = ({ id }: Item): object => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_005, message: 'limit exceeded' },
  })
  const pool = await open((body) =>
    (body as Item[]).map((item, index) => (index < 4 ? respondTo(item) : limited(item))),
  )
  expect(await postCalls(pool, 10)).toEqual(listIds(10))
})

test('an endpoint that leaves out everything is not asked again', async () => {
  const limited = ({ id }: Item): object => ({ jsonrpc: '2.0', id, error: { code: 429, message: 'slow down' } })
  const pool = await open((body) => (body as Item[]).map(limited))
  expect(await postCalls(pool, 10)).toEqual([])
  expect(listBatchSizes()).toEqual([10])
})

test('a batch that one endpoint leaves out goes to the next one', async () => {
  const next = await startRpcNode((body) => (body as Item[]).map(respondTo))
  const limited = ({ id }: Item): object => ({ jsonrpc: '2.0', id, error: { code: 429, message: 'slow down' } })
  await open((body) => (body as Item[]).map(limited))
  const pool = createEndpointPool([node.url, next.url], systemClock)
  expect(await postCalls(pool, 3)).toEqual(listIds(3))
  await next.close()
})
