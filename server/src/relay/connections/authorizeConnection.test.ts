import { connect as connectTcp } from 'node:net'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  createTestDatabase,
  relayAddress,
  signToken,
  startTestServer,
  type RelayClientOptions,
} from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Database = Awaited<ReturnType<typeof createTestDatabase>>

const now = Math.floor(Date.now() / 1000)
const clock = { now: () => now * 1000 }
const key = createClientKey()
const other = createClientKey()

let database: Database
let server: Server
let listed: Server
let strict: Server

beforeAll(async () => {
  database = await createTestDatabase()
  const shared = { databaseUrl: database.url, clock }
  server = await startTestServer({ ...shared, relayUrls: ['wss://relay.example.org/', 'ws://relay:4602/relay'] })
  const projects = [
    {
      id: 'a'.repeat(32),
      allowedOrigins: ['app.example.com', 'https://*.wild.example', 'http://dev.example:3000', 'com.example.wallet'],
    },
    { id: 'b'.repeat(32), allowedOrigins: [] },
  ]
  listed = await startTestServer({ ...shared, projects })
  strict = await startTestServer({ ...shared, limits: 'public', trustedProxies: 1 })
})
afterAll(async () => {
  await Promise.all([server.close(), listed.close(), strict.close()])
  await database.close()
})

/** Returns the relay's refusal of a client that requests a close code: the frame that it sends, and the close event. */
async function getRefusal(
  url: string,
  options: RelayClientOptions,
): Promise<{ frames: string[]; code: number; reason: string }> {
  const query = { useOnCloseEvent: 'true', ...options.query }
  const client = await connectRelayClient(url, { ...options, query })
  return { ...(await client.closed), frames: [...client.frames] }
}

/** The status of an upgrade that is refused. */
function upgradeStatus(url: string, options: RelayClientOptions): Promise<{ status: number; words: string }> {
  const address = new URL(relayAddress(url, options))
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const connecting = request({
      host: address.hostname,
      port: address.port,
      path: address.pathname + address.search,
      headers: { ...upgrade, ...options.headers },
    })
    connecting.on('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, words: response.statusMessage ?? '' })
    })
    connecting.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve({ status: 101, words: '' })
    })
    connecting.on('error', reject)
    connecting.end()
  })
}

describe('tokens [R-12]', () => {
  const claims = (change: object): string => signToken(key, { claims: { aud: 'wss://relay.example.org', ...change } })
  const unsigned = claims({}).replace(/\.[^.]*$/, '.')
  const [head, body] = claims({}).split('.')
  const foreign = `${head}.${body}.${signToken(other).split('.')[2]}`
  const issuer = (text: string): string => claims({ iss: text })

  const accepted: Array<[string, string]> = [
    ['a token for the relay', claims({})],
    ['the relay address with a trailing slash', claims({ aud: 'wss://relay.example.org/' })],
    ['another configured relay address', claims({ aud: 'ws://relay:4602/relay' })],
    ['a token without expiry', claims({ exp: undefined })],
    ['a token that is 120 seconds early', claims({ iat: now + 120 })],
    ['a token that is 120 seconds late', claims({ iat: now - 86_400, exp: now - 120 })],
    ['a lifetime of a day and five minutes', claims({ iat: now, exp: now + 86_700 })],
    ['a token with an act', claims({ act: 'client_auth' })],
  ]
  test.each(accepted)('connecting is accepted with %s', async (_what, token) => {
    expect(await upgradeStatus(server.relayUrl, { token })).toEqual({ status: 101, words: '' })
  })

  const refused: Array<[string, string, string]> = [
    ['no signature', unsigned, 'JWT signature is wrong'],
    ['a signature of another key', foreign, 'JWT signature is wrong'],
    ['two parts', `${head}.${body}`, 'JWT is malformed'],
    ['four parts', `${claims({})}.x`, 'JWT is malformed'],
    ['no JSON', 'a.b.c', 'JWT is malformed'],
    ['the algorithm none', signToken(key, { header: { alg: 'none' } }), 'JWT header is not EdDSA'],
    ['the algorithm HS256', signToken(key, { header: { alg: 'HS256' } }), 'JWT header is not EdDSA'],
    ['the algorithm in capitals', signToken(key, { header: { alg: 'EDDSA' } }), 'JWT header is not EdDSA'],
    ['another type', signToken(key, { header: { typ: 'jwt' } }), 'JWT header is not EdDSA'],
    [
      'another multicodec',
      issuer('did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'),
      'JWT issuer is not a did:key of Ed25519',
    ],
    ['an issuer that is not a key', issuer('did:web:example.org'), 'JWT issuer is not a did:key of Ed25519'],
    ['a broken issuer', issuer('did:key:z0OIl'), 'JWT issuer is not a did:key of Ed25519'],
    ['the key of another client', issuer(other.clientId), 'JWT signature is wrong'],
    ['no subject', claims({ sub: undefined }), 'JWT subject is missing or too long'],
    ['a long subject', claims({ sub: 'a'.repeat(129) }), 'JWT subject is missing or too long'],
    ['no issue time', claims({ iat: undefined }), 'JWT has no time of issue'],
    ['an issue time as text', claims({ iat: String(now) }), 'JWT has no time of issue'],
    ['an issue time 121 seconds ahead', claims({ iat: now + 121 }), 'JWT Token is not yet valid'],
    ['an expiry 121 seconds ago', claims({ iat: now - 86_400, exp: now - 121 }), 'JWT Token is expired'],
    ['no expiry, issued 25 hours ago', claims({ iat: now - 90_000, exp: undefined }), 'JWT Token is expired'],
    ['an expiry as text', claims({ exp: String(now) }), 'JWT expiry is not a time'],
    ['a lifetime of 25 hours', claims({ exp: now + 90_000 }), 'JWT lives too long'],
    ['another relay', claims({ aud: 'wss://relay.example.com' }), 'JWT audience is another relay'],
    ['another path', claims({ aud: 'wss://relay.example.org/other' }), 'JWT audience is another relay'],
    ['another scheme', claims({ aud: 'ws://relay.example.org' }), 'JWT audience is another relay'],
    ['no audience', claims({ aud: undefined }), 'JWT audience is not an address'],
    ['a token for another action', claims({ act: 'irn_watchRegister' }), 'JWT is not for connecting'],
  ]
  test.each(refused)('connecting is rejected with %s', async (_what, token, reason) => {
    const message = `JWT validation error: ${reason}`
    const frame = `{"id":0,"jsonrpc":"2.0","error":{"code":3000,"message":"${message}","data":"InvalidJwt"}}`
    expect(await getRefusal(server.relayUrl, { token })).toEqual({ frames: [frame], code: 3000, reason: message })
    expect(await upgradeStatus(server.relayUrl, { token })).toEqual({ status: 401, words: message })
  })

  test('connecting is rejected without a token', async () => {
    const reason = 'Unauthorized: missing auth token'
    const frame = `{"id":0,"jsonrpc":"2.0","error":{"code":3000,"message":"${reason}","data":"MissingJwt"}}`
    expect(await getRefusal(server.relayUrl, { token: '' })).toEqual({ frames: [frame], code: 3000, reason })
    expect(await upgradeStatus(server.relayUrl, { token: '' })).toEqual({ status: 401, words: reason })
  })

  test('the token in the authorization header takes precedence over the query, and is case-sensitive', async () => {
    const authorization = `Bearer ${claims({})}`
    expect((await upgradeStatus(server.relayUrl, { token: 'x', headers: { authorization } })).status).toBe(101)
    const lowered = authorization.toLowerCase()
    expect(
      (await upgradeStatus(server.relayUrl, { token: claims({}), headers: { authorization: lowered } })).status,
    ).toBe(101)
    const broken = { authorization: `Bearer ${claims({}).toLowerCase()}` }
    expect((await upgradeStatus(server.relayUrl, { token: claims({}), headers: broken })).status).toBe(401)
  })

  test('a token for any audience is accepted when no relay address is configured', async () => {
    const token = signToken(key, { claims: { aud: 'wss://anywhere.example/x' } })
    expect((await upgradeStatus(listed.relayUrl, { token, projectId: 'b'.repeat(32) })).status).toBe(101)
  })
})

describe('projects and origins [R-13]', () => {
  const a = 'a'.repeat(32)
  const b = 'b'.repeat(32)
  type Row = [origin: string | undefined, projectId: string, verdict: 'ok' | 'missing' | 'unknown' | 'origin']
  const table: Row[] = [
    [undefined, a, 'ok'],
    [undefined, a.toUpperCase(), 'ok'],
    ['https://app.example.com', a, 'ok'],
    ['http://app.example.com', a, 'ok'],
    ['https://app.example.com:8443', a, 'origin'],
    ['https://sub.app.example.com', a, 'origin'],
    ['https://app.example.com.evil.example', a, 'origin'],
    ['https://evil-app.example.com', a, 'origin'],
    ['https://one.wild.example', a, 'ok'],
    ['http://one.wild.example', a, 'origin'],
    ['https://two.one.wild.example', a, 'origin'],
    ['https://wild.example', a, 'origin'],
    ['http://dev.example:3000', a, 'ok'],
    ['http://dev.example', a, 'origin'],
    ['http://localhost:5173', a, 'ok'],
    ['https://127.0.0.1', a, 'ok'],
    ['http://dapp.localhost:8080', a, 'ok'],
    ['http://localhost.evil.example', a, 'origin'],
    ['null', a, 'ok'],
    ['no origin at all', a, 'origin'],
    ['https://anything.example', b, 'ok'],
    [undefined, 'c'.repeat(32), 'unknown'],
    [undefined, 'a'.repeat(31), 'unknown'],
    [undefined, `${'a'.repeat(31)}g`, 'unknown'],
    [undefined, '', 'missing'],
  ]
  const applications: Array<[parameter: string, name: string, origin: string | undefined, status: number]> = [
    ['packageName', 'com.example.wallet', undefined, 101],
    ['bundleId', 'com.example.wallet', undefined, 101],
    ['bundleId', 'com.example.wallet', 'null', 101],
    ['packageName', 'com.example.other', undefined, 403],
    ['packageName', 'com.example.wallet', 'https://evil.example', 403],
  ]
  test.each(applications)(
    'connecting as an application with %s %s and origin %s',
    async (parameter, name, origin, status) => {
      const headers = { ...(origin !== undefined && { origin }) }
      const reply = await upgradeStatus(listed.relayUrl, { projectId: a, query: { [parameter]: name }, headers })
      expect(reply.status).toBe(status)
    },
  )

  const words = {
    missing: { status: 401, words: 'Unauthorized: missing project id', tag: 'ProjectIdNotSpecified' },
    unknown: { status: 401, words: 'Unauthorized: invalid key', tag: 'ProjectNotFound' },
    origin: { status: 403, words: 'Unauthorized: origin not allowed', tag: 'OriginNotAllowed' },
  } as const

  test.each(table)('connecting from %s with project %s: %s', async (origin, projectId, verdict) => {
    const options: RelayClientOptions = { projectId, ...(origin !== undefined && { headers: { origin } }) }
    const received = await upgradeStatus(listed.relayUrl, options)
    if (verdict === 'ok') return expect(received.status).toBe(101)
    const expected = words[verdict]
    expect(received).toEqual({ status: expected.status, words: expected.words })
    const frame = `{"id":0,"jsonrpc":"2.0","error":{"code":3000,"message":"${expected.words}","data":"${expected.tag}"}}`
    const closed = { frames: [frame], code: 3000, reason: expected.words }
    expect(await getRefusal(listed.relayUrl, options)).toEqual(closed)
  })

  test('without a project list, local pages connect with any project and other pages are rejected', async () => {
    const token = signToken(key, { claims: { aud: 'wss://relay.example.org' } })
    const from = (origin: string) => upgradeStatus(server.relayUrl, { token, headers: { origin } })
    expect((await from('http://localhost:3000')).status).toBe(101)
    expect((await from('https://app.example.com')).status).toBe(403)
  })
})

describe('paths', () => {
  test('the relay accepts WebSocket upgrades at / and /relay only', async () => {
    const at = (path: string) => upgradeStatus(listed.relayUrl.replace('/relay', path), { projectId: 'b'.repeat(32) })
    expect((await at('/')).status).toBe(101)
    expect((await at('/relay')).status).toBe(101)
    expect((await at('/health')).status).toBe(404)
  })

  test('the relay keeps running when a client disconnects during the handshake', async () => {
    const { port } = new URL(listed.url)
    const socket = connectTcp(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /relay HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n')
    socket.resetAndDestroy()
    expect((await upgradeStatus(listed.relayUrl, { projectId: 'b'.repeat(32) })).status).toBe(101)
  })
})

/** Opens a connection that the relay refuses by a close frame, and never responds to that. */
async function openSilent(relayUrl: string): Promise<{ ended: Promise<void> }> {
  const address = new URL(relayAddress(relayUrl, { token: 'x', query: { useOnCloseEvent: 'true' } }))
  const socket = connectTcp(Number(address.port), '127.0.0.1')
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    [
      `GET ${address.pathname}${address.search} HTTP/1.1`,
      `host: ${address.host}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.from('0123456789abcdef').toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return { ended }
}

describe('refused connections', () => {
  test('a refused client that does not close counts for its address, and is disconnected soon', async () => {
    const small = await startTestServer({ databaseUrl: database.url, clock, relayLimits: { connectionsPerAddress: 2 } })
    const silent = [await openSilent(small.relayUrl), await openSilent(small.relayUrl)]
    const options = { token: 'x', query: { useOnCloseEvent: 'true' } }
    expect((await upgradeStatus(small.relayUrl, options)).status).toBe(429)
    await Promise.all(silent.map(({ ended }) => ended))
    expect((await upgradeStatus(small.relayUrl, options)).status).toBe(101)
    await small.close()
  })
})

describe('limits of a public relay', () => {
  const topic = 'f'.repeat(64)
  const from = (address: string): RelayClientOptions => ({ headers: { 'x-forwarded-for': address } })

  test('a rate-limited connection gets ten errors and is then closed', async () => {
    const client = await connectRelayClient(strict.relayUrl, from('10.0.0.1'))
    for (let index = 0; index < 80; index += 1) {
      client.socket.send(`{"id":${index + 1},"jsonrpc":"2.0","method":"irn_unsubscribe","params":{"topic":"${topic}"}}`)
    }
    expect(await client.closed).toEqual({ code: 1013, reason: 'Too Many Requests' })
    const responses = client.frames.map((frame) => JSON.parse(frame) as { id: number; error?: object })
    const refused = responses.filter(({ error }) => error !== undefined)
    expect(refused.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => index + 61))
    expect(refused[0]?.error).toEqual({ code: 3001, message: 'Too many requests' })
  })

  test('one client can open at most four connections', async () => {
    const four = await Promise.all(
      [1, 2, 3, 4].map(() => connectRelayClient(strict.relayUrl, { key, ...from('10.0.0.2') })),
    )
    expect(await upgradeStatus(strict.relayUrl, { key, ...from('10.0.0.2') })).toMatchObject({ status: 429 })
    expect(await getRefusal(strict.relayUrl, { key, ...from('10.0.0.2') })).toEqual({
      frames: [],
      code: 1013,
      reason: 'Too Many Requests',
    })
    await Promise.all(four.map((client) => client.close()))
    expect(await upgradeStatus(strict.relayUrl, { key, ...from('10.0.0.2') })).toMatchObject({ status: 101 })
  })

  test('one address can open sixty handshakes at once, regardless of forwarded headers', async () => {
    const statuses: number[] = []
    for (let index = 0; index < 61; index += 1) {
      const options = { token: 'x', ...from(`1.2.3.${index}, 10.0.0.3`) }
      statuses.push((await upgradeStatus(strict.relayUrl, options)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429])
    expect((await upgradeStatus(strict.relayUrl, { token: 'x', ...from('10.0.0.4') })).status).toBe(401)
  })

  test('handshake limits count an IPv6 /64 as one address', async () => {
    const statuses: number[] = []
    for (let index = 0; index < 61; index += 1) {
      const options = { token: 'x', ...from(`2001:db8:1:2:${index.toString(16)}::1`) }
      statuses.push((await upgradeStatus(strict.relayUrl, options)).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await upgradeStatus(strict.relayUrl, { token: 'x', ...from('2001:db8:1:3::1') })).status).toBe(401)
  })

  test('a connection is limited to 1000 subscriptions and a topic to 100 messages [R-17]', async () => {
    const client = await connectRelayClient(strict.relayUrl, from('10.0.0.5'))
    const topics = Array.from({ length: 1_000 }, (_, index) => index.toString(16).padStart(64, '0'))
    await client.request('irn_batchSubscribe', { topics: topics.slice(0, 500) })
    await client.request('irn_batchSubscribe', { topics: topics.slice(500) })
    expect((await client.request('irn_subscribe', { topic })).error).toMatchObject({
      code: -32000,
      data: 'SubscriberLimitExceeded',
    })
    expect((await client.request('irn_subscribe', { topic: topics[0] })).error).toBeUndefined()
    const friend = await connectRelayClient(strict.relayUrl, from('10.0.0.5'))
    const outgoing = Array.from({ length: 100 }, (_, index) => ({ topic, message: `${index}`, ttl: 300, tag: 0 }))
    await friend.request('irn_batchPublish', { messages: outgoing.slice(0, 50) })
    await client.request('irn_batchPublish', { messages: outgoing.slice(50, 99) })
    await client.request('irn_publish', outgoing[99] ?? {})
    const more = { topic, message: 'one more', ttl: 300, tag: 0 }
    expect((await client.request('irn_publish', more)).error).toEqual({ code: 3001, message: 'Too many requests' })
    const third = await connectRelayClient(strict.relayUrl, from('10.0.0.5'))
    const full = await third.request('irn_publish', more)
    expect(full.error).toEqual({ code: -32050, message: 'mailbox full', data: 'MailboxLimitExceeded' })
    const elsewhere = { topic: 'e'.repeat(64), message: 'one more', ttl: 300, tag: 0 }
    expect(await client.request('irn_publish', elsewhere)).toMatchObject({ result: true })
    await Promise.all([client.close(), friend.close(), third.close()])
  })
})
