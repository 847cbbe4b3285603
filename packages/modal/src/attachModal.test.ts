import { connect, disconnect, getAccount, start } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeStorage, type FakeStorage } from '@latchkey/core/fakes'
import { describe, expect, test } from 'vitest'
import { modalOf } from './modal.ts'
import { openModal } from './navigation/openModal.ts'
import { fakeModalWorld, type FakeModalWorld } from './testing/fakeModalWorld.ts'

function createTwoNamespaceWorld(options: Parameters<typeof fakeModalWorld>[0]): FakeModalWorld {
  return fakeModalWorld({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })], ...options })
}

function createStorageWithConnections(): FakeStorage {
  const connections = { eip155: { connectorId: 'fake', account: fakeAccount('eip155:1'), chainId: 'eip155:1' } }
  return fakeStorage({
    values: {
      '@latchkey/connections': JSON.stringify(connections),
      '@latchkey/active_network': JSON.stringify('eip155:1'),
    },
  })
}

describe('a restored connection', () => {
  test('replaces the connect view, and no other view', async () => {
    for (const [view, shown] of [
      ['Connect', 'Account'],
      ['AllWallets', 'AllWallets'],
    ] as const) {
      const connectors = [fakeConnector({ restores: true })]
      const { latchkey } = fakeModalWorld({ storage: createStorageWithConnections(), connectors })
      start(latchkey)
      openModal(latchkey, { entry: { view, params: {} } })
      await expect.poll(() => getAccount(latchkey).status).toBe('connected')
      expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, history: [{ view: shown }] })
    }
  })
})

describe('the modal', () => {
  test.each(['Account', 'Networks', 'UnsupportedChain'] as const)(
    'leaves %s when the account disconnects',
    async (view) => {
      const { latchkey } = fakeModalWorld({ connectors: [fakeConnector()] })
      await connect(latchkey, 'fake')
      openModal(latchkey, { entry: { view, params: {} } })
      await disconnect(latchkey)
      expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
    },
  )

  test('keeps its view when another namespace disconnects', async () => {
    const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
    const { latchkey } = createTwoNamespaceWorld({ connectors })
    await connect(latchkey, 'b')
    await connect(latchkey, 'a')
    openModal(latchkey)
    await disconnect(latchkey, 'solana')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, history: [{ view: 'Account' }] })
    await disconnect(latchkey, 'eip155')
    expect(modalOf(latchkey).state.getState().open).toBe(false)
  })

  test('stays on views that need no account', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey, { entry: { view: 'Connect', params: {} } })
    await disconnect(latchkey)
    expect(modalOf(latchkey).state.getState().open).toBe(true)
  })
})
