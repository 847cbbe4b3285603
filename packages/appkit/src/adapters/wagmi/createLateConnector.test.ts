import { connect, createLatchkey, disconnect, memoryStorage, type Latchkey } from '@latchkey/core'
import { fakeAdapter, fakeConnector } from '@latchkey/core/testing'
import * as wagmi3 from '@wagmi/core'
import { getAddress, http } from 'viem'
import { mainnet } from 'viem/chains'
import * as wagmi2 from 'wagmi-core-2'
import { describe, expect, test } from 'vitest'
import { createLateConnector } from './createLateConnector.ts'

/** Version 2 has the same functions with wider types. */
const versions = { 2: wagmi2 as unknown as typeof wagmi3, 3: wagmi3 }

function createInstance(): Latchkey {
  const latchkey = createLatchkey({ adapters: [fakeAdapter()], storage: memoryStorage() })
  latchkey.connectors.setState([fakeConnector()], true)
  return latchkey
}

describe.each([2, 3] as const)('with wagmi %i', (version) => {
  const wagmi = versions[version]

  function setUp() {
    const late = createLateConnector()
    const config = wagmi.createConfig({
      chains: [mainnet],
      // As in WagmiAdapter.
      connectors: [late.create as unknown as wagmi3.CreateConnectorFn],
      multiInjectedProviderDiscovery: false,
      storage: null,
      transports: { [mainnet.id]: http('http://127.0.0.1:9/') },
    })
    return { late, config }
  }

  test('a configuration that is created first reconnects once an instance is bound', async () => {
    const { late, config } = setUp()
    expect(await wagmi.reconnect(config)).toEqual([])
    const latchkey = createInstance()
    const account = await connect(latchkey, 'fake')
    await late.bind(latchkey)
    await wagmi.reconnect(config)
    const address = wagmi.getAccount(config).address ?? '0x'
    expect(address).toBe(getAddress(address))
    expect(account).toBe(`eip155:1:${address.toLowerCase()}`)
    await disconnect(latchkey)
    expect(config.state.status).toBe('disconnected')
  })

  test('connect before an instance is bound rejects with an error that says what to do', async () => {
    const { config } = setUp()
    const [connector] = config.connectors
    if (connector === undefined) throw new Error('no connector')
    await expect(wagmi.connect(config, { connector })).rejects.toMatchObject({ code: 'appkit/missing' })
  })
})
