import { connect, createLatchkey, disconnect, request, start, type Provider } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import { getRejection, fakeStorage } from '@latchkey/core/testing'
import { announce } from '@latchkey/testkit'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { BrowserProvider } from 'ethers'
import {
  createPublicClient,
  createWalletClient,
  custom,
  SwitchChainError,
  UnauthorizedProviderError,
  UserRejectedRequestError,
} from 'viem'
import { anvil as anvilChain, mainnet } from 'viem/chains'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { alice, bob, bobKey, createTestExtension } from '../testing/createTestExtension.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

function setUp() {
  const extension = createTestExtension(anvil.url)
  const page = new EventTarget()
  announce(extension, page)
  const latchkey = createLatchkey({
    adapters: [evm({ chains: [anvilChain, { ...anvilChain, id: 31_338 }], page })],
    storage: fakeStorage(),
  })
  onTestFinished(start(latchkey))
  return { extension, latchkey }
}

async function setUpConnected() {
  const world = setUp()
  await connect(world.latchkey, 'dev.wallet')
  const provider = connectedWallet(world.latchkey.wallet.getState().namespaces.eip155)?.connection.provider
  if (provider === undefined) throw new Error('not connected')
  return { ...world, provider }
}

/** Records the events of a provider. */
function recordEvents(provider: Provider): unknown[] {
  const events: unknown[] = []
  provider.on?.('accountsChanged', (accounts) => events.push(['accountsChanged', accounts]))
  provider.on?.('chainChanged', (chainId) => events.push(['chainChanged', chainId]))
  provider.on?.('connect', (info) => events.push(['connect', info]))
  provider.on?.('disconnect', ({ code }) => events.push(['disconnect', code]))
  return events
}

const sign = { method: 'personal_sign', params: ['0x68656c6c6f', alice] }

test('a rejection has number 4001 and our code in its data', async () => {
  const { extension, provider } = await setUpConnected()
  extension.rejectNext()
  const error = await getRejection(provider.request(sign))
  expect(error).toMatchObject({ code: 4001, data: { code: 'request/rejected' }, cause: { code: 'request/rejected' } })
})

test('viem recognises rejections, missing permissions and unknown chains', async () => {
  const { extension, provider } = await setUpConnected()
  const client = createWalletClient({ chain: anvilChain, transport: custom(provider), account: alice })
  extension.rejectNext()
  expect(await getRejection(client.signMessage({ message: 'Hello' }))).toBeInstanceOf(UserRejectedRequestError)
  extension.faults.once('personal_sign', { kind: 'fail', code: 4100, message: 'No' })
  expect(await getRejection(client.signMessage({ message: 'Hello' }))).toBeInstanceOf(UnauthorizedProviderError)
  extension.faults.once('wallet_switchEthereumChain', { kind: 'fail', code: 4902, message: 'Unknown chain' })
  expect(await getRejection(client.switchChain({ id: mainnet.id }))).toBeInstanceOf(SwitchChainError)
  expect(await client.signMessage({ message: 'Hello' })).toMatch(/^0x/)
})

test('viem decodes the reason of a revert', async () => {
  const { extension, provider } = await setUpConnected()
  const reason = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'4e6f'.padEnd(64, '0')}` as const
  extension.faults.once('eth_call', { kind: 'fail', code: 3, message: 'execution reverted', data: reason })
  const transport = custom(provider, { retryCount: 0 })
  const reading = createPublicClient({ chain: anvilChain, transport }).readContract({
    address: bob,
    abi: [{ type: 'function', name: 'f', stateMutability: 'view', inputs: [], outputs: [] }],
    functionName: 'f',
  })
  expect(await getRejection(reading)).toMatchObject({ cause: { reason: 'No' } })
})

test('ethers recognises a rejection', async () => {
  const { extension, provider } = await setUpConnected()
  const browser = new BrowserProvider(provider)
  onTestFinished(() => browser.destroy())
  const signer = await browser.getSigner()
  extension.rejectNext()
  expect(await getRejection(signer.signMessage('Hello'))).toMatchObject({ code: 'ACTION_REJECTED' })
})

test('the provider reports accounts, chains and the end of the connection', async () => {
  const { extension, provider } = await setUpConnected()
  const events = recordEvents(provider)
  extension.setAccounts([bobKey])
  await expect.poll(() => events).toEqual([['accountsChanged', [bob]]])
  extension.setChain(31_338)
  await expect.poll(() => events.at(-1)).toEqual(['chainChanged', '0x7a6a'])
  extension.setAccounts([])
  await expect.poll(() => events.at(-1)).toEqual(['disconnect', 4900])
  expect(events).toHaveLength(3)
})

test('the provider reports a connection and its end by the app', async () => {
  const { latchkey } = setUp()
  let events: unknown[] | undefined
  latchkey.wallet.subscribe(({ namespaces }) => {
    const provider = connectedWallet(namespaces.eip155)?.connection.provider
    if (provider !== undefined) events ??= recordEvents(provider)
  })
  await connect(latchkey, 'dev.wallet')
  await disconnect(latchkey)
  expect(events).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['disconnect', 4900],
  ])
})

test('a removed listener receives no events, and a failing one does not stop the others', async () => {
  const { extension, provider } = await setUpConnected()
  const failing = (): never => {
    throw new Error('of the app')
  }
  const removed: unknown[] = []
  const listener = (accounts: unknown): unknown => removed.push(accounts)
  provider.on?.('accountsChanged', failing)
  provider.on?.('accountsChanged', listener)
  provider.removeListener?.('accountsChanged', listener)
  const events = recordEvents(provider)
  extension.setAccounts([bobKey])
  await expect.poll(() => events).toHaveLength(1)
  expect(removed).toEqual([])
})

test('only the interface of EIP-1193 is reachable from the provider', async () => {
  const { provider } = await setUpConnected()
  expect(Object.keys(provider).toSorted()).toEqual(['on', 'removeListener', 'request'])
  expect(Object.isFrozen(provider)).toBe(true)
})

test('request still rejects with the errors of Latchkey', async () => {
  const { extension, latchkey } = await setUpConnected()
  extension.rejectNext()
  expect(await getRejection(request(latchkey, sign))).toMatchObject({ code: 'request/rejected' })
})
