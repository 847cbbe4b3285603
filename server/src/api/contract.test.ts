import { Ajv2020 } from 'ajv/dist/2020.js'
import { exchangeConfig, onRampKey, startChains, type LocalChains } from '@latchkey/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenApiDocument } from '../kit/http/serveApiDocs.ts'
import { startTestServer } from '../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: { default?: unknown } }
type Operation = {
  method: string
  path: string
  parameters: readonly Parameter[]
  requestBody?: object
  /** The schema of a JSON response. Pictures have none. */
  responseBody?: object
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; status?: number }
  open: boolean
}

const projectId = 'ab'.repeat(16)

let world: LocalChains
let server: Server
let operations: readonly Operation[]

beforeAll(async () => {
  world = await startChains()
  const { network, rpcUrl, tokens } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  const exchange = exchangeConfig(world.chains[0])
  const chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens, index: { from: 0 }, exchange }
  server = await startTestServer({
    chains: [chain],
    names: { zones: ['latchkey.test'], signerKey: undefined },
    onRamp: { sandbox: { key: onRampKey, rates: { ETH: { USD: '2500' } } } },
  })
  operations = read((await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument)
})
afterAll(async () => {
  await server.close()
  await world.close()
})

function read({ paths }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => {
      // The document was generated in this form.
      const operation = entry as Omit<Operation, 'answer' | 'example' | 'open'> & {
        responses: { 200: { content: { 'application/json'?: { schema: object } } } }
        'x-example': Operation['example']
        'x-open': boolean
      }
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        responseBody: operation.responses[200].content['application/json']?.schema,
        example: operation['x-example'],
        open: operation['x-open'],
      }
    }),
  )
}

type RequestValues = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

async function request({ method, path }: Operation, { params = {}, query = {}, body }: RequestValues) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const response = await fetch(`${server.url}${filled}?${new URLSearchParams(query)}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isText = /^(?:image|text\/event-stream)/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, body: (await (isText ? response.text() : response.json())) as unknown }
}

const exampleOf = ({ example }: Operation): RequestValues => ({ ...example, query: { projectId, ...example.query } })

test('every endpoint responds to its example according to its schema', async () => {
  const ajv = new Ajv2020({ strict: false })
  expect(operations.length).toBeGreaterThan(5)
  for (const operation of operations) {
    const { status, body } = await request(operation, exampleOf(operation))
    const validate = ajv.compile(operation.responseBody ?? { type: 'string', pattern: '^(?:<svg |retry: )' })
    const where = `${operation.method} ${operation.path}`
    if (operation.example.status !== undefined) {
      expect([where, status]).toEqual([where, operation.example.status])
      continue
    }
    expect([where, status, validate(body) ? 'fits' : validate.errors]).toEqual([where, 200, 'fits'])
  }
})

test.each(['/getWalletImage', '/public/getAssetImage', '/public/getCurrencyImage', '/public/getTokenImage'])(
  'pictures of %s are documented as images with the parameter id [R7.2.2]',
  async (path) => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument
    expect(paths[`${path}/{id}`]?.['get']).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'id', in: 'path', required: true })]),
      responses: { 200: { content: { 'image/svg+xml': expect.anything(), 'image/webp': expect.anything() } } },
    })
  },
)

test('every endpoint names a missing parameter [R5.7.4]', async () => {
  for (const operation of operations) {
    for (const { name, required, in: place, schema } of operation.parameters) {
      if (!required || place !== 'query' || schema.default !== undefined) continue
      const { [name]: _, ...query } = exampleOf(operation).query ?? {}
      const { status, body } = await request(operation, { ...exampleOf(operation), query })
      const where = `${operation.path}?${name}`
      expect([where, status, body]).toMatchObject([where, 400, { status: 'FAILED', reasons: [{ field: name }] }])
    }
  }
})

test('every endpoint that is not open requires a known project, and nothing else [R6.7] [R7.1.1]', async () => {
  for (const operation of operations.filter(({ open }) => !open)) {
    const example = exampleOf(operation)
    const without = await request(operation, { ...example, query: { ...example.query, projectId: '' } })
    expect([operation.path, without]).toMatchObject([
      operation.path,
      { status: 400, body: { reasons: [{ field: 'projectId' }] } },
    ])
    const unknown = await request(operation, { ...example, query: { ...example.query, projectId: 'nobody' } })
    expect([operation.path, unknown.status]).toEqual([operation.path, 401])
  }
})

test('no endpoint receives analytics [R7.1.22]', async () => {
  const paths = operations.map(({ path }) => path)
  expect(paths.filter((path) => /^\/(e|event|events|batch)$/.test(path))).toEqual([])
  expect((await fetch(`${server.url}/e`, { method: 'POST', body: '{}' })).status).toBe(404)
})

test('no endpoint returns an internal error for arbitrary parameters', { tags: 'abuse' }, async () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('eip155:1', 'eip155:31337', 'solana:x', '-1', '1e9', '', '%00', '../..', '0x', '🗝', "' or 1=1--"),
    fc
      .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })
      .map((digits) => `0x${digits}`),
  )
  for (const operation of operations) {
    const example = exampleOf(operation)
    const names = operation.parameters.filter(({ name }) => name !== 'projectId')
    if (names.length === 0) continue
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), texts, async ({ name, in: place }, text) => {
        if (place === 'path' && (text === '' || /^\.*$/.test(text))) return
        const changed = { ...(place === 'path' ? example.params : example.query), [name]: text }
        const { status } = await request(operation, {
          ...example,
          ...(place === 'path' ? { params: changed } : { query: changed }),
        })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 25 },
    )
  }
})

test('no endpoint returns an internal error for arbitrary bodies [R8.3.14] [P-11]', { tags: 'abuse' }, async () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>(
      '0x',
      '0'.repeat(500),
      1e308,
      -1,
      '1e18',
      '\u0000',
      '\ud800',
      { toString: 1 },
      [[[]]],
      '__proto__',
    ),
  )
  for (const operation of operations.filter(({ requestBody }) => requestBody !== undefined)) {
    const example = exampleOf(operation)
    await fc.assert(
      fc.asyncProperty(placesIn(example.body), values, async (place, value) => {
        const { status } = await request(operation, { ...example, body: setValueAt(example.body, place, value) })
        expect([operation.path, status]).toEqual([operation.path, expect.toSatisfy((each: number) => each < 500)])
      }),
      { numRuns: 30 },
    )
  }
})

/** A path into a value. The empty path is the whole value. */
function placesIn(value: unknown): fc.Arbitrary<readonly string[]> {
  const paths: (readonly string[])[] = []
  const walk = (inner: unknown, path: readonly string[]): void => {
    paths.push(path)
    if (typeof inner !== 'object' || inner === null) return
    for (const [key, each] of Object.entries(inner)) walk(each, [...path, key])
  }
  walk(value, [])
  return fc.constantFrom(...paths)
}

function setValueAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put
  const inner: unknown = Reflect.get(Object(value), key)
  if (Array.isArray(value)) return value.with(Number(key), setValueAt(inner, rest, put))
  return { ...Object(value), [key]: setValueAt(inner, rest, put) }
}

test('documentation page lists every endpoint and runs no script', async () => {
  const response = await fetch(`${server.url}/docs`)
  const page = await response.text()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  for (const { path } of operations) expect(page).toContain(path.replace(/\{(\w+)\}/g, ':$1'))
})
