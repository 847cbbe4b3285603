import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeNetwork } from '@latchkey/core/fakes'
import type { Network } from '@latchkey/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { listServiceChecks, type ServiceState } from './listServiceChecks.ts'
import type { SiteConfig } from './siteConfig.ts'

type Reply = { status?: number; body: unknown }

/** Serves replies by path, and RPC results by method. */
async function serve(replies: Readonly<Record<string, Reply>>): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const text = (await request.toArray()).join('')
    const method = text === '' ? undefined : String((JSON.parse(text) as { method: unknown }).method)
    requests.push(method ?? String(request.url))
    const { status = 200, body } = replies[method ?? String(request.url)] ?? { status: 404, body: '' }
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function createNetwork(namespace: Network['chainNamespace'], url: string): Network {
  return { ...fakeNetwork({ namespace }), name: namespace, rpcUrls: { default: { http: [url] } } }
}

async function statesOf(config: Partial<SiteConfig>): Promise<Record<string, ServiceState | string>> {
  const groups = listServiceChecks({
    projectId: 'ab',
    server: 'http://127.0.0.1:1',
    relay: 'ws://127.0.0.1:1',
    wallet: 'http://127.0.0.1:1',
    networks: [],
    tokens: [],
    ...config,
  })
  const checks = groups.flatMap(({ title, checks }) => checks.map((check) => ({ title, check })))
  const states = checks
    .filter(({ check }) => check.name !== 'Relay')
    .map(async ({ title, check }) => {
      const state = await check.probe(AbortSignal.timeout(5_000)).catch((error: unknown) => String(error))
      return [`${title}: ${check.name}`, state] as const
    })
  return Object.fromEntries(await Promise.all(states))
}

test('networks report their height in the protocol of their namespace', async () => {
  const { url } = await serve({
    eth_blockNumber: { body: { result: '0x4d2' } },
    getSlot: { body: { result: 447_552_000 } },
    '/blocks/tip/height': { body: '840000' },
    system_chain: { body: { result: 'Polkadot Local' } },
  })
  const namespaces = ['eip155', 'solana', 'bip122', 'polkadot'] as const
  const states = await statesOf({ networks: namespaces.map((namespace) => createNetwork(namespace, url)) })
  expect(states).toMatchObject({
    'Networks: eip155': { status: 'up', detail: 'Block 1,234' },
    'Networks: solana': { status: 'up', detail: 'Slot 447,552,000' },
    'Networks: bip122': { status: 'up', detail: 'Block 840,000' },
    'Networks: polkadot': { status: 'up', detail: 'Responds as Polkadot Local' },
  })
})

test.each([
  ['no result', { body: { error: { code: -32_601 } } }],
  ['a result that is not a height', { body: { result: 'NaN' } }],
  ['an object', { body: { result: {} } }],
  ['text', { body: '<html>' }],
  ['HTTP status 500', { status: 500, body: { result: '0x1' } }],
])('a network that responds with %s is down', async (_, reply) => {
  const { url } = await serve({ eth_blockNumber: reply })
  expect(await statesOf({ networks: [createNetwork('eip155', url)] })).toMatchObject({
    'Networks: eip155': expect.stringMatching(/Error/),
  })
})

test('services and index come from one health request', async () => {
  const { caipNetworkId: chain } = fakeNetwork()
  const health = { services: ['api', 'auth'], index: [{ chain, head: 990, target: 1_200, failing: false }] }
  const { url, requests } = await serve({ '/health': { body: health } })
  const states = await statesOf({ server: url, networks: [{ ...fakeNetwork(), name: 'One' }] })
  expect(states).toMatchObject({
    'Server: Data service': { status: 'up', detail: 'Running' },
    'Server: Auth service': { status: 'up', detail: 'Running' },
    'Server: Share store': { status: 'waiting', detail: 'Runs at another address' },
    'Indexer: One': { status: 'waiting', detail: '210 blocks behind' },
  })
  expect(requests.filter((path) => path === '/health')).toHaveLength(1)
})

test('the auth service and the share store are checked at their own addresses', async () => {
  const { url } = await serve({ '/health': { body: { services: ['api'] } } })
  const auth = await serve({ '/health': { body: { services: ['auth'] } } })
  const states = await statesOf({ server: url, auth: auth.url, shares: 'http://127.0.0.1:1' })
  expect(states).toMatchObject({
    'Server: Data service': { status: 'up', detail: 'Running' },
    'Server: Auth service': { status: 'up', detail: 'Running' },
    'Server: Share store': expect.stringMatching(/TypeError/),
  })
  expect(auth.requests).toEqual(['/health'])
})

test.each([
  [
    { head: 1_200, target: 1_200, failing: false },
    { status: 'up', detail: 'Current at block 1,200' },
  ],
  [
    { head: 1_195, target: 1_200, failing: false },
    { status: 'up', detail: 'Current at block 1,195' },
  ],
  [
    { head: 1_000, target: 1_200, failing: true },
    { status: 'down', detail: 'Stopped at block 1,000' },
  ],
])('an index at %j is shown as %j', async (progress, state) => {
  const { caipNetworkId: chain, name } = fakeNetwork()
  const { url } = await serve({ '/health': { body: { services: [], index: [{ chain, ...progress }] } } })
  expect(await statesOf({ server: url, networks: [fakeNetwork()] })).toMatchObject({ [`Indexer: ${name}`]: state })
})

test('frame, mail and bundler are checked if they are configured', async () => {
  const { url } = await serve({
    '/manifest.json': { body: '{}' },
    '/health': { body: 'OK' },
    '/bundler/1': { body: { status: 'stopped' } },
  })
  expect(await statesOf({ frame: url, mailbox: url, bundler: `${url}/bundler/1` })).toMatchObject({
    'Embedded wallet: Frame': { status: 'up', detail: 'Serves the wallet' },
    'Embedded wallet: Mail': { status: 'up', detail: 'Accepts mail' },
    'Embedded wallet: Bundler': { status: 'waiting', detail: 'Starts with the first request' },
  })
  expect(Object.keys(await statesOf({})).filter((name) => name.startsWith('Embedded'))).toEqual([])
})
