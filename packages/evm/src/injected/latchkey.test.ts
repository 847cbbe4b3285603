import {
  chooseAccounts,
  connect,
  createLatchkey,
  getAccount,
  getAccounts,
  request,
  sendTransaction,
  signMessage,
  start,
  switchNetwork,
  type Latchkey,
} from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { getRejection, fakeStorage, flushTasks } from '@latchkey/core/testing'
import { fakeConnector } from '@latchkey/core/fakes'
import { announce, type Fault, type SimulatedExtensionOptions } from '@latchkey/testkit'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { defineChain } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { alice, bob, bobKey, createTestExtension } from '../testing/createTestExtension.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** An app in a page with a wallet, from the first load on. */
function setUp(options: Partial<SimulatedExtensionOptions> = {}) {
  const extension = createTestExtension(anvil.url, options)
  const storage = fakeStorage()
  let leavePage = (): void => {}
  const load = (): Latchkey => {
    // An unloaded page receives no further messages.
    leavePage()
    const page = new EventTarget()
    const subscribe: typeof extension.subscribe = (listener) => (leavePage = extension.subscribe(listener))
    announce({ ...extension, subscribe }, page)
    const latchkey = createLatchkey({ adapters: [evm({ chains: [chainOf(31_337), chainOf(31_338)], page })], storage })
    onTestFinished(start(latchkey))
    return latchkey
  }
  return { extension, latchkey: load(), reload: load, leave: () => leavePage() }
}

function chainOf(id: number) {
  return defineChain({
    id,
    name: `Local ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  })
}

async function connectTestWallet(options: Partial<SimulatedExtensionOptions> = {}) {
  const world = setUp(options)
  await connect(world.latchkey, 'dev.wallet')
  return world
}

test('a transaction contains a gas limit only if its caller gives one', async () => {
  const { extension, latchkey } = await connectTestWallet()
  await sendTransaction(latchkey, { to: bob, value: 1n, gas: 40_000n })
  expect(extension.requests.at(-1)?.params).toMatchObject([{ gas: '0x9c40' }])
  await sendTransaction(latchkey, { to: bob, value: 1n })
  expect(extension.requests.at(-1)?.params).not.toMatchObject([{ gas: expect.anything() }])
})

describe('the accounts of an extension', () => {
  test('are selected in its own dialog [R6.2]', async () => {
    const { extension, latchkey } = await connectTestWallet()
    expect(getAccounts(latchkey, 'eip155')).toHaveLength(2)
    extension.chooseAccountsNext([bobKey])
    await chooseAccounts(latchkey)
    await expect.poll(() => getAccount(latchkey)).toMatchObject({ address: bob })
    expect(getAccounts(latchkey, 'eip155')).toHaveLength(1)
    expect(extension.requests.at(-1)).toEqual({
      method: 'wallet_requestPermissions',
      params: [{ eth_accounts: {} }],
    })
  })

  test('stay unchanged if the user closes that dialog or the wallet has none', async () => {
    const { extension, latchkey } = await connectTestWallet()
    extension.rejectNext()
    expect(await getRejection(chooseAccounts(latchkey))).toMatchObject({ code: 'request/rejected' })
    extension.faults.once('wallet_requestPermissions', { kind: 'fail', code: 4200, message: 'No such method' })
    expect(await getRejection(chooseAccounts(latchkey))).toMatchObject({ code: 'request/not-allowed' })
    expect(getAccounts(latchkey, 'eip155')).toHaveLength(2)
  })

  test('can be removed in the wallet, and removing the last one ends the connection', async () => {
    const { extension, latchkey } = await connectTestWallet()
    extension.setAccounts([bobKey])
    await expect.poll(() => getAccount(latchkey)).toMatchObject({ status: 'connected', address: bob })
    extension.setAccounts([])
    await expect.poll(() => getAccount(latchkey).status).toBe('disconnected')
  })

  test('are gone after a revocation in the wallet, even after a reload', async () => {
    const { extension, latchkey, reload } = await connectTestWallet()
    extension.revoke()
    await expect.poll(() => getAccount(latchkey).status).toBe('disconnected')
    const after = reload()
    expect(getAccount(after).status).toBe('disconnected')
  })

  test('are restored without a reload when the user unlocks the wallet [R4.3]', async () => {
    const { extension, latchkey } = setUp()
    await connect(latchkey, 'dev.wallet')
    for (const _ of [1, 2]) {
      extension.lock()
      const state = (): unknown => latchkey.wallet.getState().namespaces.eip155
      await expect.poll(state).toEqual({ status: 'disconnected', reason: 'locked' })
      // The wait begins after its code is loaded.
      await expect.poll(() => internalsOf(latchkey).tasks.unlocking.size).toBe(1)
      extension.unlock()
      await expect.poll(() => getAccount(latchkey)).toMatchObject({ status: 'connected', address: alice })
    }
  })

  test('are restored without another reload if the wallet was locked when the page loaded [R4.3]', async () => {
    const { extension, latchkey, reload } = setUp()
    await connect(latchkey, 'dev.wallet')
    extension.lock()
    const locked = reload()
    await expect.poll(() => internalsOf(locked).tasks.unlocking.size).toBe(1)
    extension.unlock()
    await expect.poll(() => getAccount(locked)).toMatchObject({ status: 'connected', address: alice })
  })

  test('of a locked wallet are not restored after the user connected another one', async () => {
    const { extension, latchkey } = setUp()
    await connect(latchkey, 'dev.wallet')
    extension.lock()
    await expect.poll(() => internalsOf(latchkey).tasks.unlocking.size).toBe(1)
    const other = fakeConnector({ id: 'other', accounts: [`eip155:31337:${bob}`] })
    latchkey.connectors.setState((connectors) => [...connectors, other], true)
    await connect(latchkey, 'other')
    extension.unlock()
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ connectorId: 'other', address: bob })
  })

  test('are restored when a locked wallet is unlocked', async () => {
    const { extension, reload, leave } = await connectTestWallet()
    leave()
    extension.lock()
    const locked = reload()
    expect(getAccount(locked).status).toBe('reconnecting')
    const state = (): unknown => locked.wallet.getState().namespaces.eip155
    await expect.poll(state).toEqual({ status: 'disconnected', reason: 'locked' })
    extension.unlock()
    const unlocked = reload()
    await expect.poll(() => getAccount(unlocked)).toMatchObject({ status: 'connected', address: alice })
  })
})

describe('a wallet’s error', () => {
  const fail = (code: number, message: string, data?: unknown): Fault => ({ kind: 'fail', code, message, data })
  const inside = (code: number): Fault => fail(-32_603, 'Internal JSON-RPC error.', { originalError: { code } })

  test.each([
    ['4001, declined', fail(4001, 'No'), { code: 'request/rejected' }],
    ['4001 inside -32603', inside(4001), { code: 'request/rejected' }],
    [
      'the message "user rejected"',
      fail(-32_000, 'MetaMask Tx Signature: User rejected'),
      { code: 'request/rejected' },
    ],
    ['the message "connection request reset"', fail(1, 'Connection request reset.'), { code: 'request/rejected' }],
    ['4100, not authorized', fail(4100, 'No'), { code: 'request/failed', context: { code: 4100 } }],
    ['4200, unsupported method', fail(4200, 'No'), { code: 'request/failed', context: { code: 4200 } }],
    ['4900, disconnected from all chains', fail(4900, 'No'), { code: 'wallet/unavailable' }],
    ['4901, disconnected from this chain', fail(4901, 'No'), { code: 'wallet/unavailable' }],
    [
      '-32002, request already pending',
      fail(-32_002, 'No'),
      { code: 'request/failed', message: expect.stringContaining('earlier') },
    ],
    [
      '-32603, internal error',
      fail(-32_603, 'Broken'),
      { code: 'request/failed', message: expect.stringContaining('Broken') },
    ],
    ['an empty message', fail(-1, ''), { code: 'request/failed', message: expect.stringContaining('no reason') }],
  ])('on signing and sending has a Latchkey code: %s [R8.3.7]', async (_, fault, expected) => {
    const { extension, latchkey } = await connectTestWallet()
    extension.faults.once('personal_sign', fault)
    expect(await getRejection(signMessage(latchkey, 'Hello'))).toMatchObject(expected)
    extension.faults.once('eth_sendTransaction', fault)
    expect(await getRejection(sendTransaction(latchkey, { to: bob, value: 1n }))).toMatchObject(expected)
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test.each([
    ['4902', fail(4902, 'Unrecognized chain ID')],
    ['4902 inside -32603', inside(4902)],
    ['5000', fail(5000, 'Unknown')],
    ['32603', fail(32_603, 'Invalid chain id')],
    ['-32603', fail(-32_603, 'Internal error')],
  ])('with code %s on switching adds the network [R8.3.13]', async (_, fault) => {
    const { extension, latchkey } = await connectTestWallet()
    extension.faults.once('wallet_switchEthereumChain', fault)
    await switchNetwork(latchkey, 'eip155:31338')
    expect(extension.requests.map(({ method }) => method)).toContain('wallet_addEthereumChain')
    expect(getAccount(latchkey)).toMatchObject({ account: `eip155:31338:${alice}` })
  })

  test.each([
    ['4001', fail(4001, 'No'), 'request/rejected'],
    ['4200', fail(4200, 'No'), 'network/switch-unsupported'],
    ['-32601', fail(-32_601, 'No'), 'network/switch-unsupported'],
    ['4900', fail(4900, 'No'), 'wallet/unavailable'],
  ])('with code %s on switching rejects with %3$s and adds no network [R8.3.6]', async (_, fault, code) => {
    const { extension, latchkey } = await connectTestWallet()
    extension.faults.once('wallet_switchEthereumChain', fault)
    expect(await getRejection(switchNetwork(latchkey, 'eip155:31338'))).toMatchObject({ code })
    expect(extension.requests.map(({ method }) => method)).not.toContain('wallet_addEthereumChain')
  })

  test('on adding a network has the message of the specification [R8.2.7]', async () => {
    const { extension, latchkey } = await connectTestWallet({ unknownChains: [31_338] })
    extension.faults.once('wallet_addEthereumChain', fail(-32_602, 'Invalid RPC URL'))
    expect(await getRejection(switchNetwork(latchkey, 'eip155:31338'))).toMatchObject({
      code: 'network/add-refused',
      message: expect.stringMatching(/^Chain is not supported/),
    })
  })

  test('always reaches the app as an error with a code', async () => {
    const { extension, latchkey } = await connectTestWallet()
    const responses: unknown[] = [undefined, null, 7, 'text', {}, [], { error: 'no' }]
    for (const value of responses) {
      extension.faults.once('personal_sign', { kind: 'response', value })
      expect(await getRejection(signMessage(latchkey, 'Hello'))).toMatchObject({ code: 'wallet/invalid-response' })
    }
    expect(await getRejection(request(latchkey, { method: 'wallet_noSuchMethod' }))).toMatchObject({
      code: expect.stringMatching(/^request\//),
    })
  })
})
