import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccessCommands, type AccessCommands } from '../../cli/openAccessCommands.ts'
import {
  connectRelayClient,
  createClientKey,
  createTestDatabase,
  startTestServer,
  testProjectId,
  type RelayClientOptions,
  type TestPostgres,
} from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

// Two processes share nothing but the database, so two servers in this process are as good.
let database: TestPostgres
let servers: readonly Server[] = []
let commands: AccessCommands

beforeAll(async () => {
  database = await createTestDatabase()
  const options = { databaseUrl: database.url, trustedProxies: 1, services: ['relay', 'api'] as const }
  servers = [await startTestServer(options), await startTestServer(options)]
  commands = await openAccessCommands({ DATABASE_URL: database.url }, Fastify({ logger: false }).log)
})

afterAll(async () => {
  await commands.close()
  await Promise.all(servers.map((server) => server.close()))
  await database.close()
})

/** Runs the same check in both processes until it holds. */
async function checkBothServers(check: (server: Server) => Promise<void>): Promise<void> {
  for (const server of servers) await expect.poll(() => check(server).then(() => 'ok', String), patient).toBe('ok')
}

const patient = { timeout: 60_000, interval: 100 }

function statusOf(server: Server, options: { from?: string; projectId?: string } = {}): Promise<number> {
  const { from = '192.0.2.1', projectId = testProjectId } = options
  const url = `${server.url}/appkit/v1/config?projectId=${projectId}`
  return fetch(url, { headers: { 'x-forwarded-for': from } }).then(({ status }) => status)
}

function walletsStatus(server: Server, projectId: string): Promise<number> {
  return fetch(`${server.url}/getWallets?page=1&entries=1&projectId=${projectId}`).then(({ status }) => status)
}

function connect(server: Server, options: RelayClientOptions = {}) {
  return connectRelayClient(server.relayUrl, options)
}

test('a banned address, prefix or client is refused by both processes, and accepted again later', async () => {
  const banned = ['198.51.100.77', '203.0.113.5', '2001:db8:1:2::9', '2001:db8:5:6::1']
  await commands.ban('198.51.100.77')
  await commands.ban('203.0.113.0/24')
  await commands.ban('2001:db8:1:2::/64')
  await commands.ban('2001:db8:5::/48')
  const key = createClientKey()
  await commands.ban(key.clientId)
  await checkBothServers(async (server) => {
    for (const from of banned) {
      expect(await statusOf(server, { from })).toBe(403)
      await expect(connect(server, { headers: { 'x-forwarded-for': from } })).rejects.toThrow('HTTP 403')
    }
    for (const from of ['198.51.100.78', '203.0.114.5', '2001:db8:1:3::9', '2001:db8:6::1']) {
      expect(await statusOf(server, { from })).toBe(200)
    }
    await expect(connect(server, { key })).rejects.toThrow('HTTP 403')
    await (await connect(server)).close()
  })
  for (const subject of await commands.listBans()) await commands.unban(subject)
  await checkBothServers(async (server) => {
    for (const from of banned) expect(await statusOf(server, { from })).toBe(200)
    await (await connect(server, { key })).close()
  })
})

test('connections that are open when their client or address is banned end in both processes, and no others', async () => {
  const key = createClientKey()
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const ofClient = await Promise.all(servers.map((server) => connect(server, { key })))
  const ofAddress = await Promise.all(servers.map((server) => connect(server, { headers: from })))
  const others = await Promise.all(servers.map((server) => connect(server)))
  await commands.ban(key.clientId)
  await commands.ban('203.0.113.0/24')
  for (const { closed } of [...ofClient, ...ofAddress]) {
    expect(await closed).toMatchObject({ code: 3000, reason: expect.stringContaining('Forbidden: this') })
  }
  for (const other of others) {
    const message = { topic: 'ab'.repeat(32), message: 'still here', ttl: 300, tag: 0 }
    expect(await other.request('irn_publish', message)).toMatchObject({ result: true })
    await other.close()
  }
  for (const subject of await commands.listBans()) await commands.unban(subject)
})

test('the state of a process stays visible to a banned load balancer', async () => {
  await commands.ban('192.0.2.0/24')
  await checkBothServers(async (server) => expect(await statusOf(server)).toBe(403))
  for (const server of servers) {
    const health = await fetch(`${server.url}/health`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(health.status).toBe(200)
  }
  await commands.unban('192.0.2.0/24')
  await checkBothServers(async (server) => expect(await statusOf(server)).toBe(200))
})

test('an added, removed or banned project is known to both processes, and open connections of a removed one end', async () => {
  const [one, other] = ['1a'.repeat(16), '2b'.repeat(16)]
  await commands.ban(one)
  await checkBothServers(async (server) => {
    expect(await walletsStatus(server, one)).toBe(401)
    expect(await walletsStatus(server, other)).toBe(200)
  })
  await commands.unban(one)
  await commands.addProject(['https://app.example'], one)
  await checkBothServers(async (server) => {
    expect(await walletsStatus(server, one)).toBe(200)
    // The first project ends the mode for any project.
    expect(await walletsStatus(server, other)).toBe(401)
    await expect(connect(server, { projectId: other })).rejects.toThrow('HTTP 401')
  })
  const clients = await Promise.all(servers.map((server) => connect(server, { projectId: one })))
  await commands.removeProject(one)
  for (const { closed } of clients) expect(await closed).toMatchObject({ code: 3000 })
  await checkBothServers(async (server) => {
    expect(await walletsStatus(server, one)).toBe(401)
    expect(await walletsStatus(server, other)).toBe(401)
  })
})
