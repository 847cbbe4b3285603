import { parseAccountId, type WalletListEntry } from '@latchkey/protocol'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { getBalance } from '../account/getBalance.ts'
import { getIdentity } from '../account/getIdentity.ts'
import { getTokens } from '../account/getTokens.ts'
import { getWallets, isExcluded, walletImageUrl } from '../walletList/getWallets.ts'
import { tokenImageUrl } from '../walletList/tokenImageUrl.ts'
import {
  getRejection,
  fakeAccount,
  fakeAddress,
  fakeConnector,
  fakeWorld,
  type FakeWorld,
  type FakeWorldOptions,
} from '../testing/fakes.ts'
import { setCached } from '../storage/getCached.ts'

const projectId = '0123456789abcdef0123456789abcdef'

/** A server whose responses a test controls. It records the requests. */
type Backend = {
  url: string
  requests: URL[]
  respond: (request: IncomingMessage, response: ServerResponse) => void
  close(): Promise<void>
}

let backend: Backend

beforeEach(async () => {
  backend = await listen()
})
afterEach(() => backend.close())

async function listen(): Promise<Backend> {
  const server = createServer((request, response) => {
    backend.requests.push(new URL(request.url ?? '', backend.url))
    backend.respond(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    respond: (_, response) => void response.end('{}'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respondWith(value: unknown, status = 200): void {
  backend.respond = (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }
}

function createWorld(options: FakeWorldOptions = {}): FakeWorld {
  return fakeWorld({ server: backend.url, projectId, connectors: [fakeConnector()], ...options })
}

async function connectTestWallet(options: FakeWorldOptions = {}): Promise<FakeWorld> {
  const made = createWorld(options)
  await connect(made.latchkey, 'fake')
  return made
}

const rainbow: WalletListEntry = {
  id: 'r',
  name: 'Rainbow',
  image_id: 'image-r',
  rdns: 'me.rainbow',
  chains: ['eip155:1'],
}
const other: WalletListEntry = { id: 'o', name: 'Other', image_id: 'image-o', chains: [] }
const usdc = {
  name: 'USD Coin',
  symbol: 'USDC',
  chainId: 'eip155:1',
  address: 'eip155:1:0xa0b8',
  value: 1.5,
  price: 1,
  quantity: { decimals: '6', numeric: '1.5' },
  iconUrl: '',
}

describe('the wallet list', () => {
  test('is requested with project, sdk and page [R7.1.1] [R7.2.1] [R9.2.2]', async () => {
    respondWith({ data: [rainbow], count: 900 })
    const page = await getWallets(createWorld().latchkey)
    expect(page).toMatchObject({ data: [rainbow], count: 900 })
    const [url] = backend.requests
    expect(url?.pathname).toBe('/getWallets')
    expect(Object.fromEntries(url?.searchParams ?? [])).toMatchObject({
      projectId,
      st: 'latchkey',
      sv: expect.stringMatching(/^js-/),
      page: '1',
      entries: '40',
    })
  })

  test('is searched with pages of a hundred entries [R7.2.1] [R9.2.2]', async () => {
    respondWith({ data: [], count: 0 })
    await getWallets(createWorld().latchkey, {
      search: 'a&b=c',
      page: 3,
      include: ['x', 'y'],
      exclude: ['z'],
      chains: ['eip155:1'],
    })
    expect(Object.fromEntries(backend.requests[0]?.searchParams ?? [])).toMatchObject({
      search: 'a&b=c',
      entries: '100',
      page: '3',
      include: 'x,y',
      exclude: 'z',
      chains: 'eip155:1',
    })
  })

  test.each([['me.rainbow'], ['RAINBOW'], ['r']])(
    'hides the wallet that the app excludes by %s [R5.5.5]',
    async (hidden) => {
      respondWith({ data: [rainbow, other], count: 2 })
      const { latchkey } = createWorld({ excludeWallets: [hidden] })
      expect((await getWallets(latchkey)).data.map(({ id }) => id)).toEqual(['o'])
      expect(isExcluded(latchkey, other)).toBe(false)
    },
  )

  test('excludes only the exact reverse-DNS name [R5.5.5]', () => {
    const { latchkey } = createWorld({ excludeWallets: ['me.rain', 'undefined'] })
    expect([isExcluded(latchkey, rainbow), isExcluded(latchkey, other)]).toEqual([false, false])
  })

  test('leaves out invalid entries, and null fields stay undefined [R3.8]', async () => {
    const listed = {
      ...other,
      rdns: null,
      mobile_link: null,
      desktop_link: 7,
      webapp_link: 'https://o.test',
      chains: ['eip155:1', 7],
    }
    respondWith({
      data: [
        listed,
        null,
        7,
        'x',
        {},
        { id: 1, name: 'n', image_id: 'i' },
        { id: 'a', name: 'n' },
        { ...other, chains: 'all' },
      ],
      count: 8,
    })
    const { data } = await getWallets(createWorld().latchkey)
    expect(data).toEqual([
      { id: 'o', name: 'Other', image_id: 'image-o', webapp_link: 'https://o.test', chains: ['eip155:1'] },
      { id: 'o', name: 'Other', image_id: 'image-o', chains: [] },
    ])
  })

  test('has pictures at a separate path [R7.2.2]', () => {
    const url = new URL(walletImageUrl(createWorld().latchkey, { ...rainbow, image_id: 'a/../b' }) ?? '')
    expect(url.pathname).toBe('/getWalletImage/a%2F..%2Fb')
    expect(url.searchParams.get('projectId')).toBe(projectId)
    const token = new URL(tokenImageUrl(createWorld().latchkey, 'A/B') ?? '')
    expect(token.pathname).toBe('/public/getTokenImage/A%2FB')
    expect(tokenImageUrl(fakeWorld().latchkey, 'ETH')).toBeUndefined()
  })
})

describe('a wallet list that the app limits', () => {
  const wallets = ['a', 'b', 'c'].map((id) => ({
    id,
    name: `Wallet ${id.toUpperCase()}`,
    rdns: `org.${id}`,
    image_id: id,
    chains: [],
  }))

  /** Filters like the real server: by ids, or by names and reverse-DNS names. */
  function respondAsListed(): void {
    backend.respond = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', backend.url)
      const list = (name: string): readonly string[] | undefined => searchParams.get(name)?.toLowerCase().split(',')
      const [ids, names, rdns] = [list('include'), list('names'), list('rdns')]
      const data = wallets.filter(
        (wallet) =>
          (ids?.includes(wallet.id) ?? true) &&
          ((names === undefined && rdns === undefined) ||
            names?.includes(wallet.name.toLowerCase()) === true ||
            rdns?.includes(wallet.rdns) === true),
      )
      response.end(JSON.stringify({ data, count: data.length }))
    }
  }

  test.each([
    [['a'], ['a']],
    [
      ['org.b', 'wallet c'],
      ['b', 'c'],
    ],
    [
      ['a', 'WALLET A', 'org.c'],
      ['a', 'c'],
    ],
    [['nobody'], []],
  ])('finds %j by id, reverse-DNS name or name [R5.5.5]', async (includeWallets, expected) => {
    respondAsListed()
    const { latchkey } = fakeWorld({ server: backend.url, projectId, includeWallets })
    const { data, count } = await getWallets(latchkey)
    expect([data.map(({ id }) => id), count]).toEqual([expected, expected.length])
    expect((await getWallets(latchkey, { page: 2, entries: 1 })).data.map(({ id }) => id)).toEqual(expected.slice(1, 2))
  })

  test.each([
    [['org.a', 'Wallet B'], 'org.b', ['b']],
    [['org.a', 'org.b'], 'org.c', []],
    [undefined, 'org.c', ['c']],
  ])(
    'of the included wallets %j, finds the one with the reverse-DNS name %s',
    async (includeWallets, rdns, expected) => {
      respondAsListed()
      const { latchkey } = fakeWorld({ server: backend.url, projectId, ...(includeWallets && { includeWallets }) })
      const { data, count } = await getWallets(latchkey, { rdns })
      expect([data.map(({ id }) => id), count]).toEqual([expected, expected.length])
    },
  )
})

describe('the tokens of an account', () => {
  test("are those of the wallet's network [R1.4] [R7.1.5]", async () => {
    respondWith({ balances: [usdc] })
    const { latchkey } = await connectTestWallet()
    expect(await getTokens(latchkey)).toEqual([usdc])
    const [url] = backend.requests
    expect(url?.pathname).toBe(`/v1/account/${fakeAddress('eip155')}/balance`)
    expect(Object.fromEntries(url?.searchParams ?? [])).toMatchObject({
      currency: 'usd',
      chainId: 'eip155:1',
      projectId,
    })
  })

  test('leave out tokens without decimals and invalid entries [R3.9] [R5.5.3]', async () => {
    const quantity = (decimals: unknown, numeric: unknown): unknown => ({ ...usdc, quantity: { decimals, numeric } })
    const bad = [null, 7, {}, quantity('0', '1'), quantity('-1', '1'), quantity(6, '1'), quantity('9999999999', '1')]
    const worse = [
      quantity('6', '1e9'),
      quantity('6', 1),
      { ...usdc, iconUrl: {} },
      { ...usdc, price: '1' },
      { ...usdc, value: 'x' },
    ]
    respondWith({ balances: [...bad, ...worse, { ...usdc, value: undefined, address: undefined }] })
    const { latchkey } = await connectTestWallet()
    expect(await getTokens(latchkey)).toHaveLength(1)
  })

  test('are fetched again after thirty seconds, or at once with fresh [R9.1.10]', async () => {
    respondWith({ balances: [usdc] })
    const { latchkey, clock } = await connectTestWallet()
    await getTokens(latchkey)
    clock.advance(29_999)
    expect(await getTokens(latchkey)).toEqual([usdc])
    expect(backend.requests).toHaveLength(1)
    await getTokens(latchkey, { fresh: true })
    expect(backend.requests).toHaveLength(2)
    clock.advance(30_000)
    await getTokens(latchkey)
    expect(backend.requests).toHaveLength(3)
  })

  test('are fetched again when the cache was corrupted', async () => {
    respondWith({ balances: [usdc] })
    const { latchkey } = await connectTestWallet()
    for (const spoilt of ['{', '[]', '{"balances":7}']) {
      setCached(latchkey.internal, `portfolio/eip155:1/${fakeAddress('eip155')}`, spoilt)
      expect(await getTokens(latchkey)).toEqual([usdc])
    }
  })

  test('reject without an account [R8.3.1]', async () => {
    await expect(getTokens(createWorld().latchkey)).rejects.toMatchObject({ code: 'connection/not-connected' })
    expect(backend.requests).toEqual([])
  })
})

test('wallets and tokens are empty without a server, and no request is sent', async () => {
  const { latchkey, events } = await connectTestWallet({ server: undefined })
  expect(await getWallets(latchkey)).toEqual({ data: [], count: 0 })
  expect(await getTokens(latchkey)).toEqual([])
  expect(walletImageUrl(latchkey, rainbow)).toBeUndefined()
  expect(events.filter(({ type }) => type === 'problem')).toEqual([])
})

describe('a failing server', () => {
  test.each([400, 404, 429, 500, 503])(
    'that responds with %i causes an error with its body [R7.1.1] [R8.3.12]',
    async (status) => {
      respondWith({ data: [], count: 0 }, status)
      await expect(getWallets(createWorld().latchkey)).rejects.toMatchObject({
        code: 'http/status',
        message: `HTTP status code: ${status}`,
      })
    },
  )

  test.each([
    ['does not know the project', 401],
    ['forbids the origin', 403],
  ])('that %s reports a problem [R8.1.1]', async (_, status) => {
    respondWith({}, status)
    const { latchkey, events } = createWorld()
    await getRejection(getWallets(latchkey))
    await getRejection(getWallets(latchkey))
    const problem = { type: 'problem', code: 'invalid-app-configuration' }
    expect(events).toEqual([problem, problem])
  })

  test.each(['', '<html>', 'null', '7', '[]', '{"data":{}}', '{"data":[]}', '{"data":[],"count":"1"}'])(
    'that responds with %j causes an error',
    async (text) => {
      respondWith(text)
      const { latchkey } = await connectTestWallet()
      await expect(getWallets(latchkey)).rejects.toMatchObject({ code: 'http/invalid-response' })
      await expect(getTokens(latchkey)).rejects.toMatchObject({ code: 'http/invalid-response' })
      respondWith({ balances: [usdc] })
      expect(await getTokens(latchkey)).toEqual([usdc])
    },
  )

  test("that is down causes an error without the request's parameters", async () => {
    const { latchkey } = createWorld()
    await backend.close()
    const failure = await getRejection(getWallets(latchkey, { search: 'secret' }))
    expect(failure).toMatchObject({ code: 'http/unreachable', context: { origin: backend.url } })
    expect(String(failure)).not.toMatch(/secret|0123456789abcdef/)
  })

  test('that drops the connection causes an unreachable error', async () => {
    backend.respond = (request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"data":')
      setImmediate(() => request.socket.destroy())
    }
    await expect(getWallets(createWorld().latchkey)).rejects.toMatchObject({ code: 'http/unreachable' })
  })

  test('that never responds times out after ten seconds', async () => {
    const { latchkey, clock } = createWorld()
    const requests = new Promise<void>((resolve) => {
      backend.respond = () => resolve()
    })
    const failure = getRejection(getWallets(latchkey))
    await requests
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'http/unreachable' })
    expect(clock.waiting()).toBe(0)
  })

  test('causes no error when the caller aborts the request', async () => {
    const search = new AbortController()
    backend.respond = () => search.abort()
    const { latchkey, clock } = createWorld()
    expect(await getRejection(getWallets(latchkey, {}, search.signal))).toBe(search.signal.reason)
    expect(clock.waiting()).toBe(0)
  })
})

test('an app without a project id gets one alert, and is still served [R5.2.4] [R8.1.4]', async () => {
  respondWith({ data: [rainbow], count: 1 })
  const { latchkey, events } = createWorld({ projectId: undefined })
  await getWallets(latchkey)
  expect((await getWallets(latchkey)).count).toBe(1)
  const problem = { type: 'problem', code: 'project-id-not-configured' }
  expect(events).toEqual([problem, problem])
  expect(backend.requests[0]?.searchParams.has('projectId')).toBe(false)
})

describe('names and pictures', () => {
  const account = fakeAccount('eip155:1')
  const { address } = parseAccountId(account)

  test('are fetched once in five minutes [R7.1.3] [R9.1.10]', async () => {
    const { latchkey, clock } = fakeWorld({ server: backend.url, projectId })
    respondWith({ name: 'ann.example', avatar: 'https://img.example/a.png', resolvedAt: '2026-01-01T00:00:00Z' })
    const expected = { name: 'ann.example', avatar: 'https://img.example/a.png' }
    expect(await getIdentity(latchkey, account)).toEqual(expected)
    expect(backend.requests.map(({ pathname }) => pathname)).toEqual([`/v1/identity/${address}`])
    expect(backend.requests[0]?.searchParams.get('projectId')).toBe(projectId)
    expect(backend.requests[0]?.searchParams.get('chainId')).toBe('eip155:1')
    clock.advance(299_999)
    expect(await getIdentity(latchkey, account)).toEqual(expected)
    expect(backend.requests).toHaveLength(1)
    clock.advance(1)
    await getIdentity(latchkey, account)
    expect(backend.requests).toHaveLength(2)
  })

  test('are not requested without a server', async () => {
    expect(await getIdentity(fakeWorld().latchkey, account)).toEqual({})
    expect(backend.requests).toEqual([])
  })

  test.each([
    [{ name: null, avatar: null }, 200],
    [{ name: '', avatar: 'javascript:alert(1)' }, 200],
    [{ name: 7, avatar: 'http://img.example/a.png' }, 200],
    [{ status: 'FAILED', reasons: [] }, 400],
    [{}, 404],
  ])('are empty without an error for %j with %i', async (respond, status) => {
    const { latchkey } = fakeWorld({ server: backend.url, projectId })
    respondWith(respond, status)
    expect(await getIdentity(latchkey, account)).toEqual({ name: undefined, avatar: undefined })
  })

  test.each([
    [{}, 503, 'http/status'],
    ['no json', 200, 'http/invalid-response'],
  ])('reject for %j with %i', async (respond, status, code) => {
    const { latchkey } = fakeWorld({ server: backend.url, projectId })
    respondWith(respond, status)
    expect(await getRejection(getIdentity(latchkey, account))).toMatchObject({ code })
  })

  test('that another script wrote to the storage are rejected', async () => {
    const { latchkey } = fakeWorld({ server: backend.url, projectId })
    for (const kept of ['{', '7', '{"name":{},"avatar":"javascript:alert(1)"}']) {
      setCached(latchkey.internal, `identity/${account}`, kept)
      expect(await getIdentity(latchkey, account)).toEqual({})
    }
  })

  test('are removed when their account disconnects, and so are its balances [R4.1.1]', async () => {
    const { latchkey, storage } = fakeWorld({ server: backend.url, projectId, connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    respondWith({ name: 'ann.example', avatar: null })
    await getIdentity(latchkey, account)
    respondWith({ balances: [] })
    await getTokens(latchkey)
    await getBalance(latchkey)
    const kept = (): readonly string[] => [...storage.values.keys()].filter((key) => key.includes('/cache/'))
    expect(kept()).toHaveLength(3)
    await disconnect(latchkey)
    await expect.poll(kept).toEqual([])
  })
})
