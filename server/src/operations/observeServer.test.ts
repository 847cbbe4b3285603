import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { connectRelayClient, createClientKey, relayAddress, testProjectId } from '../testing/relayClient.ts'

const token = randomBytes(16).toString('hex')
const registry = new Registry()
const chain = {
  caipNetworkId: 'eip155:1',
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1/key-canary'],
  tokens: [],
  index: { from: 0 },
}
let databases: readonly TestPostgres[] = []
let folder = ''
let server: RunningServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-metrics-'))
  databases = await Promise.all([1, 2, 3].map(() => createTestDatabase()))
  const [own, auth, shares] = databases
  const config = readConfig({
    PORT: '0',
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATABASE_URL: own?.url,
    AUTH_DATABASE_URL: auth?.url,
    SHARES_DATABASE_URL: shares?.url,
    MAIL_URL: 'smtp://127.0.0.1:1',
    DATA_DIR: folder,
    CHAINS: JSON.stringify([chain]),
    PUSH_CONTACT: 'mailto:push@example.org',
    METRICS_PORT: '0',
    METRICS_TOKEN: token,
  })
  server = await startServer(config, { metrics: registry })
})

afterAll(async () => {
  await server.close()
  await Promise.all(databases.map((database) => database.close()))
  await rm(folder, { recursive: true, force: true })
})

/** The samples of a scrape by name and labels. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(server.metricsUrl ?? '', { headers: { authorization: `Bearer ${token}` } })
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

/** Reads the name and description of a registered metric. The types of the library lack the labels. */
function describeMetric(metric: object): { name: string; type: string; labels: string; help: string } {
  const read = (key: string): string => String(Reflect.get(metric, key))
  return {
    name: read('name'),
    type: read('type'),
    labels: read('labelNames').replaceAll(',', ', '),
    help: read('help'),
  }
}

const listOwnMetrics = (): ReturnType<typeof describeMetric>[] =>
  registry
    .getMetricsAsArray()
    .map(describeMetric)
    .filter(({ name }) => name.startsWith('latchkey_'))
    .toSorted((one, other) => one.name.localeCompare(other.name))

test('docs/metrics.md lists the metrics of a server with all services', async () => {
  // `npx vitest run --project server --update server/src/operations/observeServer.test.ts` writes the file.
  const rows = listOwnMetrics().map(
    ({ name, type, labels, help }) => `- \`${name}${labels && `{${labels}}`}\` (${type}): ${help}`,
  )
  const page = `# Metrics

The metrics of \`GET /metrics\`, see [operations](operate.md#monitoring). A test compares this list with a running server. Names that
begin with \`process_\` and \`nodejs_\` are the usual ones of the process: processor time, memory, descriptors, garbage collection.

No label has a client, an address, a user, a topic or a project, and no client can create a label value. Counters are of one process: sum
them over all processes. Gauges of the database, whose names contain \`_database_table_\`, \`_undelivered_\` or \`_stored_\`, are the same
in every process: take their maximum.

${rows.join('\n')}
`
  await expect(page).toMatchFileSnapshot('../../../docs/metrics.md')
})

describe('access', () => {
  test.each([undefined, 'Bearer wrong', `Basic ${token}`, `Bearer ${token} `.repeat(2)])(
    'a scraper with the authorization %j gets 401 and no metrics',
    async (authorization) => {
      const headers = new Headers(authorization === undefined ? [] : [['authorization', authorization]])
      const response = await fetch(server.metricsUrl ?? '', { headers })
      expect(response.status).toBe(401)
      expect(await response.text()).toBe('')
    },
  )

  test('the public port serves no metrics', async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(404)
  })
})

describe('the page of the operator', () => {
  const pageUrl = (): string => (server.metricsUrl ?? '').replace('/metrics', '/')
  const basic = (password: string): string => `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`

  test('has clients, rates, waiting messages, the index, limits and the error budget, and no script', async () => {
    const get = (): Promise<Response> => fetch(pageUrl(), { headers: { authorization: basic(token) } })
    await get()
    const client = await connectRelayClient(server.relayUrl)
    const message = { topic: 'cd'.repeat(32), message: 'm', ttl: 300, tag: 0 }
    await client.request('irn_publish', message)
    const response = await get()
    const html = await response.text()
    await client.close()
    for (const caption of [
      'Health',
      'Clients',
      'Messages',
      'Index',
      'Limits and abuse',
      'Error budget since the start',
    ]) {
      expect(html).toContain(`<caption>${caption}</caption>`)
    }
    expect(html).toMatch(/<th scope="row">Open connections<\/th><td>[1-9]\d*<\/td>/)
    expect(html).toMatch(/<th scope="row">stored<\/th><td>[1-9]\d*<\/td><td>\d+\.\d<\/td>/)
    expect(html).toContain('eip155:1')
    expect(html).not.toMatch(/<script|canary/)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([undefined, basic('wrong'), basic(''), 'Basic', `Basic ${token}`])(
    'is closed to a browser with the authorization %j, which is asked for a password',
    async (authorization) => {
      const headers = new Headers(authorization === undefined ? [] : [['authorization', authorization]])
      const response = await fetch(pageUrl(), { headers })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Latchkey"'])
    },
  )
})

describe('the relay', () => {
  test('publishes, deliveries, refusals and waiting messages are counted', async () => {
    const before = await scrape()
    const topic = randomBytes(32).toString('hex')
    const receiver = await connectRelayClient(server.relayUrl, { acknowledges: true })
    const publisher = await connectRelayClient(server.relayUrl)
    await receiver.request('irn_subscribe', { topic })
    const message = { topic, message: 'one', ttl: 300, tag: 0 }
    await publisher.request('irn_publish', message)
    await publisher.request('irn_publish', message)
    await publisher.request('irn_publish', { ...message, ttl: 0 })
    await publisher.request('no_such_method', {})
    await receiver.until(() => receiver.messages().includes('one'))
    // Frames are processed in their order: this one is behind the acknowledgement.
    await receiver.request('irn_fetchMessages', { topic })
    const after = await scrape()
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)

    expect(after.get('latchkey_relay_connections')).toBe(2)
    expect(grown('latchkey_relay_connections_accepted_total')).toBe(2)
    expect(grown('latchkey_relay_messages_total{result="stored"}')).toBe(1)
    expect(grown('latchkey_relay_messages_total{result="duplicate"}')).toBe(1)
    expect(grown('latchkey_relay_requests_total{method="irn_publish",result="ok"}')).toBe(2)
    expect(grown('latchkey_relay_requests_total{method="irn_publish",result="other"}')).toBe(1)
    expect(grown('latchkey_relay_requests_total{method="other",result="other"}')).toBe(1)
    expect(grown('latchkey_relay_store_seconds_count')).toBe(2)
    expect(grown('latchkey_relay_group_messages_count')).toBeGreaterThan(0)
    expect(grown('latchkey_relay_deliveries_total{step="sent"}')).toBe(1)
    expect(grown('latchkey_relay_deliveries_total{step="acknowledged"}')).toBe(1)
    // The receiver may still have read its mailbox when the first message arrived.
    let number = 0
    const publishAgain = async (): Promise<number> => {
      await publisher.request('irn_publish', { ...message, message: `again ${(number += 1)}` })
      return (await scrape()).get('latchkey_relay_delivery_seconds_count') ?? 0
    }
    await expect.poll(publishAgain).toBeGreaterThan(0)
    expect(after.get('latchkey_relay_faults_total')).toBe(0)
    await Promise.all([receiver.close(), publisher.close()])
  })

  test('a refused connection is counted by its reason', async () => {
    await expect(connectRelayClient(server.relayUrl, { token: 'x' })).rejects.toThrow('401')
    await expect(connectRelayClient(server.relayUrl, { projectId: 'x' })).rejects.toThrow('401')
    const samples = await scrape()
    expect(samples.get('latchkey_relay_connections_refused_total{reason="InvalidJwt"}')).toBe(1)
    expect(samples.get('latchkey_relay_connections_refused_total{reason="ProjectNotFound"}')).toBe(1)
  })
})

test('the state that all services share is reported', async () => {
  await scrape()
  await expect.poll(async () => (await scrape()).has('latchkey_database_table_rows{table="relay_message"}')).toBe(true)
  const samples = await scrape()
  expect(samples.get('latchkey_database_up')).toBe(1)
  expect(samples.get('latchkey_bus_up')).toBe(1)
  expect(samples.get('latchkey_limiter_store_up')).toBe(1)
  expect(samples.get('latchkey_service{service="shares"}')).toBe(1)
  expect(samples.get('latchkey_index_failing{chain="eip155:1"}')).toBeDefined()
  expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0)
})

/** Sends a request whose method and path `fetch` would refuse or clean. */
function sendRaw(path: string, method: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(server.url + path, { method }, (response) => response.resume().once('end', resolve))
    sent.once('error', reject)
    sent.end()
  })
}

test('no client can create a series, and no metric has a secret or a name of a client', async () => {
  const canary = 'canary0123456789'
  // All series that exist without a hostile client.
  await fetch(`${server.url}/nothing`)
  await sendRaw('/nothing', 'PROPFIND')
  await fetch(`${server.url}/v1?chainId=eip155:1&projectId=${testProjectId}`, { method: 'POST', body: '{' })
  await fetch(`${server.url}/auth/v1/codes`, { method: 'POST', body: '{}' })
  const client = await connectRelayClient(server.relayUrl)
  await client.request('none', {})
  const before = new Set((await scrape()).keys())

  for (let index = 0; index < 20; index += 1) {
    await fetch(`${server.url}/${canary}/${index}`)
    await sendRaw(`/${canary}${index}?projectId=${canary}`, ['LOCK', 'MKCOL', 'SUBSCRIBE'][index % 3] ?? 'LOCK')
    await client.request(`${canary}_${index}`, { topic: canary })
    const query = `chainId=eip155:1&projectId=${canary}${index}`
    await fetch(`${server.url}/v1?${query}`, { method: 'POST', body: `{"method":"${canary}${index}"}` })
    await fetch(`${server.url}/auth/v1/codes`, { method: 'POST', body: `{"email":"${canary}${index}@example.org"}` })
    const url = relayAddress(server.relayUrl, {
      key: createClientKey(),
      token: `${canary}.${index}`,
      projectId: canary,
    })
    await fetch(url.replace('ws', 'http'), { method: 'POST', body: canary })
  }
  await client.close()
  const added = [...(await scrape()).keys()].filter((name) => !before.has(name))
  expect(added.filter((name) => name.includes(canary))).toEqual([])
  // The status of a route may be new, and nothing else.
  expect(added.filter((name) => !/^latchkey_http_(requests_total|request_seconds)/.test(name))).toEqual([])
  expect(added.length).toBeLessThan(30)
  expect([...before].filter((name) => name.includes('canary'))).toEqual([])
})
