import { afterEach, expect, test } from 'vitest'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { createEndpointPool } from './endpointPool.ts'
import { NoEndpointError } from './postJsonRpc.ts'

const nodes: RpcNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function poolOf(...behaviours: readonly RpcBehaviour[]) {
  const started = await Promise.all(behaviours.map(startRpcNode))
  nodes.push(...started)
  let now = 0
  const pool = createEndpointPool(
    started.map(({ url }) => url),
    { now: () => now },
  )
  const request = (options?: { once?: boolean }): Promise<unknown> =>
    pool.request({ id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }, options)
  return { nodes: started, pool, request, pass: (by: number) => void (now += by) }
}

const respondNormally: RpcBehaviour = () => ({ id: 1, jsonrpc: '2.0', result: '0x1' })
const respondWithError: RpcBehaviour = (_body, response) => void response.writeHead(500).end()

test('the pool prefers a responsive endpoint over a failed one, and a fast one over a slow one [R7.3.1] [R9.5.6]', async () => {
  const slow: { pass?: (by: number) => void } = {}
  const world = await poolOf(
    respondWithError,
    (body, response) => {
      slow.pass?.(900)
      return respondNormally(body, response)
    },
    respondNormally,
  )
  slow.pass = world.pass
  for (let each = 0; each < 3; each += 1) await world.request()
  const urls = world.nodes.map(({ url }) => url)
  expect(world.pool.ranking().map(({ url }) => urls.indexOf(url))).toEqual([2, 1, 0])
})

test('the pool skips an endpoint that fails half of the time and retries it once after five seconds [P-03]', async () => {
  let broken = true
  const world = await poolOf((body, response) =>
    broken ? respondWithError(body, response) : respondNormally(body, response),
  )
  const [node] = world.nodes
  for (let each = 0; each < 25; each += 1) await world.request().catch(() => undefined)
  expect(node?.requests).toHaveLength(20)
  world.pass(4_999)
  await expect(world.request()).rejects.toBeInstanceOf(NoEndpointError)
  world.pass(1)
  await Promise.allSettled([world.request(), world.request()])
  expect(node?.requests).toHaveLength(21)
  broken = false
  world.pass(5_000)
  expect(await world.request()).toMatchObject({ result: '0x1' })
  expect(await Promise.all([world.request(), world.request()])).toHaveLength(2)
})

test('the pool sends a non-idempotent request once, to one endpoint', async () => {
  const world = await poolOf(respondWithError, respondNormally)
  await expect(world.request({ once: true })).rejects.toBeInstanceOf(NoEndpointError)
  expect(world.nodes.map(({ requests }) => requests.length)).toEqual([1, 0])
})
