import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  signToken,
  startTestServer,
  testProjectId,
  type RelayClient,
} from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Reply = { status: number; text: string; headers: Headers }

let server: Server
let strict: Server
let wallet: RelayClient
let topic: string
let lastTopic = 0
const key = createClientKey()

beforeAll(async () => {
  server = await startTestServer()
  const now = Date.now()
  strict = await startTestServer({ databaseUrl: server.databaseUrl, limits: 'public', clock: { now: () => now } })
  wallet = await connectRelayClient(server.relayUrl)
})
afterAll(async () => {
  await wallet.close()
  await strict.close()
  await server.close()
})
beforeEach(() => {
  lastTopic += 1
  topic = lastTopic.toString(16).padStart(64, '0')
})

async function post(
  body: string | Buffer,
  {
    url = server.url,
    path = '/rpc',
    query = {},
    headers = {},
  }: { url?: string; path?: string; query?: object; headers?: object } = {},
): Promise<Reply> {
  const search = new URLSearchParams({ auth: signToken(key), projectId: testProjectId, ...query })
  const response = await fetch(`${url}${path}?${search}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { ...headers },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const formatRequest = (method: string, params: object, id = '7'): string =>
  `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`

describe('one request over HTTP', () => {
  test.each(['/', '/relay', '/rpc'])('irn_publish at %s delivers the message to subscribers', async (path) => {
    await wallet.request('irn_subscribe', { topic })
    const reply = await post(formatRequest('irn_publish', { topic, message: 'sealed', ttl: 300, tag: 1108 }), { path })
    expect(reply).toMatchObject({ status: 200, text: '{"id":7,"jsonrpc":"2.0","result":true}' })
    expect(reply.headers.get('content-type')).toContain('application/json')
    await wallet.until(() => wallet.pushes.some(({ params }) => params.data.topic === topic))
  })

  test('irn_fetchMessages returns stored messages once', async () => {
    await wallet.request('irn_publish', { topic, message: 'waits', ttl: 300, tag: 1108 })
    const { text } = await post(formatRequest('irn_fetchMessages', { topic }))
    expect(JSON.parse(text)).toMatchObject({ result: { messages: [{ topic, message: 'waits' }], hasMore: false } })
    expect((await post(formatRequest('irn_fetchMessages', { topic }))).text).toContain('"messages":[]')
  })

  test('irn_subscribe returns a subscription id', async () => {
    const { text } = await post(formatRequest('irn_subscribe', { topic }))
    expect(JSON.parse(text)).toMatchObject({ result: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown })
  })

  test('request ids are returned exactly, and method errors have status 200', async () => {
    const id = '1234567890123456789'
    expect((await post(formatRequest('irn_unsubscribe', { topic }, id))).text).toBe(
      `{"id":${id},"jsonrpc":"2.0","result":true}`,
    )
    const refused = await post(formatRequest('irn_nothing', {}, `"${id}"`))
    expect(refused.status).toBe(200)
    expect(refused.text).toMatch(`{"id":"${id}","jsonrpc":"2.0","error":{"code":-32600,`)
  })

  test('irn_batchReceive accepts 500 receipts', async () => {
    const receipts = Array.from({ length: 500 }, (_, messageId) => ({ topic, messageId }))
    expect((await post(formatRequest('irn_batchReceive', { receipts }))).text).toContain('"result":true')
  })
})

describe('authorization over HTTP', () => {
  test('the token is accepted in the authorization header', async () => {
    const headers = { authorization: `Bearer ${signToken(key)}` }
    expect((await post(formatRequest('irn_unsubscribe', { topic }), { query: { auth: '' }, headers })).status).toBe(200)
  })

  const refused: Array<[string, Parameters<typeof post>[1], number, string]> = [
    ['no token', { query: { auth: '' } }, 401, '"message":"Unauthorized: missing auth token","data":"MissingJwt"'],
    [
      'a wrong token',
      { query: { auth: 'a.b.c' } },
      401,
      '"message":"JWT validation error: JWT is malformed","data":"InvalidJwt"',
    ],
    [
      'no project',
      { query: { projectId: '' } },
      401,
      '"message":"Unauthorized: missing project id","data":"ProjectIdNotSpecified"',
    ],
    [
      'a wrong project',
      { query: { projectId: 'x' } },
      401,
      '"message":"Unauthorized: invalid key","data":"ProjectNotFound"',
    ],
    [
      'an origin that is not allowed',
      { headers: { origin: 'https://evil.example' } },
      403,
      '"message":"Unauthorized: origin not allowed","data":"OriginNotAllowed"',
    ],
  ]
  test.each(refused)(
    'a request with %s is rejected with the same error as over WebSocket [R-12, R-13]',
    async (_what, options, status, words) => {
      const received = await post(formatRequest('irn_unsubscribe', { topic }), options)
      expect(received).toMatchObject({ status, text: `{"id":0,"jsonrpc":"2.0","error":{"code":3000,${words}}}` })
    },
  )

  test('a public relay allows sixty requests at once, then rejects with a retry delay', async () => {
    const responses: Reply[] = []
    for (let index = 0; index < 61; index += 1) {
      responses.push(await post(formatRequest('irn_unsubscribe', { topic }), { url: strict.url }))
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 60 }, () => 200), 429])
    expect(responses.at(-1)?.text).toBe('{"id":0,"jsonrpc":"2.0","error":{"code":3001,"message":"Too many requests"}}')
    expect(responses.at(-1)?.headers.get('retry-after')).toBe('1')
  })

  test('an allowed origin receives CORS headers', async () => {
    const origin = 'http://localhost:4600'
    const { headers } = await post(formatRequest('irn_unsubscribe', { topic }), { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  })
})

describe('bodies', () => {
  test.each([
    ['nothing', '', -32700],
    ['no JSON', '{', -32700],
    ['a batch', `[${formatRequest('irn_unsubscribe', { topic: 'a'.repeat(64) })}]`, -32600],
    ['a notification', '{"jsonrpc":"2.0","method":"irn_unsubscribe","params":{}}', -32600],
    ['a response', '{"id":1,"jsonrpc":"2.0","result":true}', -32600],
    ['a key twice', '{"id":1,"jsonrpc":"2.0","method":"irn_unsubscribe","params":{"topic":"a","topic":"b"}}', -32600],
    ['__proto__', '{"id":1,"jsonrpc":"2.0","method":"irn_unsubscribe","params":{"__proto__":{}}}', -32600],
  ])('a body with %s is rejected with 400 [R-11, G-06]', async (_what, body, code) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ id: 0, jsonrpc: '2.0', error: { code } })
  })

  test('a body of more than 1 MiB is rejected with 413 [R-09]', async () => {
    const { status, text } = await post(' '.repeat(1024 * 1024 + 1))
    expect(status).toBe(413)
    expect(JSON.parse(text)).toMatchObject({ id: 0, error: { code: -32600, data: 'PayloadSizeExceeded' } })
  })

  // The cases are public (JSONTestSuite) and are expected next to the repository, or in the folder that LATCHKEY_VECTORS names.
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'json/test_parsing')
  const cases = existsSync(vectors) ? readdirSync(vectors) : []
  const state = cases.length > 0 ? '' : ' (NOT TRIED: there is no JSONTestSuite next to the repository)'
  test(
    `every JSONTestSuite body is rejected and the server keeps running${state} [R-11, G-06]`,
    { tags: 'abuse' },
    async () => {
      const wrong: string[] = []
      for (const name of cases) {
        const { status, text } = await post(readFileSync(resolve(vectors, name)))
        const { id, error } = JSON.parse(text) as { id: unknown; error: { code: number } }
        const codes = name.startsWith('n_') ? [-32700] : name.startsWith('y_') ? [-32600] : [-32600, -32700]
        if (status !== 400 || id !== 0 || !codes.includes(error.code)) wrong.push(`${name}: ${status} ${text}`)
      }
      expect(wrong).toEqual([])
    },
  )
})
