import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../../testing/rpcNode.ts'
import { getField } from '../../runtime/getField.ts'
import { createEndpointPool } from '../endpointPool.ts'
import { UpstreamLimitError } from '../postJsonRpc.ts'
import { createUpstreamMetrics } from './upstreamMetrics.ts'

const nodes: RpcNode[] = []
const timers: NodeJS.Timeout[] = []
afterEach(async () => {
  for (const timer of timers.splice(0)) clearTimeout(timer)
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function openPool(...behaviours: readonly RpcBehaviour[]) {
  const started = await Promise.all(behaviours.map(startRpcNode))
  nodes.push(...started)
  const time = { now: 0 }
  const registry = new Registry()
  const pool = createEndpointPool(
    started.map(({ url }) => url),
    { now: () => time.now },
    { chain: 'eip155:1', metrics: createUpstreamMetrics(registry) },
  )
  const counts = (): readonly number[] => started.map(({ requests }) => requests.length)
  return { pool, time, counts, readMetrics: () => registry.metrics() }
}

const read = { id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }
const send = { id: 1, jsonrpc: '2.0', method: 'eth_sendRawTransaction', params: ['0x02'] }
const respond = (request: unknown): object => ({ id: getField(request, 'id'), jsonrpc: '2.0', result: '0x1' })
const respondAtOnce: RpcBehaviour = (body) => (Array.isArray(body) ? body.map(respond) : respond(body))
const neverRespond: RpcBehaviour = () => undefined
const respondSlowly: RpcBehaviour = (body, response) => {
  timers.push(setTimeout(() => response.end(JSON.stringify(respondAtOnce(body, response))), 10_000))
  return undefined
}

test.each([
  ['never responds', neverRespond],
  ['responds after ten seconds', respondSlowly],
])('a read goes to a second endpoint while the first one %s, and later reads avoid the first', async (_how, behave) => {
  const { pool, time, counts, readMetrics } = await openPool((body, response) => {
    time.now += 1_000
    return behave(body, response)
  }, respondAtOnce)
  for (let each = 0; each < 4; each += 1) expect(await pool.request(read)).toMatchObject({ result: '0x1' })
  expect(counts()).toEqual([1, 4])
  expect(await readMetrics()).toContain('latchkey_upstream_hedges_total{chain="eip155:1",winner="second"} 1')
  expect(await readMetrics()).toContain(
    'latchkey_upstream_requests_total{chain="eip155:1",provider="endpoint 1",outcome="cancelled"} 1',
  )
})

test('the first endpoint may still win after the second one was asked', async () => {
  const held: (() => void)[] = []
  const { pool, counts, readMetrics } = await openPool(
    (body, response) => {
      held.push(() => response.end(JSON.stringify(respondAtOnce(body, response))))
      return undefined
    },
    () => {
      for (const respond of held.splice(0)) respond()
      return undefined
    },
  )
  expect(await pool.request(read)).toMatchObject({ result: '0x1' })
  expect(counts()).toEqual([1, 1])
  expect(await readMetrics()).toContain('winner="first"} 1')
})

test('additional requests are at most five per cent of all reads, plus one', async () => {
  const held: (() => void)[] = []
  const { pool, counts, readMetrics } = await openPool((body, response) => {
    held.push(() => response.end(JSON.stringify(respondAtOnce(body, response))))
    return undefined
  }, neverRespond)
  // Both endpoints are slow for all of these, and each request would like a second one.
  const pending = Array.from({ length: 60 }, () => pool.request(read))
  await expect.poll(() => counts()[1], { timeout: 30_000 }).toBe(1)
  await expect.poll(() => counts()[0], { timeout: 30_000 }).toBe(60)
  for (const respond of held.splice(0)) respond()
  await Promise.all(pending)
  expect(await readMetrics()).toContain('winner="first"} 1')
  expect(counts()).toEqual([60, 1])
})

test('a transaction is never sent to a second endpoint, however slow the first one is [P-02]', async () => {
  const held: (() => void)[] = []
  const { pool, counts } = await openPool((body, response) => {
    held.push(() => response.end(JSON.stringify(respondAtOnce(body, response))))
    return undefined
  }, respondAtOnce)
  const sent = pool.request(send, { once: true })
  // The delay of a transaction would have passed once this read has its response from the second endpoint.
  expect(await pool.request(read)).toMatchObject({ result: '0x1' })
  for (const each of held) each()
  expect(await sent).toMatchObject({ result: '0x1' })
  expect(counts()).toEqual([2, 1])
})

test(
  'requests that change the state of a node are not sent twice, even without `once`',
  { tags: 'abuse' },
  async () => {
    const { pool, counts } = await openPool((body, response) => {
      timers.push(setTimeout(() => response.end(JSON.stringify(respondAtOnce(body, response))), 1_500))
      return undefined
    }, respondAtOnce)
    await pool.request([
      { ...read, id: 1 },
      { ...read, id: 2, method: 'eth_newFilter', params: [{}] },
    ])
    expect(counts()[1]).toBe(0)
  },
)

test('an endpoint that responds with 429 and Retry-After gets no request until then', async () => {
  const refusing: RpcBehaviour = (_body, response) => void response.writeHead(429, { 'retry-after': '7' }).end()
  const { pool, time, counts, readMetrics } = await openPool(refusing, respondAtOnce)
  for (let each = 0; each < 3; each += 1) await pool.request(read)
  expect(counts()).toEqual([1, 3])
  time.now = 6_999
  await pool.request(read)
  expect(counts()[0]).toBe(1)
  expect(await readMetrics()).toContain('reason="rate-limited"} 3')
})

test('a chain whose only endpoint responds with 429 and Retry-After fails with the seconds to wait', async () => {
  const refusing: RpcBehaviour = (_body, response) => void response.writeHead(429, { 'retry-after': '7' }).end()
  const { pool, time, counts } = await openPool(refusing)
  await expect(pool.request(read)).rejects.toMatchObject({ name: 'UpstreamLimitError', retryAfterSeconds: 7 })
  time.now = 4_500
  await expect(pool.request(read)).rejects.toMatchObject({ retryAfterSeconds: 3 })
  expect(counts()).toEqual([1])
  time.now = 7_000
  await expect(pool.request(read)).rejects.toBeInstanceOf(UpstreamLimitError)
  expect(counts()).toEqual([2])
})

test('a hostile Retry-After disables an endpoint for five minutes at most', { tags: 'abuse' }, async () => {
  const hostile: RpcBehaviour = (_body, response) => void response.writeHead(429, { 'retry-after': '999999' }).end()
  const { pool, time, counts } = await openPool(hostile, respondAtOnce)
  await pool.request(read)
  time.now = 300_000
  await pool.request(send, { once: true }).catch(() => undefined)
  for (let each = 0; each < 2; each += 1) await pool.request(read)
  expect(pool.ranking().every(({ isAvailable }) => isAvailable)).toBe(true)
  expect(counts()).toEqual([1, 4])
})

test.each<[string, RpcBehaviour]>([
  ['garbage', (_body, response) => void response.end('\u0000\u0001{[')],
  ['a response with another id', () => ({ id: 2, jsonrpc: '2.0', result: '0xbad' })],
  ['a batch for a single request', () => [{ id: 1, jsonrpc: '2.0', result: '0xbad' }]],
  ['a response without result and error', () => ({ id: 1, jsonrpc: '2.0' })],
  ['an error that blames itself', () => ({ id: 1, jsonrpc: '2.0', error: { code: -32_603, message: 'oops' } })],
])('a response of the next endpoint is used if the first one sends %s [P-01]', async (_what, behave) => {
  const { pool, counts } = await openPool(behave, respondAtOnce)
  expect(await pool.request(read)).toMatchObject({ result: '0x1' })
  expect(counts()).toEqual([1, 1])
})
