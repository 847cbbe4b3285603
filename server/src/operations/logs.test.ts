import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildProgram, type BuiltProgram } from '../testing/buildProgram.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { connectRelayClient, relayAddress, testProjectId } from '../testing/relayClient.ts'

let program: BuiltProgram
let databases: readonly TestPostgres[] = []
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-logs-'))
  databases = await Promise.all([1, 2, 3].map(() => createTestDatabase()))
  program = await buildProgram('main.ts')
})

afterAll(async () => {
  await program.remove()
  await Promise.all(databases.map((database) => database.close()))
  await rm(folder, { recursive: true, force: true })
})

/** Secrets of the configuration, and of requests. Each occurrence in a log is a leak. */
const createCanary = (name: string): string => `${name}-${randomBytes(8).toString('hex')}`
const secrets = {
  redis: createCanary('redis'),
  mail: createCanary('mail'),
  node: createCanary('node'),
  metrics: createCanary('metrics'),
  token: createCanary('token'),
  cookie: createCanary('cookie'),
  address: createCanary('address'),
  code: createCanary('code'),
  message: createCanary('message'),
  query: createCanary('query'),
  topic: randomBytes(32).toString('hex'),
}

function createEnvironment(): Record<string, string> {
  const [own, auth, shares] = databases
  const chain = {
    caipNetworkId: 'eip155:1',
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [`http://127.0.0.1:1/v2/${secrets.node}`],
    tokens: [],
    index: { from: 0 },
  }
  return {
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'debug',
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: own?.url ?? '',
    AUTH_DATABASE_URL: auth?.url ?? '',
    SHARES_DATABASE_URL: shares?.url ?? '',
    REDIS_URL: `redis://:${secrets.redis}@127.0.0.1:1`,
    MAIL_URL: `smtp://user:${secrets.mail}@127.0.0.1:1`,
    CHAINS: JSON.stringify([chain]),
    METRICS_PORT: '0',
    METRICS_TOKEN: secrets.metrics,
  }
}

/** Sends every secret of a client to every kind of endpoint. */
async function attack(url: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${secrets.token}`,
    cookie: `session=${secrets.cookie}`,
    'x-request-id': `id ${secrets.query}`,
    dpop: secrets.token,
  }
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const email = `${secrets.address}@example.org`
  await post(`/auth/v1/codes?auth=${secrets.query}`, { email, code: secrets.code })
  await post('/auth/v1/codes/redeem', { id: '0', email, code: secrets.code.slice(0, 12) })
  await post('/shares/v1/links', { email, token: secrets.token })
  await post(`/v1?chainId=eip155:1&projectId=${testProjectId}&key=${secrets.query}`, { method: secrets.message })
  await post(`/v1?chainId=eip155:1&projectId=${testProjectId}`, {
    id: 1,
    jsonrpc: '2.0',
    method: 'eth_blockNumber',
    params: [],
  })
  await post(`/relay?auth=${secrets.token}&projectId=${testProjectId}`, secrets.message)
  await post(`/${secrets.query}`, secrets.message)
  const relay = `${url.replace('http', 'ws')}/relay`
  await connectRelayClient(relay, { token: secrets.token }).catch(() => undefined)
  const client = await connectRelayClient(relay, { query: { secret: secrets.query } })
  await client.request('irn_publish', { topic: secrets.topic, message: secrets.message, ttl: 300, tag: 0 })
  await client.request(secrets.message, { topic: secrets.topic })
  await client.sendText(secrets.message)
  await client.close()
  await fetch(relayAddress(relay).replace('ws', 'http'), { method: 'POST', body: secrets.message })
}

test(
  'each line of the log is JSON with level, time and event, and no line has a secret',
  { tags: 'faults' },
  async () => {
    const run = program.start(createEnvironment())
    const url = await run.ready
    await attack(url)
    run.child.kill('SIGTERM')
    const { code, output } = await run.ended
    expect(code).toBe(0)

    const leaks = Object.entries(secrets).filter(([, secret]) => output.includes(secret))
    expect(leaks.map(([name]) => name)).toEqual([])
    const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('The server listens on '))
    // Redis, the node and the mail system are unreachable.
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        msg: expect.stringMatching(/./),
      })
    }
  },
)
