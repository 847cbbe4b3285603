import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { createRpcResponder, type RpcResponder } from './rpcResponder.ts'

let node: RpcNode
afterEach(() => node.close())

type Item = { id: number; method: string; params: readonly unknown[] }

const createRpcRequest = (method: string, params: readonly unknown[], id: number) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const createBalanceRequest = (address: string, id: number) =>
  createRpcRequest('eth_getBalance', [address, 'latest'], id)
const respondToItem = ({ id, params }: Item): object => ({ jsonrpc: '2.0', id, result: `of ${String(params[0])}` })
const respondToAll: RpcBehaviour = (body) =>
  Array.isArray(body) ? (body as Item[]).map(respondToItem) : respondToItem(body as Item)

async function open(behave: RpcBehaviour): Promise<{ chain: Chain; responder: RpcResponder }> {
  node = await startRpcNode(behave)
  const chain: Chain = {
    caipNetworkId: 'eip155:1',
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [node.url],
    tokens: [],
  }
  return { chain, responder: createRpcResponder({ pools: createEndpointPools(systemClock), clock: systemClock }) }
}

test('identical concurrent requests of several clients reach the node once', async () => {
  const { chain, responder } = await open(respondToAll)
  const responses = await Promise.all([5, 6, 7].map((id) => responder.respond(chain, createBalanceRequest('0xa', id))))
  expect(responses).toEqual([5, 6, 7].map((id) => ({ jsonrpc: '2.0', id, result: 'of 0xa' })))
  expect(node.requests.length).toBe(1)
  await responder.respond(chain, createBalanceRequest('0xa', 8))
  expect(node.requests.length).toBe(2)
})

test('a batch reaches the node as one batch without duplicates and without requests that need no node', async () => {
  const { chain, responder } = await open(respondToAll)
  const items = [
    createBalanceRequest('0xa', 1),
    createRpcRequest('eth_chainId', [], 2),
    createBalanceRequest('0xb', 3),
    createBalanceRequest('0xa', 4),
  ]
  expect(await responder.respondAll(chain, items)).toEqual([
    { jsonrpc: '2.0', id: 1, result: 'of 0xa' },
    { jsonrpc: '2.0', id: 2, result: '0x1' },
    { jsonrpc: '2.0', id: 3, result: 'of 0xb' },
    { jsonrpc: '2.0', id: 4, result: 'of 0xa' },
  ])
  expect(node.requests.map((each) => (each as Item[]).length)).toEqual([2])
})

test('requests of a batch are sent alone if the node refuses it or responds only to a part of it', async () => {
  const { chain, responder } = await open((body) => {
    if (!Array.isArray(body)) return respondToItem(body as Item)
    return body.length > 2
      ? { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'too many' } }
      : (body as Item[]).slice(0, 1).map(respondToItem)
  })
  for (const addresses of [
    ['0xa', '0xb', '0xc'],
    ['0xd', '0xe'],
  ]) {
    const responses = await responder.respondAll(
      chain,
      addresses.map((address, id) => createBalanceRequest(address, id)),
    )
    expect(responses).toEqual(addresses.map((address, id) => ({ jsonrpc: '2.0', id, result: `of ${address}` })))
  }
})

test('a transaction and a filter are never shared', async () => {
  const { chain, responder } = await open(respondToAll)
  const filter = (id: number) => createRpcRequest('eth_newFilter', [{}], id)
  const send = (id: number) => createRpcRequest('eth_sendRawTransaction', ['0x02'], id)
  await Promise.all([filter(1), filter(2), send(3), send(4)].map((each) => responder.respond(chain, each)))
  expect(node.requests.filter((each) => (each as Item).method === 'eth_sendRawTransaction').length).toBe(2)
  expect(node.requests.filter((each) => (each as Item).method === 'eth_newFilter').length).not.toBe(1)
})
