import type { Connection, Connector } from '@latchkey/core'
import { getRejection, manualClock, flushTasks, type ManualClock } from '@latchkey/core/testing'
import { LatchkeyError } from '@latchkey/protocol'
import {
  createSimulatedSolanaWallet,
  registerSolanaWallet,
  type SimulatedSolanaOptions,
  type SimulatedSolanaWallet,
} from '@latchkey/testkit'
import { describe, expect, test } from 'vitest'
import { discoverSolanaWallets } from './discoverSolanaWallets.ts'
import { solanaDevnet, solanaMainnet } from '../chain/solanaNetworks.ts'

const [aliceKey, bobKey] = ['a1'.repeat(32), 'b2'.repeat(32)]
const networks = [solanaMainnet, solanaDevnet]
const notRejected = { signal: new AbortController().signal, networks }

type World = {
  page: EventTarget
  clock: ManualClock
  found: Connector[]
  lost: string[]
  stop: () => void
}

function discoverWallets(page = new EventTarget()): World {
  const clock = manualClock()
  const [found, lost]: [Connector[], string[]] = [[], []]
  const stop = discoverSolanaWallets(
    (connector) => found.push(connector),
    (id) => lost.push(id),
    page,
    clock,
  )
  return { page, clock, found, lost, stop }
}

/** No test in this file contacts a chain. */
function walletOf(options: Partial<SimulatedSolanaOptions> = {}): SimulatedSolanaWallet {
  const rpcUrls = { 'solana:mainnet': 'http://127.0.0.1:1', 'solana:devnet': 'http://127.0.0.1:1' }
  return createSimulatedSolanaWallet({ privateKeys: [aliceKey, bobKey], rpcUrls, ...options })
}

/** A discovered wallet in a page. */
function setUp(options: Partial<SimulatedSolanaOptions> = {}) {
  const world = discoverWallets()
  const wallet = walletOf(options)
  registerSolanaWallet(wallet, world.page)
  const [connector] = world.found
  if (connector === undefined) throw new Error('The wallet was not found.')
  const connect = async (): Promise<Connection> => (await connector.connect(notRejected))[0]
  return { ...world, wallet, connector, connect }
}

/** Registers a malformed wallet in the page. */
function register(page: EventTarget, wallet: unknown): void {
  const detail = (api: { register(wallet: unknown): void }): void => api.register(wallet)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
}

/** A well-formed wallet of the Wallet Standard that does nothing. */
function createPlainWallet(fields: object = {}): object {
  const connect = async (): Promise<object> => ({ accounts: [] })
  return {
    version: '1.0.0',
    name: 'Plain',
    icon: 'data:image/png;base64,AA==',
    chains: ['solana:mainnet'],
    accounts: [],
    features: { 'standard:connect': { connect }, 'solana:signMessage': {} },
    ...fields,
  }
}

const throwing = new Proxy({}, { get: () => expect.fail('do not look') as never })
const hostile: readonly [string, unknown][] = [
  ['no value', undefined],
  ['a string', 'wallet'],
  ['throwing getters', throwing],
  ['a name that is not a string', createPlainWallet({ name: 7 })],
  ['an invisible name', createPlainWallet({ name: '\u200b\u202e ' })],
  ['chains that are not a list', createPlainWallet({ chains: 'solana:mainnet' })],
  ['only chains of other namespaces', createPlainWallet({ chains: ['eip155:1', 'bitcoin:mainnet'] })],
  ['no features', createPlainWallet({ features: undefined })],
  ['throwing features', createPlainWallet({ features: throwing })],
  ['no connect feature', createPlainWallet({ features: { 'solana:signMessage': {} } })],
  ['no signing feature', createPlainWallet({ features: { 'standard:connect': {} } })],
]

describe('wallets of the page', () => {
  test.each(hostile)('with %s are not listed and cause no error', (_, wallet) => {
    const { page, found } = discoverWallets()
    register(page, wallet)
    register(page, createPlainWallet())
    expect(found.map(({ name }) => name)).toEqual(['Plain'])
  })

  test.each([
    ['a callback that throws', { detail: (): unknown => expect.fail('no') }],
    ['no callback', { detail: 'register' }],
    ['no detail', {}],
  ])('are listed despite an event with %s', (_, init) => {
    const { page, found } = discoverWallets()
    page.dispatchEvent(new CustomEvent<unknown>('wallet-standard:register-wallet', init))
    register(page, createPlainWallet())
    expect(found).toHaveLength(1)
  })

  test('have short names without bidirectional characters', () => {
    const { page, found } = discoverWallets()
    register(page, createPlainWallet({ name: `\u202eEvil${'x'.repeat(1_000)}` }))
    expect(found[0]?.name).toBe(`Evil${'x'.repeat(56)}`)
  })

  test.each([
    ['a web URL', 'https://tracker.test/icon.png'],
    ['a javascript URL', 'javascript:alert(1)'],
    ['an HTML data URL', 'data:text/html,hello'],
    ['an oversized image', `data:image/png;base64,${'A'.repeat(300_000)}`],
    ['an object', {}],
  ])('whose icon is %s are listed without an icon', (_, icon) => {
    const { page, found } = discoverWallets()
    register(page, createPlainWallet({ icon }))
    expect(found.map((connector) => connector.icon)).toEqual([undefined])
  })

  test('are listed once, and two with the same name get two ids', () => {
    const { page, found } = discoverWallets()
    const twice = createPlainWallet()
    register(page, twice)
    register(page, twice)
    register(page, createPlainWallet())
    expect(found.map(({ id }) => id)).toEqual(['solana/Plain', 'solana/Plain/2'])
  })

  test('are limited in number', () => {
    const { page, found } = discoverWallets()
    for (let count = 0; count < 1_000; count += 1) register(page, createPlainWallet())
    expect(found).toHaveLength(100)
  })

  test('are removed when they unregister, and found again when they register again', () => {
    const { page, found, lost } = discoverWallets()
    const wallet = walletOf({ info: { name: 'Ghost' } })
    const unregister = registerSolanaWallet(wallet, page)
    expect(lost).toEqual([])
    unregister()
    expect(lost).toEqual(['solana/Ghost'])
    registerSolanaWallet(wallet, page)
    expect(found).toHaveLength(2)
  })

  test('receive no request before connect', async () => {
    const { wallet } = setUp()
    await flushTasks()
    expect(wallet.requests).toEqual([])
  })

  test('are not discovered on a server', () => {
    expect(() =>
      discoverSolanaWallets(
        () => {},
        () => {},
        undefined,
        undefined,
      )(),
    ).not.toThrow()
  })
})

describe('connecting', () => {
  test('returns all accounts of the wallet and the common networks', async () => {
    const { connect } = setUp()
    const { accounts, chainId, approvedChains, details } = await connect()
    expect(accounts).toHaveLength(2)
    expect(accounts[0].startsWith(`${solanaMainnet.caipNetworkId}:`)).toBe(true)
    expect(chainId).toBe(solanaMainnet.caipNetworkId)
    expect(approvedChains).toEqual([solanaMainnet.caipNetworkId, solanaDevnet.caipNetworkId])
    expect(details?.(accounts[0])).toMatchObject({ type: 'eoa' })
  })

  test('uses no network that the wallet does not support', async () => {
    const { connect } = setUp({ info: { chains: ['solana:devnet'] } })
    const { chainId, approvedChains, switchTo } = await connect()
    expect(chainId).toBe(solanaDevnet.caipNetworkId)
    expect(approvedChains).toEqual([solanaDevnet.caipNetworkId])
    expect(await switchTo?.(solanaMainnet.caipNetworkId)).toBe(false)
  })

  test.each([
    ['a value that is not a list', { accounts: 'all' }],
    ['an account without an address', { accounts: [{}] }],
    ['an address of another namespace', { accounts: [{ address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' }] }],
    ['an empty list', { accounts: [] }],
    ['no value', undefined],
  ])('rejects %s as accounts', async (_, response) => {
    const { page, found } = discoverWallets()
    const features = { 'standard:connect': { connect: async () => response }, 'solana:signMessage': {} }
    register(page, createPlainWallet({ features }))
    expect(await getRejection(found[0]?.connect(notRejected) ?? Promise.resolve())).toMatchObject({
      code: 'wallet/invalid-response',
      context: { wallet: 'Plain', method: 'standard:connect' },
    })
  })

  test('ignores accounts of other namespaces', async () => {
    const { page, found } = discoverWallets()
    const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const accounts = [
      { address: 'bc1q', chains: ['bitcoin:mainnet'] },
      { address, chains: ['solana:mainnet'], label: 'Main' },
    ]
    register(
      page,
      createPlainWallet({
        features: { 'standard:connect': { connect: async () => ({ accounts }) }, 'solana:signMessage': {} },
      }),
    )
    const [connection] = (await found[0]?.connect(notRejected)) ?? []
    expect(connection?.accounts).toEqual([`${solanaMainnet.caipNetworkId}:${address}`])
    expect(connection?.details?.(connection.accounts[0])?.label).toBe('Main')
  })

  test('rejects after five minutes if the wallet never responds', async () => {
    const { wallet, clock, connect } = setUp()
    wallet.neverRespondNext()
    const failure = getRejection(connect())
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('rejects at once if the wallet unregisters', async () => {
    const { wallet, connect } = setUp()
    wallet.hold()
    const failure = getRejection(connect())
    await expect.poll(() => wallet.requests).toHaveLength(1)
    wallet.uninstall()
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })
})

describe('restoring a connection', () => {
  test('rejects as locked if the wallet reports it', async () => {
    const { wallet, connector } = setUp({ permitted: true })
    wallet.lock()
    await expect(connector.restore(notRejected)).rejects.toMatchObject({ code: 'wallet/locked' })
    wallet.unlock()
    expect(await connector.restore(notRejected)).toHaveLength(1)
  })

  test.each([
    ['a rejection', { kind: 'reject' }],
    ['an internal error', { kind: 'fail', code: -32603, message: 'Not connected' }],
  ] as const)('returns no connection if the wallet responds with %s', async (_, fault) => {
    const { wallet, connector } = setUp()
    wallet.faults.set('standard:silentConnect', fault)
    expect(await connector.restore(notRejected)).toEqual([])
  })

  test('rejects after ten seconds without a response', async () => {
    const { wallet, clock, connector } = setUp({ permitted: true })
    wallet.faults.set('standard:silentConnect', { kind: 'silence' })
    const failure = getRejection(connector.restore(notRejected))
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })
})

describe('a connection', () => {
  test('follows the accounts of the wallet and ends when the last one is removed', async () => {
    const { wallet, connect } = setUp()
    const connection = await connect()
    const events: unknown[] = []
    connection.listen({
      accountsChanged: (accounts) => events.push(accounts.length),
      chainChanged: (chainId) => events.push(chainId),
      disconnected: (reason) => events.push(['gone', reason]),
    })
    const addresses = connection.accounts.map((account) => account.slice(account.lastIndexOf(':') + 1))
    wallet.removeAccount(addresses[0] ?? '')
    wallet.removeAccount(addresses[1] ?? '')
    expect(events).toEqual([1, ['gone', undefined]])
  })

  test('reports the reason when the wallet is gone', async () => {
    const { wallet, connect } = setUp()
    const reasons: unknown[] = []
    const ignore = (): void => {}
    const connection = await connect()
    connection.listen({ accountsChanged: ignore, chainChanged: ignore, disconnected: (reason) => reasons.push(reason) })
    wallet.uninstall()
    expect(reasons).toEqual(['uninstalled'])
  })

  test('switches networks without a request to the wallet', async () => {
    const { wallet, connect } = setUp()
    const connection = await connect()
    const requestCount = wallet.requests.length
    expect(await connection.switchTo?.(solanaDevnet.caipNetworkId)).toBe(true)
    expect(connection.chainId).toBe(solanaDevnet.caipNetworkId)
    expect(connection.accounts[0].startsWith(`${solanaDevnet.caipNetworkId}:`)).toBe(true)
    expect(wallet.requests).toHaveLength(requestCount)
  })

  test.each([
    ['a wallet without message signing', { info: { without: ['solana:signMessage'] } }, {}, 4200],
    ['another account', {}, { pubkey: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }, 4100],
    ['no message', {}, { message: 7 }, -32_602],
  ])('refuses a request with %s', async (_, options, params, code) => {
    const { connect } = setUp(options)
    const { provider } = await connect()
    const signing = provider.request({ method: 'solana_signMessage', params: { message: '2', ...params } })
    await expect(signing).rejects.toMatchObject({ code: 'request/failed', context: { code } })
  })

  test('reports pending signatures as unknown if the wallet disappears or times out', async () => {
    const { wallet, clock, connect } = setUp()
    const { provider } = await connect()
    const request = (): Promise<unknown> =>
      getRejection(provider.request({ method: 'solana_signMessage', params: { message: '2' } }))
    wallet.neverRespondNext()
    const late = request()
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(300_000)
    expect(await late).toMatchObject({ code: 'request/unknown', context: { method: 'solana_signMessage' } })
    wallet.neverRespondNext()
    const cutOff = request()
    await expect.poll(clock.waiting).toBe(1)
    wallet.uninstall()
    expect(await cutOff).toMatchObject({ code: 'request/unknown' })
    expect(await request()).toMatchObject({ code: 'wallet/unavailable' })
  })

  test.each([undefined, [], [{}], [{ signature: 'text' }], [{ signature: new Uint8Array() }], 'signed'])(
    'refuses %j as a signature',
    async (response) => {
      const { page, found } = discoverWallets()
      const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
      const features = {
        'standard:connect': { connect: async () => ({ accounts: [{ address }] }) },
        'solana:signMessage': { signMessage: async () => response },
      }
      register(page, createPlainWallet({ features }))
      const [connection] = (await found[0]?.connect(notRejected)) ?? []
      const signing = connection?.provider.request({ method: 'solana_signMessage', params: { message: '2' } })
      const failure = await getRejection(signing ?? Promise.resolve())
      expect(failure).toBeInstanceOf(LatchkeyError)
      expect(failure).toMatchObject({ code: 'wallet/invalid-response', context: { method: 'solana_signMessage' } })
    },
  )
})
