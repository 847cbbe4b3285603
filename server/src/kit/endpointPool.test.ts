import { afterEach, expect, test } from 'vitest'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../testing/rpcNode.ts'
import { createEndpointPool } from './endpointPool.ts'
import { NoEndpoint } from './rpc.ts'

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
  const ask = (options?: { once?: boolean }): Promise<unknown> =>
    pool.ask({ id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }, options)
  return { nodes: started, pool, ask, pass: (by: number) => void (now += by) }
}

const well: RpcBehaviour = () => ({ id: 1, jsonrpc: '2.0', result: '0x1' })
const badly: RpcBehaviour = (_body, response) => void response.writeHead(500).end()

test('asks the endpoint that answered before the one that did not, and the slow one later [R7.3.1] [R9.5.6]', async () => {
  const slow: { pass?: (by: number) => void } = {}
  const world = await poolOf(
    badly,
    (body, response) => {
      slow.pass?.(900)
      return well(body, response)
    },
    well,
  )
  slow.pass = world.pass
  for (let each = 0; each < 3; each += 1) await world.ask()
  const urls = world.nodes.map(({ url }) => url)
  expect(world.pool.standings().map(({ url }) => urls.indexOf(url))).toEqual([2, 1, 0])
})

test('leaves an endpoint alone that fails half of the time, and tries it once after five seconds [P-03]', async () => {
  let broken = true
  const world = await poolOf((body, response) => (broken ? badly(body, response) : well(body, response)))
  const [node] = world.nodes
  for (let each = 0; each < 25; each += 1) await world.ask().catch(() => undefined)
  expect(node?.asked).toHaveLength(20)
  world.pass(4_999)
  await expect(world.ask()).rejects.toBeInstanceOf(NoEndpoint)
  world.pass(1)
  await Promise.allSettled([world.ask(), world.ask()])
  expect(node?.asked).toHaveLength(21)
  broken = false
  world.pass(5_000)
  expect(await world.ask()).toMatchObject({ result: '0x1' })
  expect(await Promise.all([world.ask(), world.ask()])).toHaveLength(2)
})

test('asks one endpoint, once, for what must not be done twice', async () => {
  const world = await poolOf(badly, well)
  await expect(world.ask({ once: true })).rejects.toBeInstanceOf(NoEndpoint)
  expect(world.nodes.map(({ asked }) => asked.length)).toEqual([1, 0])
})
