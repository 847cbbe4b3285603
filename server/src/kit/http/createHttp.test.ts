import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { createHttp } from './createHttp.ts'
import { Problem } from './problem.ts'
import { createProjects } from './projects.ts'

const id = 'ab'.repeat(16)

async function createApp(): Promise<FastifyInstance> {
  const projects = createProjects([{ id, allowedOrigins: ['https://app.example'] }])
  const app = await createHttp({ logLevel: 'silent', projects })
  app.post('/echo', async ({ body }) => ({ body }))
  app.get('/problem', async () => {
    throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: 3 })
  })
  app.get('/fault', async () => {
    throw new Error('the password is hunter2')
  })
  return app
}

const app = await createApp()

function post(payload: string | Buffer, type: string): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': type } })
}

test.each(['text/plain;charset=UTF-8', 'application/json', 'application/x-www-form-urlencoded'])(
  'a body is parsed as JSON with the content type %s',
  async (type) => {
    const response = await post('{"a":1}', type)
    expect(response.json()).toEqual({ body: { a: 1 } })
  },
)

test.each([
  ['a key twice', '{"a":1,"a":2}'],
  ['a key twice, spelled differently', String.raw`{"a":1,"\u0061":2}`],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['too many nesting levels', '['.repeat(33) + ']'.repeat(33)],
  ['too many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, key) => [`k${key}`, key])))],
])('a body with %s is rejected [G-06]', async (_what, body) => {
  const result = await post(body, 'application/json')
  expect(result.statusCode).toBe(400)
  expect(result.json()).toMatchObject({ status: 'FAILED' })
})

test('the JSON parser accepts the same key in two objects, and strings that look like structure', async () => {
  const body = { a: { k: '{"k":1,"k":2}' }, b: [{ k: '\\":' }, { k: '__proto__' }] }
  expect((await post(JSON.stringify(body), 'application/json')).json()).toEqual({ body })
})

test('a response repeats the client’s request id or gets a new one', async () => {
  const given = await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'client-1' } })
  expect(given.headers['x-request-id']).toBe('client-1')
  const made = await app.inject({ url: '/nowhere' })
  expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  const hostile = await app.inject({ url: '/nowhere', headers: { 'x-request-id': '{"level":60}' } })
  expect(hostile.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('every failure has one format and leaks no internal details', async () => {
  const missing = await app.inject({ url: '/nowhere' })
  expect([missing.statusCode, missing.json()]).toEqual([
    404,
    { status: 'FAILED', reasons: [{ field: '', description: 'There is nothing here.' }] },
  ])
  const problem = await app.inject({ url: '/problem' })
  expect(problem.headers['retry-after']).toBe('3')
  expect(problem.json()).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'rate_limited', description: 'Too many requests.' }],
  })
  const fault = await app.inject({ url: '/fault' })
  expect([fault.statusCode, fault.json()]).toEqual([
    500,
    { status: 'FAILED', reasons: [{ field: '', description: 'Internal server error' }] },
  ])
})

test.each([
  ['https://app.example', 'https://app.example'],
  ['http://localhost:4600', 'http://localhost:4600'],
  ['https://evil.example', undefined],
  ['null', undefined],
])('a request from the origin %s gets the allowed origin %s [P-08]', async (origin, allowed) => {
  const plain = await app.inject({ url: '/problem', headers: { origin } })
  expect(plain.headers['access-control-allow-origin']).toBe(allowed)
  expect(plain.headers['access-control-allow-credentials']).toBeUndefined()
  expect(plain.headers['vary']).toContain('Origin')
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/echo',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers['access-control-allow-origin']).toBe(allowed)
})

// The cases are public (JSONTestSuite) and are expected next to the repository, or in the folder that LATCHKEY_VECTORS names.
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'json/test_parsing')
const cases = existsSync(vectors) ? readdirSync(vectors) : []
const state = cases.length > 0 ? '' : ' (NOT TRIED: there is no JSONTestSuite next to the repository)'
/** Valid for the grammar, but two readers may understand two different things. */
const ambiguous = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']

test(`the JSON parser accepts valid and rejects invalid JSONTestSuite bodies${state} [G-06]`, async () => {
  const wrong: string[] = []
  for (const name of cases) {
    const { statusCode } = await post(readFileSync(join(vectors, name)), 'application/json')
    const isValid = name.startsWith('y_') && !ambiguous.includes(name)
    const expected = name.startsWith('i_') ? [200, 400] : [isValid ? 200 : 400]
    if (!expected.includes(statusCode)) wrong.push(`${name}: ${statusCode}`)
  }
  expect(wrong).toEqual([])
})

test('the log of a failed request has the request id and the reason, but no values of the database or of a library', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = await createHttp({ logLevel: 'info', projects: createProjects('any'), stream })
  app.get('/fail', () => {
    const detail = 'Key (email)=(canary@example.org) already exists.'
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail, parameters: ['canary'] })
    throw Object.assign(new Error('It could not be stored.', { cause }), { request: { headers: { cookie: 'canary' } } })
  })
  await app.inject({ url: '/fail', headers: { 'x-request-id': 'request-1' } })
  await app.close()
  const logged: unknown = JSON.parse(lines.find((line) => line.includes('a request failed')) ?? '')
  expect(logged).toMatchObject({
    reqId: 'request-1',
    msg: 'a request failed',
    err: {
      type: 'Error',
      message: 'It could not be stored.',
      cause: { type: 'Error', message: 'duplicate key', code: '23505' },
    },
  })
  expect(lines.join('')).not.toContain('canary')
})
