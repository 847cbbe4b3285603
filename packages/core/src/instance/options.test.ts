import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { createLatchkey } from './latchkey.ts'
import type { LatchkeyOptions } from './options.ts'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeStorage, fakeWorld } from '../testing/fakes.ts'

function problemsOf(options: LatchkeyOptions): readonly string[] {
  try {
    createLatchkey(options)
    return []
  } catch (error) {
    return error instanceof LatchkeyError && 'problems' in error.context ? error.context.problems : [String(error)]
  }
}

test('createLatchkey rejects invalid options with every mistake at once', () => {
  const twice = fakeNetwork()
  expect(
    problemsOf({
      adapters: [fakeAdapter({ networks: [twice, twice] }), fakeAdapter()],
      connectors: [fakeConnector(), fakeConnector()],
      server: 'localhost:8080',
      projectId: 'abc',
      defaultNetwork: 'eip155:99',
    }),
  ).toEqual([
    'adapters: two adapters handle the same namespace',
    'connectors: two connectors have the same id',
    'adapters: a network is configured twice',
    'server: must begin with http:// or https://',
    'projectId: must be 32 hex characters',
    'defaultNetwork: "eip155:99" is not a network of the adapters',
  ])
})

test.each(['a'.repeat(31), 'a'.repeat(33), 'g'.repeat(32), ''])(
  'createLatchkey rejects the project id %j',
  (projectId) => {
    expect(problemsOf({ adapters: [], projectId })).toEqual(['projectId: must be 32 hex characters'])
  },
)

test('createLatchkey applies defaults [R9.3.2]', () => {
  const { latchkey } = fakeWorld({ server: 'https://server.test//' })
  expect(latchkey.internal.settings).toMatchObject({
    server: 'https://server.test',
    enableNetworkSwitch: true,
    unsupportedNetworks: 'require',
    excludeWallets: [],
    featuredWallets: [],
    connectorOrder: ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'],
    defaultNetwork: { caipNetworkId: 'eip155:1' },
  })
})

test('createLatchkey enables the features and prefers the account types of the specification [R9.3.1] [R6.1]', () => {
  const { settings } = fakeWorld().latchkey.internal
  expect(settings.features).toEqual({
    swaps: true,
    onramp: true,
    receive: true,
    send: true,
    email: true,
    socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
    history: true,
    allWallets: true,
    legalCheckbox: false,
    smartSessions: false,
    collapseWallets: false,
  })
  expect(settings.accountTypes).toEqual({ eip155: 'smartAccount', solana: 'eoa', polkadot: 'eoa', bip122: 'payment' })
  const { settings: changed } = fakeWorld({ features: { swaps: false }, accountTypes: { bip122: 'ordinals' } }).latchkey
    .internal
  expect([changed.features.swaps, changed.features.onramp]).toEqual([false, true])
  expect([changed.accountTypes.bip122, changed.accountTypes.eip155]).toEqual(['ordinals', 'smartAccount'])
})

test('createLatchkey starts on the first network of the first adapter without a default network [R9.3.4]', () => {
  const adapters = [
    fakeAdapter({ namespace: 'solana' }),
    fakeAdapter({ networks: [fakeNetwork({ id: 5 }), fakeNetwork({ id: 1 })] }),
  ]
  const first = (of: typeof adapters): string | undefined =>
    fakeWorld({ adapters: of }).latchkey.internal.settings.defaultNetwork?.caipNetworkId
  expect([first(adapters)?.split(':')[0], first(adapters.toReversed())]).toEqual(['solana', 'eip155:5'])
})

test('createLatchkey starts on the default network and in its namespace', () => {
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const defaultNetwork: ChainId = 'solana:2'
  const { latchkey } = fakeWorld({ adapters, defaultNetwork })
  expect(latchkey.internal.settings.defaultNetwork?.caipNetworkId).toBe(defaultNetwork)
  expect(latchkey.wallet.getState()).toEqual({
    active: 'solana',
    namespaces: { eip155: { status: 'disconnected' }, solana: { status: 'disconnected' } },
    chosen: {},
    others: {},
  })
})

test('a blocked storage is reported, and the instance works without it', () => {
  const { latchkey, events } = fakeWorld({ storage: fakeStorage({ denied: true }) })
  latchkey.internal.memory.setActiveNetwork('eip155:1')
  latchkey.internal.memory.setActiveNetwork('eip155:2')
  expect(events).toEqual(Array.from({ length: 2 }, () => ({ type: 'problem', code: 'storage-unavailable' })))
  expect(latchkey.internal.memory.activeNetwork()).toBe('eip155:2')
})

test('two instances share no state', () => {
  const [one, other] = [fakeWorld(), fakeWorld()]
  one.latchkey.wallet.setState({ active: undefined, namespaces: {}, chosen: {}, others: {} }, true)
  one.latchkey.internal.tasks.starts = 7
  expect(other.latchkey.wallet.getState().active).toBe('eip155')
  expect(other.latchkey.internal.tasks.starts).toBe(0)
})
