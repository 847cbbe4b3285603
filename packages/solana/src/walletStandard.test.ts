import type { Connection, Connector } from '@latchkey/core'
import { failureOf, manualClock, settled, type ManualClock } from '@latchkey/core/testing'
import { LatchkeyError } from '@latchkey/protocol'
import {
  createSimulatedSolanaWallet,
  registerSolanaWallet,
  type SimulatedSolanaOptions,
  type SimulatedSolanaWallet,
} from '@latchkey/testkit'
import { describe, expect, test } from 'vitest'
import { discoverRegistered } from './discover.ts'
import { solanaDevnet, solanaMainnet } from './networks.ts'

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

function look(page = new EventTarget()): World {
  const clock = manualClock()
  const [found, lost]: [Connector[], string[]] = [[], []]
  const stop = discoverRegistered(
    (connector) => found.push(connector),
    (id) => lost.push(id),
    page,
    clock,
  )
  return { page, clock, found, lost, stop }
}

/** Nothing in this file asks a chain. */
function walletOf(options: Partial<SimulatedSolanaOptions> = {}): SimulatedSolanaWallet {
  const rpcUrls = { 'solana:mainnet': 'http://127.0.0.1:1', 'solana:devnet': 'http://127.0.0.1:1' }
  return createSimulatedSolanaWallet({ privateKeys: [aliceKey, bobKey], rpcUrls, ...options })
}

/** A wallet in a page, found. */
function setUp(options: Partial<SimulatedSolanaOptions> = {}) {
  const world = look()
  const wallet = walletOf(options)
  registerSolanaWallet(wallet, world.page)
  const [connector] = world.found
  if (connector === undefined) throw new Error('The wallet was not found.')
  const connect = async (): Promise<Connection> => (await connector.connect(notRejected))[0]
  return { ...world, wallet, connector, connect }
}

/** Lets an app of the page register something that is no proper wallet. */
function register(page: EventTarget, wallet: unknown): void {
  const detail = (api: { register(wallet: unknown): void }): void => api.register(wallet)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
}

/** What a page sees of a proper wallet that does nothing. */
function plain(fields: object = {}): object {
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
  ['nothing', undefined],
  ['a text', 'wallet'],
  ['an object that throws when it is looked at', throwing],
  ['a name that is no text', plain({ name: 7 })],
  ['a name that nobody can see', plain({ name: '\u200b\u202e ' })],
  ['chains that are no list', plain({ chains: 'solana:mainnet' })],
  ['only chains of other families', plain({ chains: ['eip155:1', 'bitcoin:mainnet'] })],
  ['no features', plain({ features: undefined })],
  ['features that throw', plain({ features: throwing })],
  ['no way to connect', plain({ features: { 'solana:signMessage': {} } })],
  ['nothing that it could sign', plain({ features: { 'standard:connect': {} } })],
]

describe('wallets of the page', () => {
  test.each(hostile)('with %s are not shown, and harm nobody', (_, wallet) => {
    const { page, found } = look()
    register(page, wallet)
    register(page, plain())
    expect(found.map(({ name }) => name)).toEqual(['Plain'])
  })

  test.each([
    ['a callback that throws', { detail: (): unknown => expect.fail('no') }],
    ['no callback', { detail: 'register' }],
    ['nothing at all', {}],
  ])('may send an event with %s', (_, init) => {
    const { page, found } = look()
    page.dispatchEvent(new CustomEvent<unknown>('wallet-standard:register-wallet', init))
    register(page, plain())
    expect(found).toHaveLength(1)
  })

  test('have names of a length for a row, without marks that turn the direction of writing', () => {
    const { page, found } = look()
    register(page, plain({ name: `\u202eEvil${'x'.repeat(1_000)}` }))
    expect(found[0]?.name).toBe(`Evil${'x'.repeat(56)}`)
  })

  test.each([
    ['an address of the web', 'https://tracker.test/icon.png'],
    ['a script', 'javascript:alert(1)'],
    ['a page', 'data:text/html,hello'],
    ['more than a picture for a row has', `data:image/png;base64,${'A'.repeat(300_000)}`],
    ['an object', {}],
  ])('whose icon is %s are shown without one', (_, icon) => {
    const { page, found } = look()
    register(page, plain({ icon }))
    expect(found.map((connector) => connector.icon)).toEqual([undefined])
  })

  test('are shown once, and two of one name under two ids', () => {
    const { page, found } = look()
    const twice = plain()
    register(page, twice)
    register(page, twice)
    register(page, plain())
    expect(found.map(({ id }) => id)).toEqual(['solana/Plain', 'solana/Plain/2'])
  })

  test('are not shown without end', () => {
    const { page, found } = look()
    for (let count = 0; count < 1_000; count += 1) register(page, plain())
    expect(found).toHaveLength(100)
  })

  test('leave the list when they unregister, and are found again when they come back', () => {
    const { page, found, lost } = look()
    const wallet = walletOf({ info: { name: 'Ghost' } })
    const unregister = registerSolanaWallet(wallet, page)
    expect(lost).toEqual([])
    unregister()
    expect(lost).toEqual(['solana/Ghost'])
    registerSolanaWallet(wallet, page)
    expect(found).toHaveLength(2)
  })

  test('are asked nothing before somebody connects', async () => {
    const { wallet } = setUp()
    await settled()
    expect(wallet.requests).toEqual([])
  })

  test('are not looked for on a server', () => {
    expect(() =>
      discoverRegistered(
        () => {},
        () => {},
        undefined,
        undefined,
      )(),
    ).not.toThrow()
  })
})

describe('connecting', () => {
  test('takes all accounts of the wallet, and the networks that both know', async () => {
    const { connect } = setUp()
    const { accounts, chainId, approvedChains, details } = await connect()
    expect(accounts).toHaveLength(2)
    expect(accounts[0].startsWith(`${solanaMainnet.caipNetworkId}:`)).toBe(true)
    expect(chainId).toBe(solanaMainnet.caipNetworkId)
    expect(approvedChains).toEqual([solanaMainnet.caipNetworkId, solanaDevnet.caipNetworkId])
    expect(details?.(accounts[0])).toMatchObject({ type: 'eoa' })
  })

  test('stays off networks that the wallet does not know', async () => {
    const { connect } = setUp({ info: { chains: ['solana:devnet'] } })
    const { chainId, approvedChains, switchTo } = await connect()
    expect(chainId).toBe(solanaDevnet.caipNetworkId)
    expect(approvedChains).toEqual([solanaDevnet.caipNetworkId])
    expect(await switchTo?.(solanaMainnet.caipNetworkId)).toBe(false)
  })

  test.each([
    ['no list', { accounts: 'all' }],
    ['an account without an address', { accounts: [{}] }],
    ['an address of another family', { accounts: [{ address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' }] }],
    ['no account', { accounts: [] }],
    ['nothing', undefined],
  ])('does not take %s for accounts', async (_, answer) => {
    const { page, found } = look()
    const features = { 'standard:connect': { connect: async () => answer }, 'solana:signMessage': {} }
    register(page, plain({ features }))
    expect(await failureOf(found[0]?.connect(notRejected) ?? Promise.resolve())).toMatchObject({
      code: 'wallet/invalid-answer',
      context: { wallet: 'Plain', method: 'standard:connect' },
    })
  })

  test('passes over accounts of other families', async () => {
    const { page, found } = look()
    const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const accounts = [
      { address: 'bc1q', chains: ['bitcoin:mainnet'] },
      { address, chains: ['solana:mainnet'], label: 'Main' },
    ]
    register(
      page,
      plain({ features: { 'standard:connect': { connect: async () => ({ accounts }) }, 'solana:signMessage': {} } }),
    )
    const [connection] = (await found[0]?.connect(notRejected)) ?? []
    expect(connection?.accounts).toEqual([`${solanaMainnet.caipNetworkId}:${address}`])
    expect(connection?.details?.(connection.accounts[0])?.label).toBe('Main')
  })

  test('ends within five minutes when the wallet never answers', async () => {
    const { wallet, clock, connect } = setUp()
    wallet.neverAnswerNext()
    const failure = failureOf(connect())
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('ends at once when the wallet unregisters meanwhile', async () => {
    const { wallet, connect } = setUp()
    wallet.hold()
    const failure = failureOf(connect())
    await expect.poll(() => wallet.requests).toHaveLength(1)
    wallet.vanish()
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })
})

describe('taking up an earlier consent', () => {
  test('tells that the wallet is locked, where it says so', async () => {
    const { wallet, connector } = setUp({ permitted: true })
    wallet.lock()
    await expect(connector.restore(notRejected)).rejects.toMatchObject({ code: 'wallet/locked' })
    wallet.unlock()
    expect(await connector.restore(notRejected)).toHaveLength(1)
  })

  test.each([
    ['a rejection', { kind: 'reject' }],
    ['an error of its own', { kind: 'fail', code: -32603, message: 'Not connected' }],
  ] as const)('comes to nothing where a wallet answers with %s', async (_, fault) => {
    const { wallet, connector } = setUp()
    wallet.faults.set('standard:silentConnect', fault)
    expect(await connector.restore(notRejected)).toEqual([])
  })

  test('gives up after ten seconds without an answer, and says so', async () => {
    const { wallet, clock, connector } = setUp({ permitted: true })
    wallet.faults.set('standard:silentConnect', { kind: 'silence' })
    const failure = failureOf(connector.restore(notRejected))
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })
})

describe('a connection', () => {
  test('follows the accounts of the wallet, and ends when the last one is removed', async () => {
    const { wallet, connect } = setUp()
    const connection = await connect()
    const heard: unknown[] = []
    connection.listen({
      accountsChanged: (accounts) => heard.push(accounts.length),
      chainChanged: (chainId) => heard.push(chainId),
      disconnected: (reason) => heard.push(['gone', reason]),
    })
    const addresses = connection.accounts.map((account) => account.slice(account.lastIndexOf(':') + 1))
    wallet.removeAccount(addresses[0] ?? '')
    wallet.removeAccount(addresses[1] ?? '')
    expect(heard).toEqual([1, ['gone', undefined]])
  })

  test('says why it ended when the wallet is gone', async () => {
    const { wallet, connect } = setUp()
    const reasons: unknown[] = []
    const ignore = (): void => {}
    const connection = await connect()
    connection.listen({ accountsChanged: ignore, chainChanged: ignore, disconnected: (reason) => reasons.push(reason) })
    wallet.vanish()
    expect(reasons).toEqual(['uninstalled'])
  })

  test('goes to another network without a word to the wallet', async () => {
    const { wallet, connect } = setUp()
    const connection = await connect()
    const asked = wallet.requests.length
    expect(await connection.switchTo?.(solanaDevnet.caipNetworkId)).toBe(true)
    expect(connection.chainId).toBe(solanaDevnet.caipNetworkId)
    expect(connection.accounts[0].startsWith(`${solanaDevnet.caipNetworkId}:`)).toBe(true)
    expect(wallet.requests).toHaveLength(asked)
  })

  test.each([
    ['a wallet that cannot', { info: { without: ['solana:signMessage'] } }, {}, 4200],
    ['another account', {}, { pubkey: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }, 4100],
    ['no message', {}, { message: 7 }, -32_602],
  ])('refuses to ask %s', async (_, options, params, code) => {
    const { connect } = setUp(options)
    const { provider } = await connect()
    const asking = provider.request({ method: 'solana_signMessage', params: { message: '2', ...params } })
    await expect(asking).rejects.toMatchObject({ code: 'request/failed', context: { code } })
  })

  test('tells what may have been signed as unknown, when the wallet vanishes or is late', async () => {
    const { wallet, clock, connect } = setUp()
    const { provider } = await connect()
    const ask = (): Promise<unknown> =>
      failureOf(provider.request({ method: 'solana_signMessage', params: { message: '2' } }))
    wallet.neverAnswerNext()
    const late = ask()
    await expect.poll(clock.waiting).toBe(1)
    clock.advance(300_000)
    expect(await late).toMatchObject({ code: 'request/unknown', context: { method: 'solana_signMessage' } })
    wallet.neverAnswerNext()
    const cutOff = ask()
    await expect.poll(clock.waiting).toBe(1)
    wallet.vanish()
    expect(await cutOff).toMatchObject({ code: 'request/unknown' })
    expect(await ask()).toMatchObject({ code: 'wallet/unavailable' })
  })

  test.each([undefined, [], [{}], [{ signature: 'text' }], [{ signature: new Uint8Array() }], 'signed'])(
    'does not take %j for a signature',
    async (answer) => {
      const { page, found } = look()
      const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
      const features = {
        'standard:connect': { connect: async () => ({ accounts: [{ address }] }) },
        'solana:signMessage': { signMessage: async () => answer },
      }
      register(page, plain({ features }))
      const [connection] = (await found[0]?.connect(notRejected)) ?? []
      const asking = connection?.provider.request({ method: 'solana_signMessage', params: { message: '2' } })
      const failure = await failureOf(asking ?? Promise.resolve())
      expect(failure).toBeInstanceOf(LatchkeyError)
      expect(failure).toMatchObject({ code: 'wallet/invalid-answer', context: { method: 'solana_signMessage' } })
    },
  )
})
