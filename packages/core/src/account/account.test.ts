import type { HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../connection/connect.ts'
import { getHistory } from './getHistory.ts'
import { getNfts } from './getNfts.ts'
import { getTokens } from './getTokens.ts'
import type { WalletAsset, WalletCalls } from '../contracts/adapter.ts'
import {
  getRejection,
  fakeAddress,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  type FakeConnectorOptions,
  type FakeWorld,
  type FakeWorldOptions,
} from '../testing/fakes.ts'

const requests: URL[] = []
let responseBody: unknown
const server = createServer((request, response) => {
  requests.push(new URL(request.url ?? '', url))
  response.end(JSON.stringify(responseBody))
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => void requests.splice(0))

async function connectTestWallet(
  options: FakeWorldOptions = {},
  wallet: FakeConnectorOptions = {},
): Promise<FakeWorld> {
  const world = fakeWorld({ server: url, projectId: '0'.repeat(32), connectors: [fakeConnector(wallet)], ...options })
  await connect(world.latchkey, 'fake')
  return world
}

const coins: HistoryTransfer = {
  fungible_info: { name: 'Coin', symbol: 'COIN', icon: null },
  nft_info: null,
  direction: 'in',
  quantity: { numeric: '1.5' },
  value: null,
  price: null,
}

function nftOf(spam: boolean): HistoryTransfer {
  const picture = { url: 'https://tracker.invalid/cat.png', content_type: 'image/png' }
  const content = { preview: picture, detail: null }
  return { ...coins, fungible_info: null, nft_info: { name: 'Cat', content, flags: { is_spam: spam } } }
}

function createHistoryItem(id: string, transfers: readonly HistoryTransfer[] = [coins]): HistoryItem {
  return {
    id,
    metadata: {
      operationType: 'receive',
      hash: `0x${id}`,
      minedAt: '2026-01-02T03:04:05Z',
      sentFrom: '0xa',
      sentTo: '0xb',
      status: 'confirmed',
      nonce: 7,
      application: { name: 'Shop', iconUrl: null },
      chain: 'eip155:1',
    },
    transfers,
  }
}

test('the tokens of a namespace without served balances are not requested [R9.4.1]', async () => {
  const adapters = [fakeAdapter({ namespace: 'bip122', features: [] })]
  const { latchkey } = await connectTestWallet({ adapters }, { namespaces: ['bip122'] })
  expect(await getTokens(latchkey)).toEqual([])
  expect(requests).toEqual([])
})

describe('the history of an account', () => {
  test("is that of the wallet's network, page by page [R7.1.4]", async () => {
    responseBody = { data: [createHistoryItem('1'), createHistoryItem('2', [coins, nftOf(false)])], next: 'more' }
    const { latchkey } = await connectTestWallet()
    const { data, next } = await getHistory(latchkey, { cursor: 'here' })
    expect(data[0]).toEqual(createHistoryItem('1'))
    // A URL outside the server is not a picture.
    expect(data[1]?.transfers[1]?.nft_info).toMatchObject({ name: 'Cat', content: { preview: null } })
    expect(next).toBe('more')
    const [request] = requests
    expect(request?.pathname).toBe(`/v1/account/${fakeAddress('eip155')}/history`)
    expect(Object.fromEntries(request?.searchParams ?? [])).toMatchObject({ chainId: 'eip155:1', cursor: 'here' })
  })

  test('leaves out spam and entries of other networks [R5.5.4]', async () => {
    const elsewhere = createHistoryItem('5')
    const [mixed, spam, empty] = [
      createHistoryItem('1', [nftOf(true), coins]),
      createHistoryItem('2', [nftOf(true), nftOf(true)]),
      createHistoryItem('3', []),
    ]
    const away = { ...elsewhere, metadata: { ...elsewhere.metadata, chain: 'eip155:5' } }
    responseBody = {
      data: [mixed, spam, empty, away, { ...createHistoryItem('6'), metadata: { ...away.metadata, chain: null } }],
      next: null,
    }
    const { data } = await getHistory((await connectTestWallet()).latchkey)
    expect(data.map(({ id }) => id)).toEqual(['1', '3'])
  })

  test('omits zero-value transfers and spam tokens of others, but not those the account signed', async () => {
    const from = (one: HistoryItem, sentFrom: string): HistoryItem => ({
      ...one,
      metadata: { ...one.metadata, operationType: 'send', sentFrom },
    })
    const nothing: HistoryTransfer = { ...coins, direction: 'out', quantity: { numeric: '0.000' } }
    const lure: HistoryTransfer = {
      ...coins,
      fungible_info: { name: 'Claim', symbol: 'C', icon: null, flags: { is_spam: true } },
    }
    const own = fakeAddress('eip155')
    responseBody = {
      data: [
        from(createHistoryItem('1', [nothing]), '0xa'),
        from(createHistoryItem('2', [lure, nothing]), '0xa'),
        from(createHistoryItem('3', [nothing]), own.toUpperCase().replace('0X', '0x')),
        from(createHistoryItem('4', [lure]), own),
        from(createHistoryItem('5', [nothing, coins]), '0xa'),
      ],
      next: null,
    }
    const { data } = await getHistory((await connectTestWallet()).latchkey)
    expect(data.map(({ id }) => id)).toEqual(['3', '4', '5'])
  })

  test('omits transactions of others that move nothing, but not those the account signed, or approvals', async () => {
    const create = (id: string, change: Partial<HistoryItem['metadata']>): HistoryItem => {
      const item = createHistoryItem(id, [])
      return { ...item, metadata: { ...item.metadata, ...change } }
    }
    const own = fakeAddress('eip155')
    responseBody = {
      data: [
        create('1', { operationType: 'execute', sentTo: own }),
        create('2', { operationType: 'receive', status: 'failed', sentTo: own }),
        create('3', { operationType: 'execute', sentFrom: own }),
        create('4', { operationType: 'approve' }),
      ],
      next: null,
    }
    const { data } = await getHistory((await connectTestWallet()).latchkey)
    expect(data.map(({ id }) => id)).toEqual(['3', '4'])
  })

  test('leaves out invalid entries, and missing fields stay undefined', async () => {
    const bare = {
      hash: '0x1',
      minedAt: '2026-01-02',
      chain: 'eip155:1',
      operationType: 'juggle',
      status: 7,
      nonce: 'x',
    }
    const odd = [null, 7, { quantity: {} }, { quantity: { numeric: '1e9' } }, { quantity: { numeric: '2' } }]
    responseBody = {
      data: [
        null,
        7,
        {},
        { id: '1' },
        { id: '2', metadata: { ...bare, minedAt: 'once' } },
        { id: '3', metadata: bare, transfers: odd },
      ],
      next: 7,
    }
    const { data, next } = await getHistory((await connectTestWallet()).latchkey)
    expect(next).toBeNull()
    expect(data).toEqual([
      {
        id: '3',
        metadata: {
          operationType: 'execute',
          hash: '0x1',
          minedAt: '2026-01-02',
          sentFrom: '',
          sentTo: '',
          status: 'confirmed',
          nonce: 0,
          application: null,
          chain: 'eip155:1',
        },
        transfers: [{ ...coins, fungible_info: null, direction: 'out', quantity: { numeric: '2' } }],
      },
    ])
  })

  test('has the values from the server, without invalid ones', async () => {
    const values = [12.5, 0, null, -1, '12', Number.MAX_VALUE]
    const transfers = values.map((value) => ({ ...coins, value, price: value }))
    responseBody = { data: [{ ...createHistoryItem('1'), transfers }], next: null }
    const { data } = await getHistory((await connectTestWallet()).latchkey)
    expect(data[0]?.transfers.map(({ value }) => value)).toEqual([12.5, 0, null, null, null, Number.MAX_VALUE])
    expect(data[0]?.transfers.map(({ price }) => price)).toEqual([12.5, 0, null, null, null, Number.MAX_VALUE])
  })

  test('rejects without an account [R7.1.23] [R8.3.10]', async () => {
    const { latchkey } = fakeWorld({ server: url })
    const failure = await getRejection(getHistory(latchkey))
    expect(failure).toMatchObject({ code: 'history/no-account' })
    expect(String(failure)).toContain("Transactions can't be fetched without an accountAddress")
    expect(requests).toEqual([])
  })

  test.each([[{}], ['no page'], [{ data: {} }]])('rejects when the server responds with %j', async (nonsense) => {
    responseBody = nonsense
    const { latchkey } = await connectTestWallet()
    expect(await getRejection(getHistory(latchkey))).toMatchObject({ code: 'http/invalid-response' })
    expect(await getRejection(getNfts(latchkey))).toMatchObject({ code: 'http/invalid-response' })
  })
})

describe('the NFTs of an account', () => {
  const cat = {
    id: 'eip155:1/erc721:0xc/1',
    chainId: 'eip155:1',
    contract: '0xc',
    tokenId: '1',
    name: 'Cat',
    collection: { name: 'Cats', symbol: 'CAT' },
    picture: { url: 'http://other.invalid/v1/nft/eip155%3A1/0xc/1/picture', contentType: 'image/png' },
    quantity: '2',
    isSpam: false,
  }

  test('have pictures of the configured server only', async () => {
    const stolen = { ...cat, id: 'b', picture: { url: 'https://tracker.invalid/cat.png', contentType: null } }
    responseBody = { data: [cat, stolen, { ...cat, id: 'c', chainId: 'eip155:5' }], next: 'more' }
    const { data, next } = await getNfts((await connectTestWallet()).latchkey)
    expect(next).toBe('more')
    expect(data.map(({ id }) => id)).toEqual([cat.id, 'b'])
    expect(new URL(data[0]?.picture?.url ?? '').origin).toBe(url)
    expect(new URL(data[0]?.picture?.url ?? '').pathname).toBe('/v1/nft/eip155%3A1/0xc/1/picture')
    expect(data[1]?.picture).toBeNull()
    expect(requests[0]?.pathname).toBe(`/v1/account/${fakeAddress('eip155')}/nfts`)
  })

  test('are parsed one by one', async () => {
    const { id, chainId, contract, tokenId } = cat
    responseBody = { data: [null, 7, {}, { ...cat, chainId: 'x' }, { id, chainId, contract, tokenId, isSpam: true }] }
    const { data } = await getNfts((await connectTestWallet()).latchkey)
    const collection = { name: null, symbol: null }
    expect(data).toEqual([
      { id, chainId, contract, tokenId, name: null, collection, picture: null, quantity: '1', isSpam: true },
    ])
  })

  test('are empty without a server, and so is the history', async () => {
    const { latchkey } = await connectTestWallet({ server: undefined })
    expect(await getNfts(latchkey)).toEqual({ data: [], next: null })
    expect(await getHistory(latchkey)).toEqual({ data: [], next: null })
    expect(requests).toEqual([])
  })
})

const asset: WalletAsset = {
  address: '0xdd',
  balance: 2_500_000n,
  type: 'ERC20',
  metadata: { name: 'Dollar', symbol: 'USD', decimals: 6, price: 2, iconUrl: 'https://tracker.invalid/usd.png' },
}
const unpriced: WalletAsset = {
  balance: 1n,
  type: 'NATIVE',
  metadata: { name: 'Coin', symbol: 'COIN', decimals: 18, price: 0, iconUrl: '' },
}

/** Creates an adapter whose wallets may report their assets. */
function createAssetsWorld(getAssets: () => Promise<readonly WalletAsset[] | undefined>): {
  options: FakeWorldOptions
  callCount: () => number
} {
  let callCount = 0
  const no = (): never => {
    throw new Error('Unexpected call.')
  }
  const calls: WalletCalls = {
    getCapabilities: no,
    sendCalls: no,
    getCallsStatus: no,
    grantPermissions: no,
    revokePermissions: no,
    getAssets() {
      callCount += 1
      return getAssets()
    },
  }
  return { options: { adapters: [{ ...fakeAdapter(), walletCalls: async () => calls }] }, callCount: () => callCount }
}

describe('tokens that the wallet reports', () => {
  test('replace those of the server, most valuable first, and a price of 0 is undefined [R5.5.2]', async () => {
    const { latchkey } = await connectTestWallet(createAssetsWorld(async () => [unpriced, asset]).options)
    expect(await getTokens(latchkey)).toEqual([
      {
        name: 'Dollar',
        symbol: 'USD',
        chainId: 'eip155:1',
        address: 'eip155:1:0xdd',
        value: 5,
        price: 2,
        quantity: { decimals: '6', numeric: '2.5' },
        iconUrl: '',
      },
      {
        name: 'Coin',
        symbol: 'COIN',
        chainId: 'eip155:1',
        price: 0,
        quantity: { decimals: '18', numeric: '0.000000000000000001' },
        iconUrl: '',
      },
    ])
    expect(requests).toEqual([])
  })

  test.each([
    ['returns undefined', async () => undefined],
    ['fails', () => Promise.reject(new Error('broken'))],
  ])('come from the server when the wallet %s, which is not asked again', async (_, getAssets) => {
    const { options, callCount } = createAssetsWorld(getAssets)
    const { latchkey } = await connectTestWallet(options)
    responseBody = { balances: [] }
    await getTokens(latchkey)
    await getTokens(latchkey, { fresh: true })
    expect(requests).toHaveLength(2)
    expect(callCount()).toBe(1)
  })

  test('are not waited for longer than a second', async () => {
    const { options, callCount } = createAssetsWorld(() => new Promise(() => {}))
    const { latchkey, clock } = await connectTestWallet(options)
    responseBody = { balances: [] }
    const tokens = getTokens(latchkey)
    await expect.poll(callCount).toBe(1)
    clock.advance(1_000)
    expect(await tokens).toEqual([])
    expect(requests).toHaveLength(1)
  })

  test('are not requested from a remote wallet', async () => {
    const { options, callCount } = createAssetsWorld(async () => [asset])
    const { latchkey } = await connectTestWallet(options, { type: 'walletConnect' })
    responseBody = { balances: [] }
    expect(await getTokens(latchkey)).toEqual([])
    expect(callCount()).toBe(0)
  })
})

test('changed tokens are sent to the server, which reads them from the chain', async () => {
  const { latchkey } = await connectTestWallet()
  responseBody = { balances: [] }
  await getTokens(latchkey)
  await getTokens(latchkey, { forceUpdate: ['eip155:1:0xdd', 'eip155:1:0xee'] })
  expect(requests[1]?.searchParams.get('forceUpdate')).toBe('eip155:1:0xdd,eip155:1:0xee')
})
