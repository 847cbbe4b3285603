import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  createTestDatabase,
  startTestServer,
  testProjectId,
  type RelayClient,
  type RelayClientOptions,
  type TestServerOptions,
} from '../../testing/index.ts'
import { freePort } from '../../kit/runtime/freePort.ts'
import type { Upstream } from './bridgeVariables.ts'

/** Timeout for a loaded machine. Normally, these operations take milliseconds. */
const soon = { timeout: 60_000 }

type Server = Awaited<ReturnType<typeof startTestServer>>

const closing: Array<() => Promise<void>> = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(options: TestServerOptions = {}): Promise<Server> {
  const server = await startTestServer(options)
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await server.close()
    isOpen = false
  }
  closing.push(close)
  return { ...server, close }
}

/** A database that outlives the servers on it. */
async function createBridgeDatabase(): Promise<string> {
  const database = await createTestDatabase()
  closing.push(database.close)
  return database.url
}

function createUpstream({ relayUrl: url }: { relayUrl: string }): Upstream {
  return { url, projectId: testProjectId, origin: undefined, lingerSeconds: 600 }
}

async function connect(server: Server, options?: RelayClientOptions): Promise<RelayClient> {
  const client = await connectRelayClient(server.relayUrl, options)
  closing.push(() => client.close())
  return client
}

const newTopic = (): string => randomBytes(32).toString('hex')

async function listen(client: RelayClient, topic: string): Promise<void> {
  expect(await client.request('irn_subscribe', { topic })).toHaveProperty('result')
}

async function publish(client: RelayClient, topic: string, message: string, change: object = {}): Promise<void> {
  const response = await client.request('irn_publish', { topic, message, ttl: 300, tag: 1108, ...change })
  expect(response.result).toBe(true)
}

async function getUpstreamStatus({ url }: Server): Promise<unknown> {
  // The health of one of our servers.
  return ((await (await fetch(`${url}/health`)).json()) as { upstream?: unknown }).upstream
}

async function waitUntilConnected(server: Server): Promise<void> {
  await expect.poll(() => getUpstreamStatus(server), soon).toBe('connected')
}

/** Waits until all messages that were sent before have arrived, and returns them. */
async function listDeliveredMessages(
  client: RelayClient,
  from: RelayClient,
  topic: string,
): Promise<readonly string[]> {
  const last = `last ${randomBytes(8).toString('hex')}`
  await publish(from, topic, last)
  await client.until(() => client.messages().includes(last))
  return client.messages().filter((message) => !message.startsWith('last '))
}

test('the bridge forwards messages both ways with tag and attestation, and echoes none', async () => {
  const upstream = await start()
  const ours = await start({ upstream: createUpstream(upstream) })
  const [dapp, wallet, topic] = [await connect(ours), await connect(upstream), newTopic()]
  await Promise.all([listen(dapp, topic), listen(wallet, topic)])

  await publish(dapp, topic, 'ask', { attestation: 'who' })
  await wallet.until(() => wallet.pushes.length === 1)
  expect(wallet.pushes[0]?.params.data).toMatchObject({ topic, message: 'ask', tag: 1108, attestation: 'who' })

  await publish(wallet, topic, 'answer', { tag: 1109 })
  await dapp.until(() => dapp.pushes.length === 1)
  expect(dapp.pushes[0]?.params.data).toMatchObject({ topic, message: 'answer', tag: 1109, attestation: '' })

  expect(await listDeliveredMessages(wallet, dapp, topic)).toEqual(['ask'])
  expect(await listDeliveredMessages(dapp, wallet, topic)).toEqual(['answer'])
})

test('a wallet receives messages published before it subscribed', { tags: 'faults' }, async () => {
  const upstream = await start()
  const ours = await start({ upstream: createUpstream(upstream) })
  const [dapp, topic] = [await connect(ours), newTopic()]
  await publish(dapp, topic, 'proposal', { tag: 1100 })
  await waitUntilConnected(ours)
  const wallet = await connect(upstream)
  await listen(wallet, topic)
  await wallet.until(() => wallet.pushes.length > 0)
  expect(wallet.messages()).toEqual(['proposal'])
})

test('a dapp receives messages published upstream while it was offline, once', { tags: 'faults' }, async () => {
  const upstream = await start()
  const ours = await start({ upstream: createUpstream(upstream) })
  const [key, wallet, topic] = [createClientKey(), await connect(upstream), newTopic()]
  const dapp = await connect(ours, { key })
  await listen(dapp, topic)
  await dapp.close()
  await publish(wallet, topic, 'answer')
  const again = await connect(ours, { key })
  await listen(again, topic)
  await again.until(() => again.messages().includes('answer'))
  expect(await listDeliveredMessages(again, wallet, topic)).toEqual(['answer'])
})

test(
  'the bridge stores messages during an upstream outage and sends them in order and once afterwards',
  { tags: 'faults' },
  async () => {
    const [databaseUrl, port] = [await createBridgeDatabase(), await freePort()]
    const upstream = await start({ databaseUrl, port })
    const ours = await start({ upstream: createUpstream(upstream) })
    const [dapp, topic] = [await connect(ours), newTopic()]
    await listen(dapp, topic)
    await waitUntilConnected(ours)
    await upstream.close()
    await expect.poll(() => getUpstreamStatus(ours), soon).toBe('reconnecting')
    for (const message of ['one', 'two', 'three']) await publish(dapp, topic, message)

    const wallet = await connect(await start({ databaseUrl, port }))
    await listen(wallet, topic)
    await wallet.until(() => wallet.pushes.length === 3)
    await publish(wallet, topic, 'answer')
    await dapp.until(() => dapp.messages().includes('answer'))
    expect(await listDeliveredMessages(wallet, dapp, topic)).toEqual(['one', 'two', 'three'])
  },
)

test('the bridge sends unsent messages after a restart, in order and once', { tags: 'faults' }, async () => {
  const [databaseUrl, port] = [await createBridgeDatabase(), await freePort()]
  const absent = createUpstream({ relayUrl: `ws://127.0.0.1:${port}/relay` })
  const first = await start({ databaseUrl, upstream: absent })
  const [dapp, topic] = [await connect(first), newTopic()]
  const messages = Array.from({ length: 40 }, (_, index) => `message ${index}`)
  for (const message of messages) await publish(dapp, topic, message)
  await first.close()

  const wallet = await connect(await start({ port }))
  await listen(wallet, topic)
  await start({ databaseUrl, upstream: absent })
  await wallet.until(() => wallet.pushes.length === messages.length)
  expect(wallet.messages()).toEqual(messages)
})

test('the bridge does not resend delivered messages after a restart', { tags: 'faults' }, async () => {
  const [databaseUrl, upstream, topic] = [await createBridgeDatabase(), await start(), newTopic()]
  const first = await start({ databaseUrl, upstream: createUpstream(upstream) })
  const wallet = await connect(upstream)
  await listen(wallet, topic)
  await publish(await connect(first), topic, 'before')
  await wallet.until(() => wallet.messages().includes('before'))
  await first.close()
  // An upstream with an empty database would accept it as a new message.
  const other = await start()
  const second = await start({ databaseUrl, upstream: createUpstream(other) })
  const otherWallet = await connect(other)
  await listen(otherWallet, topic)
  expect(await listDeliveredMessages(otherWallet, await connect(second), topic)).toEqual([])
})

test(
  'two processes on one database connect upstream as one client and duplicate no message',
  { tags: 'faults' },
  async () => {
    const [databaseUrl, upstream] = [await createBridgeDatabase(), await start()]
    const processes = [
      await start({ databaseUrl, upstream: createUpstream(upstream) }),
      await start({ databaseUrl, upstream: createUpstream(upstream) }),
    ]
    await Promise.all(processes.map(waitUntilConnected))
    const [wallet, topic] = [await connect(upstream), newTopic()]
    await listen(wallet, topic)
    const dapps = await Promise.all(processes.map((server) => connect(server)))
    for (const dapp of dapps) await listen(dapp, topic)
    for (const [index, dapp] of dapps.entries()) {
      await publish(dapp, topic, `ask ${index}`)
      expect(await listDeliveredMessages(wallet, dapp, topic)).toHaveLength(index + 1)
    }
    expect(wallet.messages().filter((message) => message.startsWith('ask'))).toEqual(['ask 0', 'ask 1'])
  },
)

test(
  'a process keeps its upstream subscription when the last subscriber of another process unsubscribes',
  { tags: 'faults' },
  async () => {
    const [databaseUrl, upstream] = [await createBridgeDatabase(), await start()]
    const ours = await start({ databaseUrl, upstream: createUpstream(upstream) })
    const other = await start({ databaseUrl, upstream: createUpstream(upstream) })
    const [dapp, leaving, wallet, topic] = [
      await connect(ours),
      await connect(other),
      await connect(upstream),
      newTopic(),
    ]
    await Promise.all([listen(dapp, topic), listen(leaving, topic)])
    await leaving.request('irn_unsubscribe', { topic, id: '' })
    await publish(wallet, topic, 'answer')
    await dapp.until(() => dapp.pushes.length > 0)
    expect(dapp.messages()).toEqual(['answer'])
  },
)

test('two relays that are each other’s upstream forward no message in a loop', { tags: 'faults' }, async () => {
  const ports = [await freePort(), await freePort()] as const
  const at = (port: number): Upstream => createUpstream({ relayUrl: `ws://127.0.0.1:${port}/relay` })
  const one = await start({ port: ports[0], upstream: at(ports[1]) })
  const other = await start({ port: ports[1], upstream: at(ports[0]) })
  await Promise.all([one, other].map(waitUntilConnected))
  const [dapp, wallet, watcher] = [await connect(one), await connect(other), await connect(other)]
  const topic = newTopic()
  await Promise.all([dapp, wallet, watcher].map((client) => listen(client, topic)))
  await publish(dapp, topic, 'ask')
  await publish(wallet, topic, 'answer')
  await dapp.until(() => dapp.messages().includes('answer'))
  await wallet.until(() => wallet.messages().includes('ask'))
  expect(await listDeliveredMessages(dapp, wallet, topic)).toEqual(['answer'])
  expect(await listDeliveredMessages(wallet, dapp, topic)).toEqual(['ask'])
  expect(
    watcher
      .messages()
      .filter((message) => !message.startsWith('last'))
      .toSorted(),
  ).toEqual(['answer', 'ask'])
})

test('two relays below one upstream deliver a message once', { tags: 'faults' }, async () => {
  const upstream = await start()
  const [one, other] = [
    await start({ upstream: createUpstream(upstream) }),
    await start({ upstream: createUpstream(upstream) }),
  ]
  const [dapp, wallet, topic] = [await connect(one), await connect(other), newTopic()]
  await Promise.all([listen(dapp, topic), listen(wallet, topic)])
  await publish(dapp, topic, 'ask')
  await wallet.until(() => wallet.messages().includes('ask'))
  expect(await listDeliveredMessages(wallet, dapp, topic)).toEqual(['ask'])
  expect(dapp.messages()).toEqual([])
})

test('the relay works without its upstream and reports the state', async () => {
  const ours = await start({ upstream: createUpstream({ relayUrl: `ws://127.0.0.1:${await freePort()}/relay` }) })
  const [dapp, wallet, topic] = [await connect(ours), await connect(ours), newTopic()]
  await listen(wallet, topic)
  await publish(dapp, topic, 'ask')
  await wallet.until(() => wallet.messages().includes('ask'))
  expect(await getUpstreamStatus(ours)).toBe('reconnecting')
})

test('health reports that upstream refuses the bridge', { tags: 'faults' }, async () => {
  const upstream = await start({ projects: [{ id: 'cd'.repeat(16), allowedOrigins: [] }] })
  const ours = await start({ upstream: createUpstream(upstream) })
  await expect.poll(() => getUpstreamStatus(ours), soon).toBe('refused')
})
