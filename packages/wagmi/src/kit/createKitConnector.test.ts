import { getLatchkey } from '../getLatchkey.ts'
import { createConfig, type CreateConnectorFn } from '@wagmi/core'
import { fallback, http, webSocket, type Transport } from 'viem'
import { mainnet, sepolia } from 'viem/chains'
import { expect, test } from 'vitest'
import { createKitConnector, type KitServices } from './createKitConnector.ts'

const projectId = 'ab'.repeat(16)

function createKit(services: KitServices = {}, id: string | undefined = projectId, transport: Transport = http()) {
  const connector = createKitConnector({ app: { appName: 'App' }, projectId: id, services })
  const config = createConfig({
    chains: [mainnet, sepolia],
    connectors: [connector as unknown as CreateConnectorFn],
    multiInjectedProviderDiscovery: false,
    storage: null,
    transports: { [mainnet.id]: transport, [sepolia.id]: http() },
  })
  return getLatchkey(config)
}

const connectorIds = (latchkey: ReturnType<typeof createKit>): string[] =>
  latchkey.connectors.getState().map(({ id }) => id)

test('without a server and a relay, a placeholder in place of the project id is ignored', () => {
  const latchkey = createKit({}, 'YOUR_PROJECT_ID')
  expect(connectorIds(latchkey)).toEqual([])
  expect(latchkey.networks.map(({ caipNetworkId }) => caipNetworkId)).toEqual(['eip155:1', 'eip155:11155111'])
})

test('a wrong project id is an error if the app has a server', () => {
  expect(() => createKit({ server: 'https://api.example.org' }, 'YOUR_PROJECT_ID')).toThrow('projectId')
})

test('a relay adds phone wallets', () => {
  expect(connectorIds(createKit({ relayUrl: 'wss://api.example.org/relay' }))).toEqual(['walletConnect'])
})

test('the app’s options of Latchkey are passed on', () => {
  const latchkey = createKit({ defaultNetwork: 'eip155:11155111' })
  expect(latchkey.networks).toHaveLength(2)
  expect(() => createKit({ defaultNetwork: 'eip155:5' })).toThrow('defaultNetwork')
})

test.each([
  { name: 'http', transport: http('https://rpc.example.org'), urls: ['https://rpc.example.org'] },
  {
    name: 'fallback',
    transport: fallback([
      http('https://one.example.org'),
      webSocket('wss://x.example.org'),
      http('https://two.example.org'),
    ]),
    urls: ['https://one.example.org', 'https://two.example.org'],
  },
  { name: 'WebSocket', transport: webSocket('wss://x.example.org'), urls: [...mainnet.rpcUrls.default.http] },
])('chains are read through the URLs of a transport: $name', ({ transport, urls }) => {
  const [network] = createKit({}, projectId, transport).networks
  expect(network?.rpcUrls.default.http).toEqual(urls)
  expect(network?.rpcUrls.chainDefault?.http).toEqual(mainnet.rpcUrls.default.http)
})

test('a transport is not created before the chain is read', () => {
  const created: number[] = []
  const transport: Transport = (parameters) => {
    created.push(parameters.chain?.id ?? 0)
    return http('https://rpc.example.org')(parameters)
  }
  const latchkey = createKit({}, projectId, transport)
  expect(created).toEqual([])
  const [network] = latchkey.networks
  expect([network?.rpcUrls.default.http, network?.rpcUrls.default.http]).toEqual([
    ['https://rpc.example.org'],
    ['https://rpc.example.org'],
  ])
  expect(created).toEqual([1])
})
