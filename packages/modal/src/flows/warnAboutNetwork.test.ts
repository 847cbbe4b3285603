import { dismissAlert } from '../notices/alerts.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { openModal } from '../navigation/openModal.ts'
import { networkError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { connect, disconnect, getAccount, setActiveNamespace, switchNetwork, type Latchkey } from '@latchkey/core'
import { getRejection, fakeAccount, fakeAdapter, fakeConnector, flushTasks } from '@latchkey/core/fakes'

const unsupported = { view: 'UnsupportedChain' }

function createTwoAdapters(): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] {
  return [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
}

describe('switching', () => {
  test("to another namespace activates it and sets the modal's flag [R4.2.1]", async () => {
    const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters(), connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey)
    await switchNetwork(latchkey, 'eip155:2')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ switchingNamespace: false })
    await switchNetwork(latchkey, 'solana:1')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, switchingNamespace: true })
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:1' } })
    expect(latchkey.wallet.getState().namespaces.eip155).toMatchObject({ status: 'connected', chainId: 'eip155:2' })
  })

  test('is done when a wallet is connected there, and views of the account stay open until then [R4.2.1]', async () => {
    const wallet = fakeConnector()
    const connectors = [wallet, fakeConnector({ id: 'other', namespaces: ['solana'] })]
    const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters(), connectors })
    await connect(latchkey, 'fake')
    openModal(latchkey, { entry: { view: 'Networks', params: {} } })
    await switchNetwork(latchkey, 'solana:1')
    wallet.leave()
    await flushTasks()
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, history: [{ view: 'Networks' }] })
    await connect(latchkey, 'other')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ switchingNamespace: false })
  })

  test('to a connected namespace is done at once [R4.2.1]', async () => {
    const connectors = [fakeConnector(), fakeConnector({ id: 'other', namespaces: ['solana'] })]
    const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters(), connectors })
    await connect(latchkey, 'other')
    await connect(latchkey, 'fake')
    openModal(latchkey)
    await switchNetwork(latchkey, 'solana:1')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, switchingNamespace: false })
  })

  test('with a closed modal sets no flag', async () => {
    const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters() })
    await switchNetwork(latchkey, 'solana:1')
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  })

  test('raises an alert for a network that is not configured [R8.1.3]', async () => {
    const { latchkey } = fakeModalWorld()
    await expect(switchNetwork(latchkey, 'eip155:99')).rejects.toMatchObject({ code: 'network/not-found' })
    await expect(switchNetwork(latchkey, 'eip155:98')).rejects.toMatchObject({ code: 'network/not-found' })
    expect(modalOf(latchkey).alerts.getState()).toEqual([{ code: 'network-not-found', dismissed: false }])
  })

  test('rejects without a network [R8.3.3]', async () => {
    const { latchkey } = fakeModalWorld()
    await expect(switchNetwork(latchkey, undefined)).rejects.toThrow('CaipNetwork is undefined')
    expect(modalOf(latchkey).alerts.getState()).toEqual([])
  })
})

describe('an unsupported network', () => {
  const elsewhere = (): ReturnType<typeof fakeConnector> => fakeConnector({ accounts: [fakeAccount('eip155:99')] })

  test('opens its view when the wallet connects on it [R4.2.2] [R4.2.3]', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [elsewhere()] })
    await connect(latchkey, 'fake')
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, history: [unsupported] })
    expect(getAccount(latchkey)).toMatchObject({ supported: false })
  })

  test('opens its view when the wallet switches to it, and closes it when the wallet leaves it [R4.2.2]', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeModalWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    connector.emitChain('eip155:99')
    await flushTasks()
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, history: [unsupported] })
    connector.emitChain('eip155:1')
    await flushTasks()
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  })

  test('is left by switching in the modal [R4.2.2]', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [elsewhere()] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:1')
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: true, network: { caipNetworkId: 'eip155:1' } })
  })

  test('shows no view when the app allows it, and counts as supported [R4.2.2] [R4.2.3]', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [elsewhere()], unsupportedNetworks: 'ignore' })
    await connect(latchkey, 'fake')
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: true })
  })

  test("shows no view when the user can't switch, and still counts as unsupported [R4.2.2] [R4.2.3]", async () => {
    const { latchkey } = fakeModalWorld({ connectors: [elsewhere()], enableNetworkSwitch: false })
    await connect(latchkey, 'fake')
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: false })
  })

  test('shows no view in an inactive namespace [R4.2.2]', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters(), connectors: [connector] })
    await connect(latchkey, 'fake')
    setActiveNamespace(latchkey, 'solana')
    connector.emitChain('eip155:99')
    await flushTasks()
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  })
})

/** Connects an account on an unsupported network. The app shows an alert about it. */
async function connectUnsupported(): Promise<Latchkey> {
  const connectors = [fakeConnector({ accounts: [fakeAccount('eip155:99')] })]
  const { latchkey } = fakeModalWorld({ adapters: createTwoAdapters(), connectors, unsupportedNetworks: 'inform' })
  await connect(latchkey, 'fake')
  return latchkey
}

describe("the app's policy for unsupported networks", () => {
  const cannot = networkError('network/switch-unsupported', { wallet: 'Fake Wallet' })
  const alert = { code: 'network-unsupported', dismissed: false }

  test.each([
    ['ignore', 'eip155:1', { shown: false, alerts: [], supported: true }],
    ['ignore', 'eip155:99', { shown: false, alerts: [], supported: true }],
    ['ignore', 'eip155:31337', { shown: false, alerts: [], supported: true }],
    ['inform', 'eip155:1', { shown: false, alerts: [], supported: true }],
    ['inform', 'eip155:99', { shown: false, alerts: [alert], supported: false }],
    ['inform', 'eip155:31337', { shown: false, alerts: [alert], supported: false }],
    ['require', 'eip155:1', { shown: false, alerts: [], supported: true }],
    ['require', 'eip155:99', { shown: true, alerts: [], supported: false }],
    ['require', 'eip155:31337', { shown: true, alerts: [], supported: false }],
  ] as const)(
    'is %s, with a wallet on %s that may or may not switch [R4.2.2] [R4.2.3]',
    async (policy, chainId, expected) => {
      for (const canSwitch of [true, false]) {
        const connector = fakeConnector({ accounts: [fakeAccount(chainId)] })
        if (!canSwitch) connector.fail('switchNetwork', cannot)
        const { latchkey } = fakeModalWorld({ connectors: [connector], unsupportedNetworks: policy })
        await connect(latchkey, 'fake')
        const account = getAccount(latchkey)
        expect({
          shown: modalOf(latchkey).state.getState().open,
          alerts: modalOf(latchkey).alerts.getState(),
          supported: account.status === 'connected' && account.supported,
        }).toEqual(expected)
        const failure = await getRejection(switchNetwork(latchkey, 'eip155:2'))
        expect(failure).toBe(canSwitch ? undefined : cannot)
        expect(modalOf(latchkey).state.getState().open).toBe(expected.shown && !canSwitch)
        expect(modalOf(latchkey).alerts.getState()).toEqual(canSwitch ? [] : expected.alerts)
      }
    },
  )

  test.each([
    ['disconnects', (latchkey: Latchkey) => disconnect(latchkey)],
    ['is not the active one', async (latchkey: Latchkey) => setActiveNamespace(latchkey, 'solana')],
  ])('no longer applies when the account %s', async (_what, change) => {
    const latchkey = await connectUnsupported()
    expect(modalOf(latchkey).alerts.getState()).toEqual([alert])
    await change(latchkey)
    expect(modalOf(latchkey).alerts.getState()).toEqual([])
  })

  test('applies when the namespace of the account becomes the active one', async () => {
    const latchkey = await connectUnsupported()
    setActiveNamespace(latchkey, 'solana')
    setActiveNamespace(latchkey, 'eip155')
    expect(modalOf(latchkey).alerts.getState()).toEqual([alert])
  })

  test('applies again when the wallet returns to the network', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeModalWorld({ connectors: [connector], unsupportedNetworks: 'inform' })
    await connect(latchkey, 'fake')
    for (const _ of [1, 2]) {
      connector.emitChain('eip155:99')
      await flushTasks()
      expect(modalOf(latchkey).alerts.getState()).toEqual([alert])
      dismissAlert(latchkey, 'network-unsupported')
      connector.emitChain('eip155:1')
      await flushTasks()
      expect(modalOf(latchkey).alerts.getState()).toEqual([])
    }
  })
})
