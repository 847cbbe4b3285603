import { connect, disconnect, switchAccount, switchNetwork, type Provider } from '@latchkey/core'
import { attachModal, closeModal, modalOf } from '@latchkey/modal'
import type { SimulatedExtension } from '@latchkey/testkit'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import * as wagmi3 from '@wagmi/core'
import type { CreateConnectorFn } from '@wagmi/core'
import { http, verifyMessage } from 'viem'
import { anvil as anvilChain } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as wagmi2 from 'wagmi-core-2'
import { bridgeWagmi } from './bridgeWagmi.ts'
import { latchkeyConnector } from './latchkeyConnector.ts'
import { alice, bob, createExtensions, setUpWagmi, walletNames, type Version } from './testing/setUpWagmi.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const [first, second] = walletNames

/** Several wallets return addresses in lower case. */
function withLowerCaseAccounts(extension: SimulatedExtension): SimulatedExtension {
  return {
    ...extension,
    async request(args) {
      const result = await extension.request(args)
      return Array.isArray(result)
        ? result.map((each) => (typeof each === 'string' ? each.toLowerCase() : each))
        : result
    },
  }
}

describe.each<Version>([2, 3])('with wagmi %i', (version) => {
  const setUp = (options: Parameters<typeof setUpWagmi>[2] = { wallet: first }) =>
    setUpWagmi(anvil.url, version, options)

  test('connect connects the wallet and returns its accounts and chain', async () => {
    const { wagmi, config, connector } = setUp()
    expect(await wagmi.connect(config, { connector })).toEqual({ accounts: [alice, bob], chainId: 31_337 })
    expect(config.state.status).toBe('connected')
  })

  test('accounts have the checksum of EIP-55, although the wallet returns lower case', async () => {
    const extensions = createExtensions(anvil.url).map(withLowerCaseAccounts)
    const { wagmi, config, connector } = setUp({ wallet: first, extensions })
    expect(await wagmi.connect(config, { connector })).toMatchObject({ accounts: [alice, bob] })
    expect([...config.state.connections.values()][0]?.accounts).toEqual([alice, bob])
  })

  test('connect with a chain opens the wallet on it', async () => {
    const { wagmi, config, connector } = setUp()
    expect(await wagmi.connect(config, { connector, chainId: 31_338 })).toMatchObject({ chainId: 31_338 })
  })

  test('connect with capabilities returns an object for each account', async () => {
    const { wagmi, config, connector } = setUp()
    const { accounts } = await wagmi.connect(config, { connector, withCapabilities: true })
    expect(accounts[0]).toEqual({ address: alice, capabilities: {} })
  })

  test('a declined connection is a UserRejectedRequestError, and wagmi is disconnected', async () => {
    const { wagmi, config, connector, extensions } = setUp()
    extensions[0]?.rejectNext()
    await expect(wagmi.connect(config, { connector })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
      code: 4001,
    })
    expect(config.state.status).toBe('disconnected')
  })

  test('a wallet that connects in Latchkey is connected in wagmi', async () => {
    const { config, latchkey } = setUp()
    await connect(latchkey, second)
    const connection = config.state.connections.get(config.state.current ?? '')
    expect(connection).toMatchObject({ accounts: [bob, alice], chainId: 31_337 })
  })

  test('an account or network chosen in Latchkey is the one of wagmi', async () => {
    const { config, connector, latchkey, wagmi } = setUp()
    await wagmi.connect(config, { connector })
    switchAccount(latchkey, `eip155:31337:${bob}`)
    expect(config.state.connections.get(connector.uid)?.accounts).toEqual([bob, alice])
    await switchNetwork(latchkey, 'eip155:31338')
    expect(config.state).toMatchObject({ chainId: 31_338 })
  })

  test('a network chosen in wagmi is the one of the wallet', async () => {
    const { config, connector, latchkey, wagmi } = setUp()
    await wagmi.connect(config, { connector })
    await wagmi.switchChain(config, { chainId: 31_338 })
    expect(latchkey.wallet.getState().namespaces.eip155).toMatchObject({ chainId: 'eip155:31338' })
  })

  test('a declined network is a UserRejectedRequestError', async () => {
    const { config, connector, extensions, wagmi } = setUp()
    await wagmi.connect(config, { connector })
    extensions[0]?.rejectNext()
    await expect(wagmi.switchChain(config, { chainId: 31_338 })).rejects.toMatchObject({ code: 4001 })
  })

  test('disconnecting on either side disconnects both', async () => {
    const { config, connector, latchkey, wagmi } = setUp()
    await wagmi.connect(config, { connector })
    await wagmi.disconnect(config)
    expect(latchkey.wallet.getState().namespaces.eip155).toMatchObject({ status: 'disconnected' })
    await wagmi.connect(config, { connector })
    await disconnect(latchkey)
    expect(config.state).toMatchObject({ status: 'disconnected', current: null })
  })

  test('a signature comes from the wallet that is connected now', async () => {
    const { config, connector, latchkey, wagmi } = setUp()
    await wagmi.connect(config, { connector })
    const before = await wagmi.getConnectorClient(config)
    await connect(latchkey, second)
    const message = 'hello'
    expect(
      await verifyMessage({ address: bob, message, signature: await wagmi.signMessage(config, { message }) }),
    ).toBe(true)
    // The client that the app kept asks the new wallet too, which has the same accounts.
    const kept = await before.request({ method: 'eth_accounts' })
    expect(kept).toEqual([bob, alice])
  })

  test('a reload restores the connection without a request to the user', async () => {
    const wagmiStorage = new Map<string, string>()
    const one = setUp({ wallet: first, wagmiStorage })
    await one.wagmi.connect(one.config, { connector: one.connector })
    const { extensions, storage } = one
    const two = setUp({ wallet: first, wagmiStorage, extensions, storage })
    await two.wagmi.reconnect(two.config)
    expect(two.config.state.status).toBe('connected')
    const requested = extensions[0]?.requests.filter(({ method }) => method === 'eth_requestAccounts')
    expect(requested).toHaveLength(1)
  })

  test('a wallet that connects while wagmi reconnects is connected in wagmi', async () => {
    let settle: (isAuthorized: boolean) => void = () => {}
    const others = [createSlowConnector(new Promise((resolve) => (settle = resolve)))]
    const { config, connector, latchkey, wagmi } = setUp({ wallet: first, others })
    const reconnecting = wagmi.reconnect(config)
    await vi.waitFor(() => expect(config.state.status).toBe('connecting'))
    await connect(latchkey, first)
    settle(false)
    await reconnecting
    expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  })

  test('the network of a disconnected user is the same on both sides', async () => {
    const { config, latchkey, wagmi } = setUp()
    await wagmi.switchChain(config, { chainId: 31_338 })
    expect(latchkey.wallet.getState().chosen.eip155).toBe('eip155:31338')
    await switchNetwork(latchkey, 'eip155:31337')
    expect(config.state.chainId).toBe(31_337)
  })
})

test('without the bridge, connections, accounts and the end of a connection reach wagmi', async () => {
  const { config, connector, latchkey } = setUpWagmi(anvil.url, 3, { wallet: first, bridged: false })
  await connect(latchkey, first)
  expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  switchAccount(latchkey, `eip155:31337:${bob}`)
  expect(config.state.connections.get(connector.uid)?.accounts).toEqual([bob, alice])
  await disconnect(latchkey)
  expect(config.state).toMatchObject({ status: 'disconnected', current: null })
})

test('a configuration without the connector of Latchkey can’t be bridged', () => {
  const { latchkey, wagmi } = setUpWagmi(anvil.url, 3)
  const config = wagmi.createConfig({ chains: [anvilChain], transports: { 31_337: http() } })
  expect(() => bridgeWagmi(latchkey, config)).toThrow('connectors of wagmi must contain latchkeyConnector(latchkey)')
})

test('the provider reports the events of the wallet that is connected now', async () => {
  const { connector, extensions, latchkey } = setUpWagmi(anvil.url, 3)
  const provider = (await connector.getProvider()) as Provider
  const events: unknown[] = []
  provider.on?.('connect', (info) => events.push(['connect', info]))
  provider.on?.('accountsChanged', (accounts) => events.push(['accountsChanged', accounts]))
  provider.on?.('chainChanged', (chainId) => events.push(['chainChanged', chainId]))
  provider.on?.('disconnect', ({ code }) => events.push(['disconnect', code]))
  await connect(latchkey, first)
  extensions[0]?.setChain(31_338)
  await connect(latchkey, second)
  await disconnect(latchkey)
  expect(events).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['chainChanged', '0x7a69'],
    ['accountsChanged', [alice, bob]],
    ['chainChanged', '0x7a6a'],
    ['chainChanged', '0x7a69'],
    ['accountsChanged', [bob, alice]],
    ['disconnect', 4900],
  ])
  await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
})

test('both versions of wagmi accept the connector and the bridge by their types', () => {
  const { latchkey } = setUpWagmi(anvil.url, 3)
  const options = {
    chains: [anvilChain],
    connectors: [latchkeyConnector(latchkey)],
    transports: { 31_337: http() },
  } as const
  const [two, three] = [wagmi2.createConfig(options), wagmi3.createConfig(options)]
  for (const stop of [bridgeWagmi(latchkey, two), bridgeWagmi(latchkey, three)]) stop()
  expect([two, three].map(({ connectors }) => connectors[0].type)).toEqual(['latchkey', 'latchkey'])
})

describe('without a wallet id', () => {
  test('connect opens the modal, and a wallet that the user picks there connects', async () => {
    const { wagmi, config, connector, latchkey } = setUpWagmi(anvil.url, 3)
    onTestFinished(attachModal(latchkey))
    const connecting = wagmi.connect(config, { connector })
    await vi.waitFor(() => expect(modalOf(latchkey).state.getState().open).toBe(true))
    await connect(latchkey, first)
    expect(await connecting).toMatchObject({ accounts: [alice, bob] })
  })

  test('closing the modal is a UserRejectedRequestError', async () => {
    const { wagmi, config, connector, latchkey } = setUpWagmi(anvil.url, 3)
    onTestFinished(attachModal(latchkey))
    const connecting = wagmi.connect(config, { connector })
    await vi.waitFor(() => expect(modalOf(latchkey).state.getState().open).toBe(true))
    closeModal(latchkey)
    await expect(connecting).rejects.toMatchObject({ code: 4001 })
  })

  test('connect in a page without a modal throws wagmi/modal-missing', async () => {
    const { wagmi, config, connector } = setUpWagmi(anvil.url, 3)
    await expect(wagmi.connect(config, { connector })).rejects.toMatchObject({ code: 'wagmi/modal-missing' })
  })
})

/** A connector of another library, which takes long to say whether it is connected. */
function createSlowConnector(isAuthorized: Promise<boolean>): CreateConnectorFn {
  const unused = async (): Promise<never> => {
    throw new Error('not used')
  }
  return () => ({
    id: 'slow',
    name: 'Slow',
    type: 'slow',
    connect: unused,
    disconnect: unused,
    getAccounts: unused,
    getChainId: unused,
    getProvider: async () => ({}),
    isAuthorized: () => isAuthorized,
    onAccountsChanged() {},
    onChainChanged() {},
    onDisconnect() {},
  })
}
