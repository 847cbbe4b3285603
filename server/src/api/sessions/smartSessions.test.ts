import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAccount, startChains, type LocalChains } from '@latchkey/devnet'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../kit/database/database.ts'
import { startTestServer } from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const projectId = 'ab'.repeat(16)
const owner = localAccount(0)
const stranger = localAccount(1)
const account = `eip155:31337:${owner.address}`
const expiry = 2_000_000_000

let now = 1_750_000_000_000
let world: LocalChains
let server: Server
let folder = ''

beforeAll(async () => {
  world = await startChains()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-sessions-'))
  const { network, rpcUrl } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  server = await startTestServer({
    services: ['api'],
    clock: { now: () => now },
    apiKeysFile: join(folder, 'api.keys'),
    chains: [{ caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens: [] }],
  })
})
afterAll(async () => {
  await server.close()
  await world.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  now += 1_000
})

const terms = {
  expiry,
  signer: { type: 'keys', data: { ids: ['did:key:z6Mk'] } },
  permissions: [{ type: 'contract-call', data: { address: '0x00', functions: [] } }],
  policies: [{ type: 'spending-limit', data: { most: '0x1' } }],
}

async function request(path: string, body?: unknown, who = account): Promise<{ status: number; body: unknown }> {
  const [plain, query = ''] = path.split('?')
  const response = await fetch(`${server.url}/v1/sessions/${who}${plain}?projectId=${projectId}&${query}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function create(): Promise<string> {
  now += 1_000
  const { body } = await request('', terms)
  return (body as { pci: string }).pci
}

async function grant(context = '0xc0ffee'): Promise<string> {
  const pci = await create()
  expect(await request('/activate', { ...terms, pci, context })).toEqual({ status: 200, body: { success: true } })
  return pci
}

const signRevocation = (pci: string, by = owner, of = account.toLowerCase()): Promise<string> =>
  by.signMessage({ message: `Revoke the permission ${pci} of ${of}.` })

const listPcis = async (who = account): Promise<readonly { pci: string; revokedAt: number | null }[]> =>
  ((await request('', undefined, who)).body as { pcis: { pci: string; revokedAt: number | null }[] }).pcis

const createRefusal = (field: string) => ({ status: 400, body: { status: 'FAILED', reasons: [{ field }] } })

test('create returns the public key of a session in the requested format', async () => {
  const first = await request('', terms)
  const second = await request('?v=2', terms)
  expect([first, second]).toMatchObject([
    { status: 200, body: { key: { type: 'secp256k1', publicKey: expect.stringMatching(/^0x3034[0-9a-f]{256}$/) } } },
    { status: 200, body: { key: { publicKey: expect.stringMatching(/^0x04[0-9a-f]{128}$/) } } },
  ])
})

test('list returns the active sessions of an account, newest first [R7.1.20]', async () => {
  const waiting = await create()
  const [first, second] = [await grant('0x01'), await grant('0x02')]
  const listed = await listPcis()
  expect(listed.slice(0, 2)).toMatchObject([
    { pci: second, context: '0x02', expiry, ...getPermittedTerms(), revokedAt: null, project: { id: projectId } },
    { pci: first, context: '0x01' },
  ])
  expect(listed.map(({ pci }) => pci)).not.toContain(waiting)
  expect(await listPcis(`eip155:31337:${stranger.address}`)).toEqual([])
  expect(await request(`/getcontext?pci=${first}`)).toEqual({ status: 200, body: { context: '0x01' } })
})

const getPermittedTerms = () => ({ permissions: terms.permissions, policies: terms.policies })

test('revoke requires the signature of the account [R7.1.21]', async () => {
  const [pci, other] = [await grant(), await grant()]
  const wrong = [
    await signRevocation(pci, stranger),
    await signRevocation(other),
    await signRevocation(pci, owner, account),
    '0x00',
    `0x${'11'.repeat(65)}`,
  ]
  for (const signature of wrong)
    expect(await request('/revoke', { pci, signature })).toMatchObject(createRefusal('signature'))
  const signature = await signRevocation(pci)
  expect(await request('/revoke', { pci, signature })).toEqual({ status: 200, body: { success: true } })
  expect((await listPcis()).find((each) => each.pci === pci)?.revokedAt).toBe(Math.floor(now / 1_000))
  for (const path of [`/getcontext?pci=${pci}`]) expect(await request(path)).toMatchObject(createRefusal('pci'))
  for (const [path, body] of [
    ['/revoke', { pci, signature }],
    ['/activate', { ...terms, pci, context: '0x03' }],
  ] as const) {
    expect(await request(path, body)).toMatchObject({ body: { reasons: [{ description: 'Permission is revoked' }] } })
  }
})

test("activate succeeds once, for the session's own account only", async () => {
  const pci = await create()
  expect(await request(`/getcontext?pci=${pci}`)).toMatchObject(createRefusal('pci'))
  const activation = { ...terms, pci, context: '0x01' }
  expect(await request('/activate', activation, `eip155:31337:${stranger.address}`)).toMatchObject(createRefusal('pci'))
  expect((await request('/activate', activation)).status).toBe(200)
  expect((await request('/activate', activation)).status).toBe(200)
  expect(await request('/activate', { ...activation, context: '0x02' })).toMatchObject(createRefusal('pci'))
})

test('expired session is not found', async () => {
  const pci = await grant()
  const before = now
  now = expiry * 1_000
  expect(await request(`/getcontext?pci=${pci}`)).toMatchObject(createRefusal('pci'))
  now = before
})

test.each<[string, string, string, unknown, string]>([
  ['a plain address', owner.address, '', terms, 'address'],
  ['an account of another family', 'solana:x:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv', '', terms, 'address'],
  ['a permission that is over', account, '', { ...terms, expiry: 5 }, 'expiry'],
  ['an expiry that is not a number', account, '', { ...terms, expiry: 'soon' }, 'expiry'],
  ['no signer', account, '', { ...terms, signer: undefined }, 'signer'],
  ['a permission without a type', account, '', { ...terms, permissions: [{ data: {} }] }, 'permissions'],
  ['policies that are not a list', account, '', { ...terms, policies: {} }, 'policies'],
  ['an unknown permission', account, '/revoke', { pci: projectId, signature: '0x00' }, 'pci'],
  ['an invalid signature', account, '/revoke', { pci: crypto.randomUUID(), signature: 'me' }, 'signature'],
  ['an invalid context', account, '/activate', { ...terms, pci: crypto.randomUUID(), context: 'x' }, 'context'],
  [
    'a permission that does not exist',
    account,
    '/activate',
    { ...terms, pci: crypto.randomUUID(), context: '0x01' },
    'pci',
  ],
  ['nothing', account, '/revoke', {}, 'pci'],
])('request with %s is rejected with the name of the field', async (_what, who, path, body, field) => {
  expect(await request(path, body, who)).toMatchObject(createRefusal(field))
})

test('sign is not an endpoint of this server', async () => {
  expect((await request('/sign', { pci: await grant(), userOp: {} })).status).toBe(404)
  expect(await (await fetch(`${server.url}/openapi.json`)).text()).not.toContain('/sign"')
})

test('database contains no session key in plain text', async () => {
  await create()
  const { log } = Fastify({ logger: false })
  const database = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: '' }, log)
  const rows = await database.run<{ sealed_key: Buffer }>('test-keys', 'select sealed_key from smart_session', [])
  await database.close()
  expect(rows.length).toBeGreaterThan(0)
  const [line = ''] = (await readFile(join(folder, 'api.keys'), 'utf8')).split('\n')
  const [id = '', key = ''] = line.split(':')
  for (const { sealed_key: sealed } of rows) {
    expect(sealed.includes(Buffer.from(id))).toBe(true)
    expect(sealed.includes(Buffer.from(key, 'hex'))).toBe(false)
    expect(sealed.length).toBeGreaterThan(32 + 32)
  }
})
