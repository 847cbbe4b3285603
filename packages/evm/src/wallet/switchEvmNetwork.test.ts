import type { Connection } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { requestError } from '@latchkey/protocol'
import { createSimulatedExtension, type Fault, type SimulatedExtensionOptions } from '@latchkey/testkit'
import { base, mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { injectedConnector } from '../injected/injectedConnector.ts'
import { toEvmNetwork } from '../chain/evmNetwork.ts'
import { aliceKey } from '../testing/createTestExtension.ts'
import { switchEvmNetwork } from './switchEvmNetwork.ts'

// No test in this file contacts a chain.
const rpcUrls = { [mainnet.id]: 'http://127.0.0.1:1', [base.id]: 'http://127.0.0.1:1' }

/** A wallet on Ethereum that is asked to go to Base. */
async function setUp(options: Partial<SimulatedExtensionOptions> = {}) {
  const wallet = createSimulatedExtension({ privateKeys: [aliceKey], rpcUrls, chainId: mainnet.id, ...options })
  const connector = injectedConnector({ id: 'io.wallet', name: 'Wallet', provider: wallet }, manualClock())
  const [connection] = await connector.connect({ networks: [], signal: new AbortController().signal })
  const before = wallet.requests.length
  const requestedMethods = (): string[] => wallet.requests.slice(before).map(({ method }) => method)
  return {
    wallet,
    requestedMethods,
    switched: () => switchTo(connection),
    chain: () => wallet.request({ method: 'eth_chainId' }),
  }
}

function switchTo(connection: Connection): Promise<void> {
  return switchEvmNetwork(connection, toEvmNetwork(base))
}

function createFault(code: number, data?: unknown): Fault {
  return { kind: 'fail', code, message: 'What the wallet says', data }
}

test('switches without adding if the wallet knows the network', async () => {
  const { requestedMethods, switched, chain } = await setUp()
  await switched()
  expect(requestedMethods()).toEqual(['wallet_switchEthereumChain'])
  expect(await chain()).toBe('0x2105')
})

test('adds an unknown network with all required fields', async () => {
  const { wallet, requestedMethods, switched, chain } = await setUp({ unknownChains: [base.id] })
  await switched()
  expect(requestedMethods()).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'eth_chainId'])
  expect(await chain()).toBe('0x2105')
  expect(wallet.requests.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
    {
      chainId: '0x2105',
      chainName: 'Base',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['https://mainnet.base.org'],
      blockExplorerUrls: ['https://basescan.org'],
    },
  ])
})

test('switches again if the wallet added the network without switching [R8.3.13]', async () => {
  const { requestedMethods, switched, chain } = await setUp({ unknownChains: [base.id], switchesToAdded: false })
  await switched()
  expect(requestedMethods().at(-1)).toBe('wallet_switchEthereumChain')
  expect(await chain()).toBe('0x2105')
})

test.each([
  ['4902', createFault(4902)],
  ['5000', createFault(5000)],
  ['32603', createFault(32603)],
  ['-32603', createFault(-32603)],
  ['-32603 with 4902 inside', createFault(-32603, { originalError: { code: 4902 } })],
])('adds the network if the wallet returns code %s [R8.3.13]', async (_, fault) => {
  const { wallet, switched, chain } = await setUp({ unknownChains: [base.id] })
  wallet.faults.once('wallet_switchEthereumChain', fault)
  await switched()
  expect(await chain()).toBe('0x2105')
})

test.each(['Chain not supported', 'Network 8453 is unsupported', 'Unrecognized chain ID "0x2105"'])(
  'adds the network if the wallet returns code 4001 with "%s" [R8.3.13]',
  async (message) => {
    const { wallet, requestedMethods, switched, chain } = await setUp({ unknownChains: [base.id] })
    wallet.faults.once('wallet_switchEthereumChain', { kind: 'fail', code: 4001, message })
    await switched()
    expect(requestedMethods()).toContain('wallet_addEthereumChain')
    expect(await chain()).toBe('0x2105')
  },
)

test('rejects as unsupported if the wallet also refuses to add it with code 4001 [R8.2.7]', async () => {
  const { wallet, switched } = await setUp({ unknownChains: [base.id] })
  wallet.faults.set('wallet_switchEthereumChain', { kind: 'fail', code: 4001, message: 'Chain not supported' })
  wallet.faults.set('wallet_addEthereumChain', { kind: 'fail', code: 4001, message: 'Chain not supported' })
  await expect(switched()).rejects.toMatchObject({ code: 'network/add-refused' })
})

test.each([createFault(-32602), createFault(-32603), createFault(4200), createFault(-32000)])(
  'rejects as unsupported if the wallet does not add the network: %j [R8.2.7]',
  async (fault) => {
    const { wallet, switched } = await setUp({ unknownChains: [base.id] })
    wallet.faults.set('wallet_addEthereumChain', fault)
    await expect(switched()).rejects.toMatchObject({
      code: 'network/add-refused',
      message: 'Chain is not supported: the wallet did not add Base.',
    })
  },
)

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  'rejects as declined if the user declines %s',
  async (method) => {
    const { wallet, switched, chain } = await setUp({ unknownChains: [base.id] })
    wallet.faults.set(method, { kind: 'reject' })
    await expect(switched()).rejects.toMatchObject({ code: 'request/rejected', context: { method } })
    expect(await chain()).toBe('0x1')
  },
)

test('rejects as declined without adding if -32603 contains a rejection', async () => {
  const { wallet, requestedMethods, switched } = await setUp()
  wallet.faults.set('wallet_switchEthereumChain', createFault(-32603, { originalError: { code: 4001 } }))
  await expect(switched()).rejects.toMatchObject({ code: 'request/rejected' })
  expect(requestedMethods()).toEqual(['wallet_switchEthereumChain'])
})

test.each([4200, -32601])('rejects as unsupported if the wallet returns code %i [R8.3.6]', async (code) => {
  const { wallet, requestedMethods, switched } = await setUp()
  wallet.faults.set('wallet_switchEthereumChain', createFault(code))
  await expect(switched()).rejects.toMatchObject({
    code: 'network/switch-unsupported',
    context: { wallet: 'Wallet' },
  })
  expect(requestedMethods()).toEqual(['wallet_switchEthereumChain'])
})

test('passes on other errors', async () => {
  const { wallet, switched } = await setUp()
  wallet.faults.set('wallet_switchEthereumChain', createFault(-32000))
  await expect(switched()).rejects.toMatchObject({ code: 'request/failed', context: { code: -32000 } })
})

test('switches through the connection if the wallet lacks the request', async () => {
  const { wallet } = await setUp()
  const connector = injectedConnector({ id: 'io.wallet', name: 'Wallet', provider: wallet }, manualClock())
  const [connection] = await connector.connect({ networks: [], signal: new AbortController().signal })
  const messages: string[] = []
  const provider = {
    async request({ method }: { method: string }): Promise<never> {
      throw requestError('request/not-allowed', { method })
    },
  }
  await switchTo({ ...connection, provider, switchTo: (chainId: string) => messages.push(chainId) > 0 })
  expect(messages).toEqual(['eip155:8453'])
  await expect(switchTo({ ...connection, provider, switchTo: () => false })).rejects.toMatchObject({
    code: 'request/not-allowed',
  })
})
