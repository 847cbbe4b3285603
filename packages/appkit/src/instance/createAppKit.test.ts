import { connect, memoryStorage } from '@latchkey/core'
import { fakeAdapter, fakeConnector } from '@latchkey/core/testing'
import { mainnet, polygon } from 'viem/chains'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test } from 'vitest'
import { BitcoinAdapter } from '../adapters/bitcoin/BitcoinAdapter.ts'
import { EthersAdapter } from '../adapters/ethers/EthersAdapter.ts'
import { WagmiAdapter } from '../adapters/wagmi/WagmiAdapter.ts'
import type { AppKitOptions } from '../options/appKitOptions.ts'
import { useAppKitAccount } from '../react/hooks/useAppKitAccount.ts'
import { createAppKit } from './createAppKit.ts'
import { currentAppKit } from './currentAppKit.ts'

const projectId = 'ab'.repeat(16)
afterEach(() => currentAppKit.getState().appKit?.destroy())

function create(options: Partial<AppKitOptions> = {}) {
  return createAppKit({ adapters: [new EthersAdapter()], networks: [mainnet, polygon], projectId, ...options })
}

function Account() {
  const { status } = useAppKitAccount()
  return createElement('p', undefined, status, createElement('appkit-button'))
}

describe('on a server', () => {
  test('createAppKit starts nothing, and hooks render a disconnected user', () => {
    const appKit = create()
    expect(appKit.latchkey.connectors.getState()).toEqual([])
    expect(appKit.getState()).toMatchObject({ initialized: false, open: false, selectedNetworkId: 'eip155:1' })
    expect(renderToString(createElement(Account))).toBe('<p>disconnected<appkit-button></appkit-button></p>')
  })

  test('hooks before createAppKit throw what to do', () => {
    expect(() => renderToString(createElement(Account))).toThrow('Call createAppKit in module scope')
  })

  test('WagmiAdapter has its configuration before createAppKit', async () => {
    const { wagmiConfig, wagmiChains } = new WagmiAdapter({ networks: [mainnet, polygon], projectId, ssr: true })
    expect(wagmiConfig.chains.map(({ id }) => id)).toEqual([1, 137])
    expect(wagmiChains).toHaveLength(2)
    const [connector] = wagmiConfig.connectors
    expect(await connector?.isAuthorized()).toBe(false)
    await expect(connector?.connect()).rejects.toMatchObject({ code: 'appkit/missing' })
  })
})

describe('mistakes', () => {
  test('a wrong project id is named', () => {
    expect(() => create({ projectId: 'YOUR_PROJECT_ID' })).toThrow('projectId: must be 32 hex characters')
  })

  test('a missing project id leaves the instance usable', () => {
    expect(create({ projectId: '' }).getCaipNetworks()).toHaveLength(2)
  })

  test('a default network that is not offered is named', () => {
    expect(() => create({ networks: [mainnet], defaultNetwork: polygon })).toThrow('defaultNetwork: "eip155:137"')
  })

  test('an adapter without a network is named', () => {
    expect(() => create({ adapters: [new BitcoinAdapter()] })).toThrow('Add a network of the namespace "bip122"')
    expect(() => new WagmiAdapter({ networks: [{ ...mainnet, chainNamespace: 'solana', id: 'x' }] })).toThrow(
      '"eip155"',
    )
  })

  test('both sign-in options are refused', () => {
    const siweConfig = { methods: {} } as unknown as AppKitOptions['siweConfig']
    expect(() => create({ siwx: {} as AppKitOptions['siwx'], siweConfig })).toThrow(
      'Cannot set both `siweConfig` and `siwx` options',
    )
  })

  test('options that do not exist are ignored', () => {
    expect(create({ nothing: 1 } as Partial<AppKitOptions>).getChainId()).toBe(1)
  })
})

describe('options', () => {
  const settingsOf = (options: Partial<AppKitOptions>) => create(options).latchkey.internal.settings

  test('wallet ids of the explorer become those of Latchkey', () => {
    const metamask = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'
    const settings = settingsOf({ featuredWalletIds: [metamask], excludeWalletIds: ['dev.own'], enableCoinbase: false })
    expect(settings).toMatchObject({
      featuredWallets: ['io.metamask'],
      excludeWallets: ['dev.own', 'com.coinbase.wallet'],
    })
  })

  test('logins are hidden without a frame, and shown with one', () => {
    expect(settingsOf({}).features).toMatchObject({ email: false, socials: false })
    const latchkey = { frame: 'https://wallet.example.org' }
    expect(settingsOf({ latchkey }).features.email).toBe(true)
    expect(settingsOf({ latchkey, features: { socials: ['x'] } }).features.socials).toEqual(['x'])
  })

  test('basic leaves out the features of the account', () => {
    expect(settingsOf({ basic: true }).features).toMatchObject({
      swaps: false,
      onramp: false,
      send: false,
      history: false,
    })
  })

  test.each([
    ['SHOW', true],
    ['HIDE', false],
    ['ONLY_MOBILE', 'mobile'],
  ] as const)('allWallets %s is %s', (allWallets, expected) => {
    expect(settingsOf({ allWallets }).features.allWallets).toBe(expected)
  })

  test('custom endpoints come first', () => {
    const { latchkey } = create({ customRpcUrls: { 'eip155:1': [{ url: 'https://own.example' }] } })
    expect(latchkey.networks[0]?.rpcUrls.default.http[0]).toBe('https://own.example')
  })

  test('pictures of networks are those of the app', () => {
    const { latchkey } = create({ chainImages: { 1: 'https://own.example/1.png' } })
    expect(latchkey.networks[0]?.assets?.imageUrl).toBe('https://own.example/1.png')
  })

  test('updateOptions and updateFeatures change what the next view shows', () => {
    const appKit = create({ features: { swaps: false } })
    appKit.updateFeatures({ onramp: false })
    appKit.setTermsConditionsUrl('https://own.example/terms')
    appKit.updateOptions({ allowUnsupportedChain: true })
    const { settings } = appKit.latchkey.internal
    expect(settings.features).toMatchObject({ swaps: false, onramp: false, send: true })
    expect(settings.legal.termsUrl).toBe('https://own.example/terms')
    expect(settings.unsupportedNetworks).toBe('ignore')
  })
})

describe('methods', () => {
  test('addresses are written as the adapter writes them', async () => {
    const appKit = create({
      adapters: [
        {
          namespace: 'eip155',
          createAdapter: () => fakeAdapter(),
          formatAddress: (address) => address.toUpperCase(),
        },
      ],
      latchkey: { storage: memoryStorage() },
    })
    appKit.latchkey.connectors.setState([fakeConnector()], true)
    await connect(appKit.latchkey, 'fake')
    const { address = '', caipAddress, allAccounts } = appKit.getAccount()
    expect(address).toBe(address.toUpperCase())
    expect(caipAddress).toBe(`eip155:1:${address}`)
    expect(allAccounts.map((each) => each.address)).toContain(address)
  })

  test('a declined network switch is shown as a notice, or rejects if the app asks for it', async () => {
    const adapter = fakeAdapter()
    const appKit = create({
      adapters: [{ namespace: 'eip155', createAdapter: () => adapter }],
      latchkey: { storage: memoryStorage() },
    })
    appKit.latchkey.connectors.setState([fakeConnector()], true)
    await connect(appKit.latchkey, 'fake')
    const unknown = { ...polygon, id: 424_242 }
    await appKit.switchNetwork(unknown)
    await expect(appKit.switchNetwork(unknown, { throwOnFailure: true })).rejects.toMatchObject({
      code: 'network/not-found',
    })
  })
})
