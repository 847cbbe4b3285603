import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { TracingConfig } from '../kit/tracing/tracingVariables.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../kit/tracing/testing/startOtlpReceiver.ts'
import {
  connectRelayClient,
  createClientKey,
  signToken,
  startTestRedis,
  startTestServer,
  testProjectId,
  type TestServerOptions,
} from '../testing/index.ts'
import { startRpcNode } from '../testing/rpcNode.ts'

type TracedServer = Awaited<ReturnType<typeof startTestServer>>

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startReceiver(): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver()
  closers.push(receiver.close)
  return receiver
}

/** Starts a server that sends its traces to a receiver, at the latest when it is closed. */
async function startTraced(
  { url: endpoint }: Pick<OtlpReceiver, 'url'>,
  { tracing, ...options }: Omit<TestServerOptions, 'tracing'> & { tracing?: Partial<TracingConfig> } = {},
): Promise<TracedServer> {
  const config = { endpoint, headers: {}, serviceName: 'latchkey', share: 1, ...tracing }
  return startTestServer({ ...options, tracing: config })
}

const matchName =
  (name: string) =>
  (span: ReceivedSpan): boolean =>
    span.name === name

/** Names of spans with those of their parents. */
function formatTree(spans: readonly ReceivedSpan[]): readonly string[] {
  const nameOf = (id: string): string => spans.find(({ spanId }) => spanId === id)?.name ?? '-'
  return spans.map(({ name, parentSpanId }) => `${nameOf(parentSpanId)} > ${name}`).toSorted()
}

const canary = 'c0ffee'.repeat(10) + 'beef'

describe('a message over the relay', () => {
  test('has one trace: published, stored by a statement, and delivered', async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver)
    const key = createClientKey()
    const [dapp, wallet] = [
      await connectRelayClient(server.relayUrl, { key }),
      await connectRelayClient(server.relayUrl),
    ]
    await wallet.request('irn_subscribe', { topic: canary })
    const publish = (message: string) => dapp.request('irn_publish', { topic: canary, message, ttl: 300, tag: 1108 })
    // The subscription may read the first message from the mailbox, which does not store traces.
    await publish('first')
    await wallet.until(() => wallet.pushes.length === 1)
    await publish(`sealed ${canary}`)
    await wallet.until(() => wallet.pushes.length === 2)
    await Promise.all([dapp.close(), wallet.close()])
    await server.close()

    const second = receiver.spans.filter(matchName('relay publish')).at(-1)
    const spans = receiver.spans.filter(({ traceId }) => traceId === second?.traceId)
    // The statements that count the stored messages follow, as work that the publish started.
    expect(formatTree(spans).filter((each) => each.includes('relay '))).toEqual([
      '- > relay publish',
      'relay publish > relay deliver',
      'relay publish > relay store',
      ...formatTree(spans).filter((each) => each.startsWith('relay store > ')),
    ])
    expect(formatTree(spans)).toContain('relay store > relay: insert messages')
    const published = spans.find(matchName('relay publish'))
    expect(published?.attributes).toEqual({
      'messaging.system': 'walletconnect',
      'latchkey.relay.tag': 1108,
      'latchkey.relay.outcome': 'stored',
    })
    expect(receiver.resource()).toMatchObject({ 'service.name': 'latchkey', 'service.version': '0.1.0' })
    for (const secret of [canary, key.clientId, 'sealed', testProjectId]) expect(receiver.text()).not.toContain(secret)
  })

  test('that another process delivers has the same trace', async () => {
    const redis = await startTestRedis()
    closers.push(redis.close)
    const [ofOne, ofOther] = [await startReceiver(), await startReceiver()]
    const one = await startTraced(ofOne, { redisUrl: redis.url })
    const other = await startTraced(ofOther, { redisUrl: redis.url, databaseUrl: one.databaseUrl })
    const [dapp, wallet] = [await connectRelayClient(one.relayUrl), await connectRelayClient(other.relayUrl)]
    await wallet.request('irn_subscribe', { topic: canary })
    const publish = (message: string) => dapp.request('irn_publish', { topic: canary, message, ttl: 300, tag: 0 })
    // The subscription may read the first message from the mailbox, which does not store traces.
    await publish('first')
    await wallet.until(() => wallet.pushes.length === 1)
    await publish('the second')
    await wallet.until(() => wallet.pushes.length === 2)
    // Clients get the message without the trace.
    expect(wallet.frames.join('')).not.toContain('traceparent')
    await Promise.all([dapp.close(), wallet.close()])
    await other.close()
    await one.close()

    const published = ofOne.spans.filter(matchName('relay publish')).at(-1)
    const delivered = ofOther.spans.filter(matchName('relay deliver')).at(-1)
    expect(delivered).toMatchObject({ traceId: published?.traceId, parentSpanId: published?.spanId })
  })

  test('that is refused has its outcome, and one that fails is an error', async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver)
    const dapp = await connectRelayClient(server.relayUrl)
    const publish = (message: string) => dapp.request('irn_publish', { topic: canary, message, ttl: 300, tag: 1 })
    await publish('twice')
    await publish('twice')
    await dapp.close()
    await server.close()
    const outcomes = receiver.spans.filter(matchName('relay publish')).map(({ attributes }) => attributes)
    expect(outcomes.map((each) => each['latchkey.relay.outcome'])).toEqual(['stored', 'duplicate'])
  })
})

describe('a request over HTTP', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'

  test('continues the trace of its sender, with its statements and no path', async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver)
    const key = createClientKey()
    const token = signToken(key)
    const search = new URLSearchParams({ projectId: testProjectId, auth: token })
    const body = {
      id: 1,
      jsonrpc: '2.0',
      method: 'irn_publish',
      params: { topic: canary, message: 'x', ttl: 300, tag: 0 },
    }
    await fetch(`${server.url}/rpc?${search}`, {
      method: 'POST',
      headers: { traceparent: `00-${traceId}-${spanId}-01`, 'user-agent': `canary/${canary}` },
      body: JSON.stringify(body),
    })
    await fetch(`${server.url}/nothing/${canary}`)
    await server.close()

    const spans = receiver.spans.filter((span) => span.traceId === traceId)
    expect(formatTree(spans)).toEqual(
      expect.arrayContaining([
        '- > POST /rpc',
        'POST /rpc > relay publish',
        'relay publish > relay store',
        'relay store > relay: insert messages',
      ]),
    )
    const request = spans.find(matchName('POST /rpc'))
    expect(request?.parentSpanId).toBe(spanId)
    expect(request?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/rpc',
      'http.response.status_code': 200,
    })
    expect(receiver.spans.find(matchName('GET none'))?.attributes).toMatchObject({ 'http.response.status_code': 404 })
    for (const secret of [canary, token, key.clientId, testProjectId]) expect(receiver.text()).not.toContain(secret)
  })

  test('has the requests to the endpoints of the chain, by the name of the provider', async () => {
    const node = await startRpcNode((body) => ({ id: Reflect.get(Object(body), 'id'), jsonrpc: '2.0', result: '0x2a' }))
    closers.push(node.close)
    const receiver = await startReceiver()
    const chain = {
      caipNetworkId: 'eip155:31337' as const,
      name: 'Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [`${node.url}/key-${canary}`],
      tokens: [],
    }
    const server = await startTraced(receiver, { chains: [chain] })
    const body = { id: 7, jsonrpc: '2.0', method: 'eth_getBalance', params: [`0x${'ab'.repeat(20)}`, 'latest'] }
    const url = `${server.url}/v1?chainId=eip155:31337&projectId=${testProjectId}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    expect(await response.json()).toMatchObject({ result: '0x2a' })
    await server.close()

    const spans = receiver.traceOf(matchName('upstream request'))
    expect(formatTree(spans)).toContain('POST /v1 > upstream request')
    expect(spans.find(matchName('upstream request'))?.attributes).toMatchObject({
      'latchkey.chain': 'eip155:31337',
      'latchkey.provider': 'endpoint 1',
      'latchkey.outcome': 'ok',
    })
    for (const secret of [canary, 'ab'.repeat(20)]) expect(receiver.text()).not.toContain(secret)
  })

  test('is not recorded if its sender requests that', async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver)
    await fetch(`${server.url}/live`, { headers: { traceparent: `00-${traceId}-${spanId}-00` } })
    await fetch(`${server.url}/version`)
    await server.close()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['GET /version'])
  })

  test('is not recorded beyond the configured share, even if its sender requests it', async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver, { tracing: { share: 0 } })
    await fetch(`${server.url}/live`, { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
    await fetch(`${server.url}/live`)
    await server.close()
    expect(receiver.spans).toEqual([])
  })

  test.each(['', 'x', `00-${'0'.repeat(32)}-${spanId}-01`])(
    'with the header %j starts a trace of its own',
    { tags: 'abuse' },
    async (traceparent) => {
      const receiver = await startReceiver()
      const server = await startTraced(receiver)
      expect((await fetch(`${server.url}/live`, { headers: { traceparent } })).status).toBe(200)
      await server.close()
      expect(receiver.spans.find(matchName('GET /live'))?.parentSpanId).toBe('')
    },
  )
})

describe('the collector', () => {
  test('gets the configured headers', { tags: 'abuse' }, async () => {
    const receiver = await startReceiver()
    const server = await startTraced(receiver, { tracing: { headers: { authorization: 'Bearer collector' } } })
    await fetch(`${server.url}/live`)
    await server.close()
    expect(receiver.headers()[0]?.authorization).toBe('Bearer collector')
    expect(receiver.text()).not.toContain('Bearer collector')
  })

  test('may be unreachable: the server works and closes', { tags: 'abuse' }, async () => {
    const server = await startTraced({ url: 'http://127.0.0.1:1' })
    expect((await fetch(`${server.url}/live`)).status).toBe(200)
    await server.close()
  })
})

test('the variables are those of OpenTelemetry', () => {
  const { tracing } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret, x-tenant=one',
    OTEL_SERVICE_NAME: 'relay',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  })
  expect(tracing).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    headers: { authorization: 'Bearer secret', 'x-tenant': 'one' },
    serviceName: 'relay',
    share: 0.01,
  })
  expect(readConfig({}).tracing).toBeUndefined()
})

test('without the endpoint, the modules that record and send traces are not loaded', async () => {
  const entry = fileURLToPath(new URL('../main.ts', import.meta.url))
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    conditions: ['source'],
    write: false,
    metafile: true,
  })
  const loaded = new Set<string>()
  const queue = Object.keys(metafile.inputs).filter((path) => path.endsWith('server/src/main.ts'))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (loaded.has(path)) continue
    loaded.add(path)
    const imports = metafile.inputs[path]?.imports ?? []
    queue.push(...imports.filter(({ kind }) => kind !== 'dynamic-import').map((each) => each.path))
  }
  expect([...loaded].some((path) => path.endsWith('kit/tracing/traceRequests.ts'))).toBe(true)
  expect([...loaded].filter((path) => /kit\/tracing\/(openTracing|otlpExporter|traceContext)/.test(path))).toEqual([])
})
