import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  startTestRedis,
  startTestServer,
  type RelayClient,
  type TestRedis,
} from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

let redis: TestRedis
/** Two processes with one database and one Redis. */
let servers: readonly [Server, Server]

beforeAll(async () => {
  redis = await startTestRedis()
  const options = {
    redisUrl: redis.url,
    trustedProxies: 1,
    services: ['relay'] as const,
    relayLimits: { connectionsPerClient: 4, connectionsPerAddress: 10 },
  }
  const first = await startTestServer(options)
  servers = [first, await startTestServer({ ...options, databaseUrl: first.databaseUrl })]
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
  await redis.close()
})

/** Opens connections to the processes in turn until one is refused. */
async function openAll(connect: (server: Server) => Promise<RelayClient>): Promise<readonly RelayClient[]> {
  const clients: RelayClient[] = []
  for (;;) {
    const [server, other] = servers
    const client = await connect(clients.length % 2 === 0 ? server : other).catch((error: unknown) => String(error))
    if (typeof client !== 'string') clients.push(client)
    else {
      expect(client).toContain('HTTP 429')
      return clients
    }
  }
}

test('a client gets its connections once, not once per process, and new ones after it closed some', async () => {
  const key = createClientKey()
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const connect = (server: Server) => connectRelayClient(server.relayUrl, { key, headers: from })
  const clients = await openAll(connect)
  expect(clients).toHaveLength(4)
  await clients[0]?.close()
  await expect.poll(() => connect(servers[1]).then(() => 'open', String)).toBe('open')
})

test('an address gets its connections once, not once per process', async () => {
  const from = { 'x-forwarded-for': '192.0.2.2' }
  const clients = await openAll((server) => connectRelayClient(server.relayUrl, { headers: from }))
  expect(clients).toHaveLength(10)
  await Promise.all(clients.map((client) => client.close()))
})
