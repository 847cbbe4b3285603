import { describe, expect, test } from 'vitest'
import { getAccount, stateOf } from '../state/wallet.ts'
import {
  failureOf,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  settled,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { openModal } from './navigation.ts'
import { start } from './start.ts'

function twoFamilies(connectors: Parameters<typeof fakeWorld>[0] & object): FakeWorld {
  return fakeWorld({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })], ...connectors })
}

test('forgets the account, tells the wallet and the app [R4.1.1] [R4.5] [R4.6]', async () => {
  const connector = fakeConnector()
  const { latchkey, events } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  latchkey.memory.setDeepLink({ href: 'fake://', name: 'Fake' })
  await disconnect(latchkey)
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect(connector.calls.disconnect).toBe(1)
  expect(events.at(-1)).toEqual({ type: 'disconnect', namespace: 'eip155', by: 'visitor' })
  expect(latchkey.memory.connections()).toEqual({})
  expect(latchkey.memory.deepLink()).toBeUndefined()
  expect(latchkey.memory.recentWallets()).toHaveLength(1)
})

test('leaves the other namespaces to their wallets [R4.1.1]', async () => {
  const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
  const { latchkey } = twoFamilies({ connectors })
  await connect(latchkey, 'a')
  await connect(latchkey, 'b')
  await disconnect(latchkey, 'eip155')
  expect(stateOf(latchkey, 'eip155').status).toBe('disconnected')
  expect(stateOf(latchkey, 'solana').status).toBe('connected')
  await disconnect(latchkey)
  expect(stateOf(latchkey, 'solana').status).toBe('disconnected')
})

test.each(['walletConnect', 'embedded'] as const)(
  'takes all namespaces of one %s session along [R4.1.2]',
  async (type) => {
    const connector = fakeConnector({ type, namespaces: ['eip155', 'solana'] })
    const { latchkey, events } = twoFamilies({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await disconnect(latchkey, 'solana')
    expect(stateOf(latchkey, 'eip155').status).toBe('disconnected')
    expect(connector.calls.disconnect).toBe(1)
    expect(events.filter(({ type }) => type === 'disconnect')).toHaveLength(2)
  },
)

test('keeps an extension that still serves another namespace [R4.1.2]', async () => {
  const connector = fakeConnector({ namespaces: ['eip155', 'solana'] })
  const { latchkey } = twoFamilies({ connectors: [connector] })
  await connect(latchkey, 'fake')
  await disconnect(latchkey, 'solana')
  expect(connector.calls.disconnect).toBe(0)
  expect(stateOf(latchkey, 'eip155').status).toBe('connected')
  expect(Object.keys(latchkey.memory.connections())).toEqual(['eip155'])
})

test('is disconnected even when the wallets could not be told, and says what each of them said [R4.1.1] [R8.3.11]', async () => {
  const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
  const { latchkey } = twoFamilies({ connectors })
  await connect(latchkey, 'a')
  await connect(latchkey, 'b')
  for (const connector of connectors) connector.fail('disconnect', new Error(`${connector.id} is gone`))
  await expect(disconnect(latchkey)).rejects.toMatchObject({
    code: 'disconnect/failed',
    context: { reasons: ['a is gone', 'b is gone'] },
    message: expect.stringContaining('a is gone; b is gone'),
  })
  expect(stateOf(latchkey, 'eip155').status).toBe('disconnected')
  expect(stateOf(latchkey, 'solana').status).toBe('disconnected')
  expect(latchkey.memory.connections()).toEqual({})
})

test('gives up a wallet that is on its way back, and does not hear it any more [R4.3]', async () => {
  const before = fakeWorld({ connectors: [fakeConnector()] })
  await connect(before.latchkey, 'fake')
  const { storage } = before
  let answer = (): void => {}
  const slow = fakeConnector({ restores: true })
  const { latchkey } = fakeWorld({
    storage,
    connectors: [
      {
        ...slow,
        async restore(request) {
          const granted = await slow.restore(request)
          await new Promise<void>((resolve) => (answer = resolve))
          return granted
        },
      },
    ],
  })
  start(latchkey)
  await settled()
  expect(getAccount(latchkey).status).toBe('reconnecting')
  await disconnect(latchkey)
  expect(getAccount(latchkey).status).toBe('disconnected')
  answer()
  await settled()
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect(latchkey.memory.connections()).toEqual({})
})

test('has nothing to say when nothing is connected', async () => {
  const { latchkey, events } = fakeWorld({ connectors: [fakeConnector()] })
  await disconnect(latchkey)
  await disconnect(latchkey, 'solana')
  expect(events).toEqual([])
})

describe('the modal', () => {
  test.each(['Account', 'Networks', 'UnsupportedChain'] as const)('leaves %s with the account', async (view) => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey, { entry: { view, params: {} } })
    await disconnect(latchkey)
    expect(latchkey.modal.getState()).toEqual({ open: false })
  })

  test('stays where it is when another namespace is disconnected', async () => {
    const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
    const { latchkey } = twoFamilies({ connectors })
    await connect(latchkey, 'b')
    await connect(latchkey, 'a')
    openModal(latchkey)
    await disconnect(latchkey, 'solana')
    expect(latchkey.modal.getState()).toMatchObject({ open: true, history: [{ view: 'Account' }] })
    await disconnect(latchkey, 'eip155')
    expect(latchkey.modal.getState().open).toBe(false)
  })

  test('stays on views that need no account', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey, { entry: { view: 'Connect', params: {} } })
    await disconnect(latchkey)
    expect(latchkey.modal.getState().open).toBe(true)
  })
})

test('a wallet that leaves while another is asked ends neither the attempt nor its outcome', async () => {
  const [old, fresh] = [fakeConnector({ id: 'old' }), fakeConnector({ id: 'fresh', neverAnswers: true })]
  const { latchkey } = fakeWorld({ connectors: [old, fresh] })
  await connect(latchkey, 'old')
  const failure = failureOf(connect(latchkey, 'fresh'))
  old.leave()
  expect(stateOf(latchkey, 'eip155')).toMatchObject({ status: 'connecting', connectorId: 'fresh' })
  fresh.approve()
  expect(await failure).toBeUndefined()
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', account: fakeAccount('eip155:1') })
})
