import { describe, expect, test } from 'vitest'
import {
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  type FakeConnectorOptions,
  type FakeWorldOptions,
} from '../testing/fakes.ts'
import { connectAll } from '../connection/connectAll.ts'
import { getConnections } from '../connection/getConnections.ts'
import { listConnectMethods, listWallets, type WalletRow, type WalletRows } from './listWallets.ts'
import { addRecentWallet } from '../storage/recentWallets.ts'

const families = ['eip155', 'solana', 'bip122'] as const
const phone: FakeConnectorOptions = { id: 'walletConnect', name: 'WalletConnect', type: 'walletConnect' }

function listRowsOf(wallets: readonly FakeConnectorOptions[], options: FakeWorldOptions = {}): WalletRows {
  return listWallets(createWorldWithWallets(wallets, options).latchkey)
}

function createWorldWithWallets(
  wallets: readonly FakeConnectorOptions[],
  options: FakeWorldOptions = {},
): ReturnType<typeof fakeWorld> {
  return fakeWorld({
    adapters: families.map((namespace) => fakeAdapter({ namespace })),
    connectors: wallets.map((wallet) => fakeConnector(wallet)),
    ...options,
  })
}

function summarizeRows(rows: readonly WalletRow[]): unknown {
  return rows.map(({ name, connectorIds }) => [name, ...connectorIds])
}

describe('a wallet of several namespaces', () => {
  const [evm, solana, bitcoin]: FakeConnectorOptions[] = [
    { id: 'app.fox', rdns: 'app.fox', name: 'Fox', namespaces: ['eip155'], icon: 'data:image/png;base64,AA' },
    { id: 'solana:Fox', name: 'Fox', namespaces: ['solana'] },
    { id: 'bip122:fox', name: 'fox', namespaces: ['bip122'] },
  ]

  test('is one row, in any order of announcements [R3.7]', () => {
    expect(listRowsOf([evm, solana, bitcoin] as FakeConnectorOptions[]).injected).toMatchObject([
      { id: 'app.fox', rdns: 'app.fox', icon: 'data:image/png;base64,AA', namespaces: ['eip155', 'solana', 'bip122'] },
    ])
    expect(listRowsOf([solana, bitcoin, evm] as FakeConnectorOptions[]).injected).toMatchObject([
      { id: 'solana:Fox', rdns: 'app.fox', connectorIds: ['solana:Fox', 'bip122:fox', 'app.fox'] },
    ])
  })

  test('is never merged with a look-alike that has another reverse-DNS name', () => {
    const wallets = [
      { id: 'app.fox', rdns: 'app.fox', name: 'Fox', namespaces: ['eip155'] },
      { id: 'evil.fox', rdns: 'evil.fox', name: 'Fox', namespaces: ['solana'] },
    ] as const
    expect(summarizeRows(listRowsOf(wallets).injected)).toEqual([
      ['Fox', 'app.fox'],
      ['Fox', 'evil.fox'],
    ])
  })

  test('is not merged with either of two look-alikes', () => {
    const wallets = [
      { id: 'app.fox', rdns: 'app.fox', name: 'Fox', namespaces: ['eip155'] },
      { id: 'evil.fox', rdns: 'evil.fox', name: 'Fox', namespaces: ['eip155'] },
      { id: 'solana:Fox', name: 'Fox', namespaces: ['solana'] },
    ] as const
    expect(summarizeRows(listRowsOf(wallets).injected)).toEqual([
      ['Fox', 'app.fox'],
      ['Fox', 'evil.fox'],
      ['Fox', 'solana:Fox'],
    ])
  })

  test('is two rows when two connectors with one name share a namespace', () => {
    const wallets = [
      { id: 'one', name: 'Fox' },
      { id: 'two', name: 'Fox' },
    ]
    expect(summarizeRows(listRowsOf(wallets).injected)).toEqual([
      ['Fox', 'one'],
      ['Fox', 'two'],
    ])
  })

  test('connects in all of them, one request after another', async () => {
    const { latchkey } = createWorldWithWallets([evm, solana, bitcoin] as FakeConnectorOptions[])
    const [row] = listWallets(latchkey).injected
    expect(await connectAll(latchkey, row?.connectorIds ?? [])).toHaveLength(3)
    expect(getConnections(latchkey).map(({ namespace }) => namespace)).toEqual([...families])
  })

  test('keeps granted connections when a later request is declined, and rejects when none was granted', async () => {
    const declined = new Error('declined')
    const { latchkey } = createWorldWithWallets([evm ?? {}, { ...solana, rejectWith: declined }])
    expect(await connectAll(latchkey, ['app.fox', 'solana:Fox'])).toHaveLength(1)
    expect(getConnections(latchkey).map(({ namespace }) => namespace)).toEqual(['eip155'])
    await expect(connectAll(latchkey, ['solana:Fox'])).rejects.toBe(declined)
  })

  test('is listed only for namespaces that it supports', () => {
    const { latchkey } = createWorldWithWallets([
      evm,
      solana,
      { id: 'other', name: 'Other', namespaces: ['bip122'] },
    ] as FakeConnectorOptions[])
    expect(listWallets(latchkey, { namespace: 'solana' }).injected).toMatchObject([
      { name: 'Fox', connectorIds: ['solana:Fox'], namespaces: ['solana'] },
    ])
  })

  test('hides namespaces without an adapter', () => {
    const wallets = [{ id: 'dot', name: 'Dot', namespaces: ['polkadot'] as const }]
    expect(listRowsOf(wallets).injected).toEqual([])
  })
})

describe('the groups', () => {
  const custom = { id: 'own', name: 'Our Wallet', rdns: 'app.own', image_id: '', chains: [] }

  test('contain each wallet once: recent, injected, custom, others [R9.2.1] [R9.3.2]', () => {
    const { latchkey } = createWorldWithWallets(
      [phone, { id: 'a', name: 'A' }, { id: 'b', name: 'B' }, { id: 'x', name: 'X', type: 'external' }],
      { customWallets: [custom] },
    )
    for (const id of ['z', 'gone', 'b']) addRecentWallet(latchkey.internal.memory, { id, name: id.toUpperCase() })
    const { walletConnect, recent, injected, external, custom: own } = listWallets(latchkey)
    expect(walletConnect?.id).toBe('walletConnect')
    expect(summarizeRows(recent)).toEqual([['B', 'b'], ['GONE']])
    expect([summarizeRows(injected), summarizeRows(external), summarizeRows(own)]).toEqual([
      [['A', 'a']],
      [['X', 'x']],
      [['Our Wallet']],
    ])
    expect(own[0]?.listed).toBe(custom)
  })

  test('do not list an injected wallet of another namespace as a phone wallet', () => {
    const { latchkey } = createWorldWithWallets([phone, { id: 'here', name: 'Here', namespaces: ['eip155'] }])
    addRecentWallet(latchkey.internal.memory, { id: 'here', name: 'Here' })
    expect(listWallets(latchkey, { namespace: 'solana' }).recent).toEqual([])
    expect(listWallets(latchkey, { namespace: 'eip155' }).recent.map(({ name }) => name)).toEqual(['Here'])
  })

  test('list a recent wallet once if it was connected in two namespaces', () => {
    const { latchkey } = createWorldWithWallets([
      { id: 'app.fox', name: 'Fox', namespaces: ['eip155'] },
      { id: 'solana:Fox', name: 'Fox', namespaces: ['solana'] },
    ])
    for (const id of ['app.fox', 'solana:Fox']) addRecentWallet(latchkey.internal.memory, { id, name: 'Fox' })
    expect(summarizeRows(listWallets(latchkey).recent)).toEqual([['Fox', 'app.fox', 'solana:Fox']])
  })

  test('leave out recent phone wallets without a connector for phones', () => {
    const { latchkey } = createWorldWithWallets([])
    addRecentWallet(latchkey.internal.memory, { id: 'gone', name: 'Gone' })
    expect(listWallets(latchkey).recent).toEqual([])
  })

  test('list an installed custom wallet once', () => {
    const rows = listRowsOf([{ id: 'app.own', rdns: 'app.own', name: 'Our Wallet' }], { customWallets: [custom] })
    expect([rows.injected.length, rows.custom.length]).toEqual([1, 0])
  })

  test.each(['app.a', 'a', 'aWALLET'])('leave out the wallet that is excluded by %j [R5.5.5]', (excluded) => {
    const wallets = [{ id: 'a', rdns: 'app.a', name: 'Awallet' }]
    expect(listRowsOf(wallets, { excludeWallets: [excluded] }).injected).toEqual([])
    expect(listRowsOf(wallets, { excludeWallets: ['app.b'] }).injected).toHaveLength(1)
  })
})

describe('the connection methods', () => {
  test('start with wallets if there is one, and with e-mail otherwise [R9.3.3]', () => {
    expect(listConnectMethods(createWorldWithWallets([phone]).latchkey)).toEqual(['email', 'social', 'wallet'])
    expect(listConnectMethods(createWorldWithWallets([{ id: 'a' }]).latchkey)).toEqual(['wallet', 'email', 'social'])
  })

  test('follow the app’s order, without disabled ones [R9.3.3]', () => {
    const { latchkey } = createWorldWithWallets([{ id: 'a' }], {
      connectMethodOrder: ['social', 'wallet', 'email'],
      features: { email: false },
    })
    expect(listConnectMethods(latchkey)).toEqual(['social', 'wallet'])
    const none = createWorldWithWallets([], { features: { email: false, socials: false } })
    expect(listConnectMethods(none.latchkey)).toEqual(['wallet'])
  })
})

test('the wallet that the page is opened in is a group of its own, even if it was used before', async () => {
  const safe = { ...fakeConnector({ id: 'safe', name: 'Safe', type: 'external' }), isHost: true }
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ id: 'fox', name: 'Fox' }), safe] })
  addRecentWallet(latchkey.internal.memory, { id: 'safe', name: 'Safe' })
  const { host, external, recent, injected } = listWallets(latchkey)
  expect([host, external, recent, injected].map(summarizeRows)).toEqual([[['Safe', 'safe']], [], [], [['Fox', 'fox']]])
})
