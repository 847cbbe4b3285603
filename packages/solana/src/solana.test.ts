import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  connect,
  createLatchkey,
  memoryStorage,
  start,
  switchNetwork,
  type Connection,
  type Connector,
  type Latchkey,
} from '@latchkey/core'
import { describeAdapter, describeConnector, flushTasks } from '@latchkey/core/testing'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import type { Network } from '@latchkey/protocol'
import {
  createSimulatedSolanaWallet,
  registerSolanaWallet,
  type SimulatedSolanaOptions,
  type SimulatedSolanaWallet,
} from '@latchkey/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { solanaDevnet, solanaMainnet, solanaTestnet } from './chain/solanaNetworks.ts'
import { solana } from './solana.ts'

// Accounts 1 and 2 of the phrase that all development chains share. They are funded there only.
const aliceKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const bobKey = '8eabe4c79ac3a146c1bc447a64233ea70694669b997b0565039471b2939e8c5e'
const [, alice, bob, carol] = solanaAddresses as readonly string[] as readonly [string, string, string, string]

let chain: LocalSolana

beforeAll(async () => {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  chain = started
  return () => chain.close()
})

/** A proxy to a chain that tests can disconnect. */
async function startRoad(url: string) {
  let isDisconnected = false
  const server = createServer(async (request, response) => {
    if (isDisconnected) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    const upstream = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.setHeader('content-type', 'application/json').end(await upstream.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    disconnect: () => void (isDisconnected = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function walletOf(options: Partial<SimulatedSolanaOptions> = {}): SimulatedSolanaWallet {
  const rpcUrls = { 'solana:localnet': chain.rpcUrl, 'solana:devnet': chain.rpcUrl }
  return createSimulatedSolanaWallet({ privateKeys: [aliceKey], rpcUrls, ...options })
}

function networksOf(rpcUrl = chain.rpcUrl): readonly [Network, Network] {
  const { network } = chain
  return [{ ...network, rpcUrls: { default: { http: [rpcUrl] } } }, solanaDevnet]
}

/** The connector that an adapter finds for a wallet in a page that was just loaded. */
function findConnector(wallet: SimulatedSolanaWallet): Connector {
  const page = new EventTarget()
  registerSolanaWallet(wallet, page)
  const found: Connector[] = []
  solana({ networks: networksOf(), page }).discover?.((connector) => found.push(connector))
  const [connector] = found
  if (connector === undefined) throw new Error('The wallet was not found.')
  return connector
}

async function connectTo(connector: Connector): Promise<Connection> {
  const [connection] = await connector.connect({ networks: networksOf(), signal: new AbortController().signal })
  return connection
}

describeAdapter('solana', async () => {
  const proxy = await startRoad(chain.rpcUrl)
  const page = new EventTarget()
  const wallet = walletOf()
  let announced = 0
  return {
    adapter: solana({ networks: networksOf(proxy.url), page }),
    connection: await connectTo(findConnector(wallet)),
    otherAddress: carol,
    notAddresses: [
      '1',
      carol.slice(0, -3),
      `${carol}11`,
      carol.replace('9', '0'),
      '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    ],
    unknownHash: '5'.repeat(87),
    payment: 1_500_000_000n,
    needsApprovalToSwitch: false,
    decline: () => wallet.rejectNext(),
    cutOff: () => proxy.disconnect(),
    announce() {
      announced += 1
      const name = `Wallet ${announced}`
      registerSolanaWallet(walletOf({ info: { name } }), page)
      return `solana/${name}`
    },
    end: () => proxy.close(),
  }
})

describeConnector('a wallet of the Wallet Standard', () => {
  const wallet = walletOf()
  wallet.hold()
  const found = findConnector(wallet)
  let connection: Connection | undefined
  return {
    connector: {
      ...found,
      async connect(request) {
        const granted = await found.connect(request)
        ;[connection] = granted
        return granted
      },
    },
    networks: networksOf(),
    approve: () => wallet.approve(),
    decline: () => wallet.decline(),
    selectAccounts() {
      wallet.setAccounts([bobKey, aliceKey])
      return [`${chain.network.caipNetworkId}:${bob}`, `${chain.network.caipNetworkId}:${alice}`] as never
    },
    async selectChain() {
      // Wallets of this namespace follow the app.
      await connection?.switchTo?.(solanaDevnet.caipNetworkId)
      return solanaDevnet.caipNetworkId
    },
    leave: () => wallet.revoke(),
    reload: () => findConnector(wallet),
  }
})

test('solana() has the three public clusters by default [R9.4.4]', () => {
  expect(solana().networks).toEqual([solanaMainnet, solanaDevnet, solanaTestnet])
  expect(solana().networks.map(({ caipNetworkId }) => caipNetworkId)).toEqual([
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana:4uhcVJyU9pJkvQyS88uRDiswHScsE7vD',
  ])
})

test('reads a network through the app’s endpoints', async () => {
  const adapter = solana({ rpcUrls: { [solanaMainnet.caipNetworkId]: ['http://127.0.0.1:1', chain.rpcUrl] } })
  const { value } = await adapter.getBalance(adapter.networks[0], solanaAddresses[9] ?? '')
  expect(value).toBe(10_000n * 10n ** 9n)
})

test.each([
  ['an address of 32 digits', '11111111111111111111111111111111', true],
  ['an address of 44 digits', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', true],
  ['31 digits', '1111111111111111111111111111111', false],
  ['45 digits', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v1', false],
  ['44 digits for more than 32 bytes', 'z'.repeat(44), false],
  ['a digit outside base58', `0${'1'.repeat(31)}`, false],
])('isAddress of %s: %s is %s [R5.1.2]', (_, text, isOne) => {
  expect(solana().isAddress(text)).toBe(isOne)
})

test.each([
  [solanaMainnet, 'https://explorer.solana.com/tx/abc'],
  [solanaDevnet, 'https://explorer.solana.com/tx/abc?cluster=devnet'],
  [solanaTestnet, 'https://explorer.solana.com/tx/abc?cluster=testnet'],
])('explorerUrl contains the cluster', (network, url) => {
  expect(solana().explorerUrl(network, { transaction: 'abc' })).toBe(url)
})

test('explorerUrl contains the endpoint of a custom network', () => {
  const network = { ...chain.network, blockExplorers: solanaMainnet.blockExplorers }
  const query = `?cluster=custom&customUrl=${encodeURIComponent(chain.rpcUrl)}`
  expect(solana().explorerUrl(network, { address: 'abc' })).toBe(`https://explorer.solana.com/address/abc${query}`)
})

test('lists a wallet while it is registered, and connects it', async () => {
  const page = new EventTarget()
  const wallet = walletOf({ info: { name: 'Ghost' } })
  const latchkey = createLatchkey({ adapters: [solana({ networks: networksOf(), page })], storage: memoryStorage() })
  const stop = start(latchkey)
  const shown = (): string[] => latchkey.connectors.getState().map(({ name }) => name)
  expect(shown()).toEqual([])
  registerSolanaWallet(wallet, page)
  expect(shown()).toEqual(['Ghost'])
  await connect(latchkey, 'solana/Ghost')
  expect(latchkey.wallet.getState().namespaces.solana).toMatchObject({
    status: 'connected',
    account: `${chain.network.caipNetworkId}:${alice}`,
  })
  wallet.uninstall()
  await flushTasks()
  expect(shown()).toEqual([])
  stop()
})

test('restores the selected network after a reload', async () => {
  const [wallet, storage] = [walletOf(), memoryStorage()]
  const load = (): Latchkey => {
    const page = new EventTarget()
    registerSolanaWallet(wallet, page)
    const latchkey = createLatchkey({ adapters: [solana({ networks: networksOf(), page })], storage })
    onTestFinished(start(latchkey))
    return latchkey
  }
  const before = load()
  await connect(before, `solana/${wallet.info.name}`)
  await switchNetwork(before, solanaDevnet.caipNetworkId)
  const after = load()
  await expect
    .poll(() => after.wallet.getState().namespaces.solana)
    .toMatchObject({
      status: 'connected',
      chainId: solanaDevnet.caipNetworkId,
      connection: { chainId: solanaDevnet.caipNetworkId },
    })
})
