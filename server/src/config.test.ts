import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LatchkeyError } from '@latchkey/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { configProblemsOf } from './kit/config/testing/configProblemsOf.ts'

const chain = {
  caipNetworkId: 'eip155:31337',
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:8545'],
}

const problemsOf = (environment: Record<string, string>) => configProblemsOf(() => readConfig(environment))

test('works on a laptop with nothing configured', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4602,
    services: ['relay', 'api'],
    databaseUrl: undefined,
    dataDir: '.latchkey/data',
    chains: [],
    rpcProviders: [],
    projects: 'any',
    relayUrls: [],
    upstream: undefined,
    relayLimits: {},
    relayMaxTtl: 2_592_000,
    messageBytes: { others: 262_144, byTag: new Map() },
    webhooks: 'public',
    limits: 'public',
    trustedProxies: 0,
    developerWalletUrl: undefined,
    wallets: [],
    brandIcons: 'on',
    names: { zones: [] },
    onRamp: {},
    login: {
      auth: { keys: { variable: 'AUTH_KEYS', file: '.latchkey/data/auth.keys' } },
      shares: { keys: { variable: 'SHARES_KEYS', file: '.latchkey/data/shares.keys' } },
      mailFrom: 'Latchkey <login@localhost>',
      mailIntervalMs: 30_000,
      socials: {},
      frame: { port: 4605, dir: 'apps/frame/dist', signers: { keys: [], threshold: 1 } },
    },
    apiKeysFile: '.latchkey/data/api.keys',
    logLevel: 'info',
  })
})

test('reports missing variables of the services of the embedded wallet', () => {
  const mistakes = (variables: Record<string, string>): unknown => {
    try {
      return readConfig(variables).services
    } catch (error) {
      return error instanceof LatchkeyError && error.message
    }
  }
  expect(mistakes({ SERVICES: 'auth' })).toContain('MAIL_URL: must name the mail system')
  expect(mistakes({ SERVICES: 'shares', MAIL_URL: 'smtp://localhost' })).toContain(
    'AUTH_URL: must name the auth service',
  )
  expect(mistakes({ SERVICES: 'frame', AUTH_URL: 'https://a.example' })).toContain('SHARES_URL: must name that service')
  expect(mistakes({ SERVICES: 'auth,shares,frame', MAIL_URL: 'smtp://localhost' })).toEqual(['auth', 'shares', 'frame'])
})

test('refuses to serve the frame without the signatures that are required [S-08]', () => {
  const frame = { SERVICES: 'frame', AUTH_URL: 'https://a.example', SHARES_URL: 'https://s.example' }
  const [one, other] = ['A'.repeat(43), 'B'.repeat(43)]
  const signersOf = (variables: Record<string, string>) => readConfig({ ...frame, ...variables }).login.frame.signers
  expect(signersOf({ FRAME_SIGNERS: `${one}, ${other}`, FRAME_SIGNATURES: '2' })).toEqual({
    keys: [one, other],
    threshold: 2,
  })
  const tooMany = 'FRAME_SIGNATURES: must be at most the number of different keys'
  expect(() => signersOf({ FRAME_SIGNERS: '', FRAME_SIGNATURES: '1' })).toThrow(tooMany)
  expect(() => signersOf({ FRAME_SIGNERS: `${one},${one}`, FRAME_SIGNATURES: '2' })).toThrow(tooMany)
  expect(() => signersOf({ FRAME_SIGNERS: 'short' })).toThrow('must be public keys of 43 characters')
  expect(() => signersOf({ FRAME_SIGNERS: one, FRAME_SIGNATURES: '0' })).toThrow('must be a whole number from 1 to 16')
})

test('refuses a Farcaster relay that a key service runs [K-11]', () => {
  const frame = { SERVICES: 'frame', AUTH_URL: 'https://a.example', SHARES_URL: 'https://s.example' }
  const relayOf = (variables: Record<string, string>) =>
    readConfig({ ...frame, ...variables }).login.frame.farcasterRelay
  expect(relayOf({})).toBeUndefined()
  expect(relayOf({ FARCASTER_RPC_URL: 'https://rpc.example' })).toBe('https://relay.farcaster.xyz')
  expect(relayOf({ FARCASTER_RELAY_URL: 'https://relay.example/' })).toBe('https://relay.example')
  for (const url of ['https://a.example', 'https://s.example/relay']) {
    expect(() => relayOf({ FARCASTER_RELAY_URL: url })).toThrow('must name a relay that neither key service runs')
  }
})

test('a process that only stores key shares needs no other database', () => {
  const url = 'postgres://localhost/shares'
  const keeper = { SERVICES: 'shares', MAIL_URL: 'smtp://localhost', AUTH_URL: 'https://a.example' }
  expect(readConfig({ ...keeper, SHARES_DATABASE_URL: url }).databaseUrl).toBe(url)
  expect(readConfig({ SHARES_DATABASE_URL: url }).databaseUrl).toBeUndefined()
})

test('treats an empty variable as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', PROJECTS: '' })).toEqual(readConfig({}))
})

test('reads lists, numbers and JSON', () => {
  const projects = [{ id: 'ab'.repeat(16), allowedOrigins: ['https://*.example.com'] }]
  const config = readConfig({
    PORT: '0',
    SERVICES: 'api , relay',
    RELAY_URLS: 'wss://relay.example.com, wss://relay.example.org/path',
    CHAINS: JSON.stringify([chain]),
    PROJECTS: JSON.stringify(projects),
    LIMITS: 'local',
    RELAY_MESSAGE_BYTES: '100000, 1109=98304,1100=5000',
  })
  expect(config).toMatchObject({
    port: 0,
    services: ['api', 'relay'],
    relayUrls: ['wss://relay.example.com', 'wss://relay.example.org/path'],
    chains: [{ ...chain, tokens: [] }],
    projects,
    messageBytes: {
      others: 100_000,
      byTag: new Map([
        [1109, 98_304],
        [1100, 5_000],
      ]),
    },
    limits: 'local',
  })
})

test('lists everything that is wrong at once', () => {
  const problems = problemsOf({
    PORT: 'eighty',
    SERVICES: 'relay,mail',
    DATABASE_URL: 'mysql://localhost',
    CHAINS_FILE: '/nowhere/chains.json',
    PROJECTS: '{',
    LIMITS: 'none',
    TRUSTED_PROXIES: '-1',
    DEVELOPER_WALLET_URL: 'wallet',
    WALLETS_FILE: '/nowhere/wallets.json',
    RELAY_URLS: 'not an address',
    LOG_LEVEL: 'loud',
    RELAY_WEBHOOKS: 'private',
    RELAY_MESSAGE_BYTES: '1109=',
  })
  expect(problems.map((problem) => problem.split(/[.:]/)[0])).toEqual([
    'CHAINS_FILE',
    'PORT',
    'SERVICES',
    'DATABASE_URL',
    'PROJECTS',
    'LIMITS',
    'TRUSTED_PROXIES',
    'DEVELOPER_WALLET_URL',
    'WALLETS_FILE',
    'LOG_LEVEL',
    'RELAY_URLS',
    'RELAY_WEBHOOKS',
    'RELAY_MESSAGE_BYTES',
  ])
})

test.each([
  ['70000', 'PORT: must be a whole number from 0 to 65535'],
  ['80.5', 'PORT: must be a whole number from 0 to 65535'],
])('refuses the port %s', (port, problem) => {
  expect(problemsOf({ PORT: port })).toEqual([problem])
})

test('names the field of a chain that is wrong', () => {
  const broken = { ...chain, caipNetworkId: 'ethereum', rpcUrls: [] }
  expect(problemsOf({ CHAINS: JSON.stringify([chain, broken]) })).toEqual([
    'CHAINS.1.caipNetworkId: must be a CAIP-2 id',
    'CHAINS.1.rpcUrls: needs at least one endpoint',
  ])
})

test('reports the expected form of a list of projects', () => {
  const [problem] = problemsOf({ PROJECTS: '[{"id":"too short"}]' })
  expect(problem).toContain('must be any, or a list of')
})

test.each(['x', '0', '-1', '1109=', '=5', '1109=1=2', '1000000', '1.5'])('refuses the message sizes %s', (sizes) => {
  expect(problemsOf({ RELAY_MESSAGE_BYTES: sizes })).toEqual([
    'RELAY_MESSAGE_BYTES: must be like 262144 or 262144,1109=98304',
  ])
})

test('sets single limits of the relay, and refuses those that it does not know', () => {
  expect(readConfig({ RELAY_LIMITS: '{"connectionsPerAddress":500}' }).relayLimits).toEqual({
    connectionsPerAddress: 500,
  })
  expect(problemsOf({ RELAY_LIMITS: '{"connections":5}' })).toHaveLength(1)
  expect(problemsOf({ RELAY_LIMITS: '{"connectionsPerAddress":0}' })).toHaveLength(1)
  expect(problemsOf({ RELAY_LIMITS: 'many' })).toEqual(['RELAY_LIMITS: is not JSON'])
})

test.each([
  'clickhouse://127.0.0.1:8123',
  'clickhouse://latchkey:p%40ss%2Fword@db.example.org:8123/histories',
  'clickhouses://latchkey:secret@[::1]:8443/histories',
])('accepts %s as the store of the histories', (url) => {
  expect(readConfig({ HISTORY_URL: url }).historyUrl).toBe(url)
})

test.each([
  'postgres://db.example.org/histories',
  'http://db.example.org:8123',
  'clickhouse://user:secret%zz@db.example.org',
  'clickhouse://user:secret@db.example.org/a/b',
  'clickhouse://',
])('says what the URL of the histories must be, without its password: %s', (url) => {
  expect(problemsOf({ HISTORY_URL: url })).toEqual([
    'HISTORY_URL: must be clickhouse://user:password@host:8123/database, or the same with clickhouses:// for TLS',
  ])
})

test.each<Record<string, string>>([
  { METRICS_HOST: '127.0.0.1' },
  { METRICS_HOST: '0.0.0.0', METRICS_TOKEN: '0123456789abcdef' },
  {},
])('metrics are served on loopback, or elsewhere with a token: %o', (variables) => {
  expect(problemsOf({ METRICS_PORT: '4609', ...variables })).toEqual([])
})

test('metrics without a token are refused on an address that other machines can reach', () => {
  expect(problemsOf({ METRICS_PORT: '4609', METRICS_HOST: '0.0.0.0' })).toEqual([
    'METRICS_TOKEN: must be set, because other machines can reach METRICS_HOST',
  ])
  expect(problemsOf({ METRICS_PORT: '4609', METRICS_HOST: '::1', METRICS_TOKEN: 'short' })).toEqual([
    'METRICS_TOKEN: must have at least 16 characters',
  ])
  // Without a port nothing is served.
  expect(problemsOf({ METRICS_HOST: '0.0.0.0' })).toEqual([])
})

describe('secrets from files', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-secrets-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  async function write(name: string, content: string): Promise<string> {
    await writeFile(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }

  test('each variable may be in the file that NAME_FILE names, whose last line end is removed', async () => {
    const database = 'postgres://latchkey:secret@127.0.0.1/latchkey'
    const config = readConfig({
      DATABASE_URL_FILE: await write('database', `${database}\n`),
      REDIS_URL_FILE: await write('redis', 'redis://:secret@127.0.0.1:6379'),
      MAIL_URL_FILE: await write('mail', 'smtps://user:secret@mail.example.org\r\n'),
      METRICS_TOKEN_FILE: await write('token', '0123456789abcdef\n'),
      METRICS_PORT: '4609',
    })
    expect(config).toMatchObject({
      databaseUrl: database,
      redisUrl: 'redis://:secret@127.0.0.1:6379',
      login: { mailUrl: 'smtps://user:secret@mail.example.org' },
      metrics: { token: '0123456789abcdef' },
    })
  })

  test('variables that name a file of keys are not read as text', async () => {
    const file = await write('auth.keys', 'one:00')
    expect(readConfig({ AUTH_KEYS_FILE: file }).login.auth.keys).toMatchObject({ file, text: undefined })
  })

  test('a variable takes precedence over its file', async () => {
    const file = await write('ignored', 'redis://a')
    expect(readConfig({ REDIS_URL_FILE: file, REDIS_URL: 'redis://b' }).redisUrl).toBe('redis://b')
  })

  test('a missing file is a mistake, and no mistake has the content of a file', async () => {
    const file = await write('other', 'postgres://a:canary@127.0.0.1/a')
    expect(problemsOf({ DATABASE_URL_FILE: '/nowhere' })).toEqual(['DATABASE_URL_FILE: /nowhere cannot be read'])
    expect(problemsOf({ REDIS_URL_FILE: file }).join()).not.toContain('canary')
  })
})
