import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import { getIdentity } from '../../account/getIdentity.ts'
import { fakeAccount, fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import {
  acceptName,
  coinTypeOf,
  getNameExpiry,
  isName,
  listNameOffers,
  listNames,
  nameSuffix,
  registerName,
  releaseName,
  renewName,
  resolveAccountName,
  suggestNames,
  transferName,
} from './index.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

const account = fakeAccount('eip155:10')
const address = account.slice('eip155:10:'.length)
const other = 'b'.repeat(40)

type Responses = { [path: string]: unknown }

let server: Server
let url: string
/** The requests of the test, and their purposes. */
let requested: string[]
let sent: unknown[]
let responses: Responses

beforeEach(async () => {
  requested = []
  sent = []
  responses = { '/v1/profile/zones': { zones: ['new.test', 'old.test'], now: 0 } }
  server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      if (body !== '') sent.push(JSON.parse(body))
      const path = new URL(request.url ?? '', 'http://x').pathname
      requested.push(path)
      const result = Object.hasOwn(responses, path) ? responses[path] : []
      if (typeof result === 'number') response.statusCode = result
      response.end(typeof result === 'string' ? result : JSON.stringify(result))
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function connectTestWallet(adapter = fakeAdapter({ networks: [fakeNetwork({ namespace: 'eip155', id: 10 })] })) {
  const { namespace, networks } = adapter
  const accounts = [fakeAccount(networks[0].caipNetworkId)]
  const connector = fakeConnector({ namespaces: [namespace], accounts })
  const world = fakeWorld({ adapters: [adapter], connectors: [connector], server: url, projectId: '0'.repeat(32) })
  await connect(world.latchkey, 'fake')
  requested.length = 0
  return world
}

const createNameRecord = (name: string, addresses: Readonly<Record<string, string>>): object => ({
  name,
  registered_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  attributes: null,
  addresses: Object.fromEntries(
    Object.entries(addresses).map(([coinType, each]) => [coinType, { address: each, created_at: '' }]),
  ),
})

test.each([
  ['four', true],
  ['a-b-c', true],
  ['Visitor7', true],
  ['0123456789', true],
  ['abc', false],
  ['', false],
  ['under_score', false],
  ['dot.ted', false],
  ['with space', false],
  ['аlice', false],
  ['\u212aelvin', false],
  ['xn--abc', false],
  ['a'.repeat(65), false],
])('isName(%j) is %s [R5.6.1]', (text, can) => {
  expect(isName(text)).toBe(can)
})

test('coinTypeOf sets a bit in the chain id, except for mainnet', () => {
  expect([1, 10, 31337, 0x7fff_ffff].map(coinTypeOf)).toEqual([60, 0x8000_000a, 0x8000_7a69, 0xffff_ffff])
  expect([0, -1, 1.5, 0x8000_0000, Number.NaN].map(coinTypeOf)).toEqual(Array.from({ length: 5 }, () => undefined))
})

describe('a name', () => {
  test('resolves to the address on the active network, else to that of mainnet', async () => {
    const { latchkey } = await connectTestWallet()
    responses['/v1/profile/account/one.new.test'] = createNameRecord('one.new.test', {
      60: other,
      [0x8000_000a]: address,
    })
    responses['/v1/profile/account/two.new.test'] = createNameRecord('two.new.test', {
      60: other,
      [0x8000_000b]: address,
    })
    responses['/v1/profile/account/three.new.test'] = createNameRecord('three.new.test', { 501: other })
    expect(await resolveAccountName(latchkey, 'One.new.test')).toBe(address)
    expect(await resolveAccountName(latchkey, 'two.new.test')).toBe(other)
    expect(await resolveAccountName(latchkey, 'three.new.test')).toBe(false)
  })

  test('with an older suffix resolves too, while new names get the first suffix [R9.5.2]', async () => {
    const { latchkey } = await connectTestWallet()
    responses['/v1/profile/account/one.old.test'] = createNameRecord('one.old.test', { 60: other })
    expect(await resolveAccountName(latchkey, 'one.old.test')).toBe(other)
    expect(await nameSuffix(latchkey)).toBe('.new.test')
  })

  test.each([
    '',
    'new.test',
    '.new.test',
    'a..new.test',
    '_a.new.test',
    'а.new.test',
    'a\u0301b.new.test',
    'ab\u200d.new.test',
  ])('in the form %j does not resolve, and sends no request [R5.6.2]', async (name) => {
    const { latchkey } = await connectTestWallet()
    expect(await resolveAccountName(latchkey, name)).toBe(false)
    expect(requested.filter((path) => path !== '/v1/profile/zones')).toEqual([])
  })

  test('with another suffix is not sent to the server', async () => {
    const { latchkey } = await connectTestWallet()
    expect(await resolveAccountName(latchkey, 'visitor.eth')).toBe(false)
    expect(await resolveAccountName(latchkey, 'visitor.eth')).toBe(false)
    expect(requested).toEqual(['/v1/profile/zones'])
  })

  test.each<[string, Responses]>([
    ['has none', {}],
    ['returns another thing', { '/v1/profile/account/one.new.test': { name: 1 } }],
    ['returns no address', { '/v1/profile/account/one.new.test': createNameRecord('one.new.test', { 60: '<b>' }) }],
    ['fails', { '/v1/profile/account/one.new.test': 500 }],
    ['lists no suffixes', { '/v1/profile/zones': { zones: 'new.test' } }],
    ['has no suffixes', { '/v1/profile/zones': 404 }],
  ])('does not resolve when the server %s [R5.6.2]', async (_what, changed) => {
    const { latchkey } = await connectTestWallet()
    Object.assign(responses, changed)
    expect(await resolveAccountName(latchkey, 'one.new.test')).toBe(false)
  })

  test('does not resolve on a network without names, and sends no request [R9.4.3]', async () => {
    const networks = [fakeNetwork({ namespace: 'solana', id: 'x' })] as const
    const { latchkey } = await connectTestWallet(fakeAdapter({ namespace: 'solana', networks, features: ['history'] }))
    expect(await resolveAccountName(latchkey, 'one.new.test')).toBe(false)
    await expect(registerName(latchkey, 'visitor')).rejects.toMatchObject({ code: 'name/unsupported' })
    expect(requested).toEqual([])
  })
})

describe('the names of an account', () => {
  async function named(): Promise<FakeWorld> {
    const world = await connectTestWallet()
    responses[`/v1/profile/reverse/${address}`] = [
      createNameRecord('one.new.test', {}),
      createNameRecord('two.new.test', {}),
    ]
    expect(await listNames(world.latchkey, account)).toEqual(['one.new.test', 'two.new.test'])
    return world
  }

  test('are cached for five minutes [R9.1.10]', async () => {
    const { latchkey, clock } = await named()
    clock.advance(299_999)
    await listNames(latchkey, account)
    expect(requested).toEqual(['/v1/profile/zones', `/v1/profile/reverse/${address}`])
    clock.advance(1)
    await listNames(latchkey, account)
    expect(requested.filter((path) => path.includes('reverse'))).toHaveLength(2)
  })

  test('are fetched again when the cache was corrupted, and removed with the account', async () => {
    const { latchkey } = await named()
    setCached(latchkey.internal, `names/${account}`, '{')
    expect(await listNames(latchkey, account)).toHaveLength(2)
    await disconnect(latchkey)
    await expect.poll(() => getCached(latchkey.internal, `names/${account}`, 1e9)).toBeUndefined()
  })
})

test('suggestions are parsed one by one, and invalid names are not requested', async () => {
  const { latchkey } = await connectTestWallet()
  const free = { name: 'visitor.new.test', registered: false }
  responses['/v1/profile/suggestions/visitor'] = { suggestions: [free, null, { name: 7 }, { name: 'x' }] }
  expect(await suggestNames(latchkey, 'Visitor')).toEqual([free])
  requested.length = 0
  expect(await suggestNames(latchkey, 'abc')).toEqual([])
  expect(requested).toEqual([])
  responses['/v1/profile/suggestions/strange'] = { suggestions: 'none' }
  await expect(suggestNames(latchkey, 'strange')).rejects.toMatchObject({ code: 'http/invalid-response' })
})

test("the signed message has the server's time, slightly ahead", async () => {
  const { latchkey, clock } = await connectTestWallet()
  responses['/v1/profile/zones'] = { zones: ['new.test'], now: clock.now() / 1000 + 3600 }
  responses['/v1/profile/account'] = createNameRecord('visitor.new.test', {})
  expect(await registerName(latchkey, 'Visitor')).toBe('visitor.new.test')
  const [body] = sent
  const message = JSON.stringify({
    name: 'visitor.new.test',
    attributes: {},
    timestamp: Math.floor(clock.now() / 1000) + 3600 + 8,
  })
  expect(body).toMatchObject({ coin_type: 0x8000_000a, address, message, signature: expect.any(String) })
})

test('a name of another service keeps priority', async () => {
  const { latchkey } = await connectTestWallet()
  responses[`/v1/identity/${address}`] = { name: 'visitor.eth' }
  responses['/v1/profile/account'] = createNameRecord('visitor.new.test', {})
  expect(await getIdentity(latchkey, account)).toMatchObject({ name: 'visitor.eth' })
  await registerName(latchkey, 'visitor')
  expect(await getIdentity(latchkey, account)).toMatchObject({ name: 'visitor.eth' })
  expect(await listNames(latchkey, account)).toEqual(['visitor.new.test'])
})

test.each<[number, object, string]>([
  [429, { field: 'address', description: 'x' }, 'name/too-many'],
  [400, { field: 'timestamp', description: 'x' }, 'name/late'],
  [400, { field: 'name', description: 'Name is already registered' }, 'name/taken'],
  [401, { field: 'signature', description: 'No.' }, 'name/refused'],
])('a refusal with %i for %j becomes %s', async (status, reason, code) => {
  const { latchkey } = await connectTestWallet()
  server.prependListener('request', (request, response) => {
    if (request.method === 'POST') response.statusCode = status
  })
  responses['/v1/profile/account'] = { status: 'FAILED', reasons: [reason] }
  await expect(registerName(latchkey, 'visitor')).rejects.toMatchObject({ code })
})

test('renewName, acceptName and releaseName sign their action and the name', async () => {
  const { latchkey } = await connectTestWallet()
  for (const action of ['renew', 'accept', 'release']) {
    responses[`/v1/profile/account/visitor.new.test/${action}`] = {
      ...createNameRecord('visitor.new.test', {}),
      expires_at: '2027-01-01T00:00:00.000Z',
    }
  }
  expect(await renewName(latchkey, 'visitor.new.test')).toBe(Date.parse('2027-01-01T00:00:00.000Z'))
  await acceptName(latchkey, 'visitor.new.test')
  await releaseName(latchkey, 'visitor.new.test')
  const messages = sent.map((body) => JSON.parse(String(Object(body).message)) as object)
  expect(messages).toMatchObject([
    { action: 'renew', name: 'visitor.new.test', timestamp: expect.any(Number) },
    { action: 'accept', name: 'visitor.new.test' },
    { action: 'release', name: 'visitor.new.test' },
  ])
})

test('releaseName and acceptName request the names again', async () => {
  const { latchkey } = await connectTestWallet()
  responses[`/v1/profile/reverse/${address}`] = [createNameRecord('visitor.new.test', { 60: address })]
  responses['/v1/profile/account/visitor.new.test/release'] = { name: 'visitor.new.test' }
  expect(await listNames(latchkey, account)).toEqual(['visitor.new.test'])
  await releaseName(latchkey, 'visitor.new.test')
  responses[`/v1/profile/reverse/${address}`] = []
  expect(await listNames(latchkey, account)).toEqual([])
})

test('transferName offers a name to an address of the network only', async () => {
  const { latchkey, adapter } = await connectTestWallet()
  responses['/v1/profile/account/visitor.new.test/transfer'] = createNameRecord('visitor.new.test', {})
  const isAddress = adapter.isAddress
  adapter.isAddress = (text) => text === other
  await transferName(latchkey, 'visitor.new.test', other)
  expect(JSON.parse(String(Object(sent[0]).message))).toMatchObject({
    action: 'transfer',
    to: other,
    coin_type: 0x8000_000a,
  })
  await expect(transferName(latchkey, 'visitor.new.test', 'alice')).rejects.toMatchObject({
    code: 'name/invalid-receiver',
    context: { address: 'alice' },
  })
  expect(sent).toHaveLength(1)
  adapter.isAddress = isAddress
})

test('listNameOffers and getNameExpiry tolerate servers without offers and terms', async () => {
  const { latchkey } = await connectTestWallet()
  expect(await listNameOffers(latchkey, account)).toEqual([])
  responses[`/v1/profile/offers/${address}`] = [createNameRecord('offered.new.test', {})]
  expect(await listNameOffers(latchkey, account)).toEqual(['offered.new.test'])
  expect(await getNameExpiry(latchkey, 'visitor.new.test')).toBeUndefined()
  responses['/v1/profile/account/visitor.new.test'] = createNameRecord('visitor.new.test', {})
  expect(await getNameExpiry(latchkey, 'visitor.new.test')).toBeUndefined()
  const expiry = '2027-01-01T00:00:00.000Z'
  responses['/v1/profile/account/visitor.new.test'] = {
    ...createNameRecord('visitor.new.test', {}),
    expires_at: expiry,
  }
  expect(await getNameExpiry(latchkey, 'visitor.new.test')).toBe(Date.parse(expiry))
})
