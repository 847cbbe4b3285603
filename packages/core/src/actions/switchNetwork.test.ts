import { LatchkeyError } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { isApproved } from '../state/standing.ts'
import { getAccount, stateOf } from '../state/wallet.ts'
import { failureOf, fakeAccount, fakeAdapter, fakeConnector, fakeWorld, settled } from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { openModal } from './navigation.ts'
import { dismissAlert } from './notices.ts'
import { setActiveNamespace } from './setActiveNamespace.ts'
import { switchNetwork } from './switchNetwork.ts'

// It is loaded when it is first needed, which takes a moment that no injected clock can bring.
beforeAll(() => import('./rare.ts'))

const unsupported = { view: 'UnsupportedChain' }

function twoFamilies(): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] {
  return [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
}

describe('switching', () => {
  test('remembers the choice while nothing is connected [R1.2]', async () => {
    const { latchkey, events } = fakeWorld()
    await switchNetwork(latchkey, 'eip155:2')
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:2')
    expect(latchkey.memory.activeNetwork()).toBe('eip155:2')
    expect(events).toEqual([{ type: 'network', chainId: 'eip155:2' }])
  })

  test('asks the connected wallet, and tells once [R1.2] [R4.7]', async () => {
    const connector = fakeConnector()
    const { latchkey, events } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:2')
    expect(connector.requests).toEqual([{ method: 'switchNetwork', params: ['eip155:2'] }])
    expect(getAccount(latchkey)).toMatchObject({
      account: fakeAccount('eip155:2'),
      network: { caipNetworkId: 'eip155:2' },
    })
    expect(events.filter(({ type }) => type === 'network')).toEqual([{ type: 'network', chainId: 'eip155:2' }])
    expect(latchkey.memory.connections().eip155?.chainId).toBe('eip155:2')
  })

  test('does not ask a wallet that is there already', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:1')
    expect(connector.requests).toEqual([])
  })

  test('stays where it was when the visitor declines', async () => {
    const connector = fakeConnector()
    connector.fail('switchNetwork', new LatchkeyError('request/rejected', { method: 'switchNetwork' }))
    const { latchkey } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await expect(switchNetwork(latchkey, 'eip155:2')).rejects.toMatchObject({ code: 'request/rejected' })
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:1')
    expect(latchkey.memory.activeNetwork()).toBe('eip155:1')
  })

  test('raises an alert for a network that is not configured [R8.1.3]', async () => {
    const { latchkey } = fakeWorld()
    await expect(switchNetwork(latchkey, 'eip155:99')).rejects.toMatchObject({ code: 'network/not-found' })
    await expect(switchNetwork(latchkey, 'eip155:98')).rejects.toMatchObject({ code: 'network/not-found' })
    expect(latchkey.alerts.getState()).toEqual([{ code: 'network-not-found', dismissed: false }])
  })

  test('to nothing at all says so [R8.3.3]', async () => {
    const { latchkey } = fakeWorld()
    await expect(switchNetwork(latchkey, undefined)).rejects.toThrow('CaipNetwork is undefined')
    expect(latchkey.alerts.getState()).toEqual([])
  })

  test('to another namespace makes that one active and flags the modal [R4.2.1]', async () => {
    const { latchkey } = fakeWorld({ adapters: twoFamilies(), connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey)
    await switchNetwork(latchkey, 'eip155:2')
    expect(latchkey.modal.getState()).toMatchObject({ switchingNamespace: false })
    await switchNetwork(latchkey, 'solana:1')
    expect(latchkey.modal.getState()).toMatchObject({ open: true, switchingNamespace: true })
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:1' } })
    expect(stateOf(latchkey, 'eip155')).toMatchObject({ status: 'connected', chainId: 'eip155:2' })
  })

  test('with a closed modal flags nothing', async () => {
    const { latchkey } = fakeWorld({ adapters: twoFamilies() })
    await switchNetwork(latchkey, 'solana:1')
    expect(latchkey.modal.getState()).toEqual({ open: false })
  })
})

describe('an unsupported network', () => {
  const elsewhere = (): ReturnType<typeof fakeConnector> => fakeConnector({ accounts: [fakeAccount('eip155:99')] })

  test('opens its view when the wallet connects on it [R4.2.2] [R4.2.3]', async () => {
    const { latchkey } = fakeWorld({ connectors: [elsewhere()] })
    await connect(latchkey, 'fake')
    expect(latchkey.modal.getState()).toMatchObject({ open: true, history: [unsupported] })
    expect(getAccount(latchkey)).toMatchObject({ supported: false })
  })

  test('opens its view when the wallet moves to it, and closes it when the wallet leaves it [R4.2.2]', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    connector.emitChain('eip155:99')
    await settled()
    expect(latchkey.modal.getState()).toMatchObject({ open: true, history: [unsupported] })
    connector.emitChain('eip155:1')
    await settled()
    expect(latchkey.modal.getState()).toEqual({ open: false })
  })

  test('is left by switching here [R4.2.2]', async () => {
    const { latchkey } = fakeWorld({ connectors: [elsewhere()] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:1')
    expect(latchkey.modal.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: true, network: { caipNetworkId: 'eip155:1' } })
  })

  test('opens nothing where the app allows it, and counts as supported [R4.2.2] [R4.2.3]', async () => {
    const { latchkey } = fakeWorld({ connectors: [elsewhere()], allowUnsupportedNetworks: true })
    await connect(latchkey, 'fake')
    expect(latchkey.modal.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: true })
  })

  test('opens nothing where the visitor could not switch, and still counts as unsupported [R4.2.2] [R4.2.3]', async () => {
    const { latchkey } = fakeWorld({ connectors: [elsewhere()], enableNetworkSwitch: false })
    await connect(latchkey, 'fake')
    expect(latchkey.modal.getState()).toEqual({ open: false })
    expect(getAccount(latchkey)).toMatchObject({ supported: false })
  })

  test('of a namespace that is not active opens nothing [R4.2.2]', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ adapters: twoFamilies(), connectors: [connector] })
    await connect(latchkey, 'fake')
    setActiveNamespace(latchkey, 'solana')
    connector.emitChain('eip155:99')
    await settled()
    expect(latchkey.modal.getState()).toEqual({ open: false })
  })
})

describe('what the app wants done about an unsupported network', () => {
  const cannot = new LatchkeyError('network/switch-unsupported', { wallet: 'Fake Wallet' })
  const alert = { code: 'network-unsupported', dismissed: false }

  test.each([
    ['ignore', 'eip155:1', { shown: false, told: [], supported: true }],
    ['ignore', 'eip155:99', { shown: false, told: [], supported: true }],
    ['ignore', 'eip155:31337', { shown: false, told: [], supported: true }],
    ['inform', 'eip155:1', { shown: false, told: [], supported: true }],
    ['inform', 'eip155:99', { shown: false, told: [alert], supported: false }],
    ['inform', 'eip155:31337', { shown: false, told: [alert], supported: false }],
    ['require', 'eip155:1', { shown: false, told: [], supported: true }],
    ['require', 'eip155:99', { shown: true, told: [], supported: false }],
    ['require', 'eip155:31337', { shown: true, told: [], supported: false }],
  ] as const)(
    '%s, with a wallet on %s that may or may not switch [R4.2.2] [R4.2.3]',
    async (policy, chainId, expected) => {
      for (const canSwitch of [true, false]) {
        const connector = fakeConnector({ accounts: [fakeAccount(chainId)] })
        if (!canSwitch) connector.fail('switchNetwork', cannot)
        const { latchkey } = fakeWorld({ connectors: [connector], unsupportedNetworks: policy })
        await connect(latchkey, 'fake')
        const account = getAccount(latchkey)
        expect({
          shown: latchkey.modal.getState().open,
          told: latchkey.alerts.getState(),
          supported: account.status === 'connected' && account.supported,
        }).toEqual(expected)
        const failure = await failureOf(switchNetwork(latchkey, 'eip155:2'))
        expect(failure).toBe(canSwitch ? undefined : cannot)
        expect(latchkey.modal.getState().open).toBe(expected.shown && !canSwitch)
        expect(latchkey.alerts.getState()).toEqual(canSwitch ? [] : expected.told)
      }
    },
  )

  test('is told again when the wallet goes there again', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector], unsupportedNetworks: 'inform' })
    await connect(latchkey, 'fake')
    for (const _ of [1, 2]) {
      connector.emitChain('eip155:99')
      await settled()
      expect(latchkey.alerts.getState()).toEqual([alert])
      dismissAlert(latchkey, 'network-unsupported')
      connector.emitChain('eip155:1')
      await settled()
      expect(latchkey.alerts.getState()).toEqual([])
    }
  })
})

describe('the networks that a wallet approved', () => {
  test('are asked of the wallet that stands, and of nobody where none does [R3.5]', async () => {
    const connector = fakeConnector({ approvedChains: ['eip155:1'] })
    const { latchkey, adapter } = fakeWorld({ connectors: [connector] })
    const approved = (): readonly boolean[] => adapter.networks.map((network) => isApproved(latchkey, network))
    expect(approved()).toEqual([true, true])
    await connect(latchkey, 'fake')
    expect(approved()).toEqual([true, false])
  })
})

describe('the active namespace', () => {
  test('is remembered with its network, and connections stay as they are', async () => {
    const { latchkey } = fakeWorld({ adapters: twoFamilies(), connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    setActiveNamespace(latchkey, 'solana')
    expect(latchkey.memory.activeNetwork()).toBe('solana:1')
    expect(stateOf(latchkey, 'eip155').status).toBe('connected')
    setActiveNamespace(latchkey, 'eip155')
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('is never one without an adapter [R8.3.3]', () => {
    const { latchkey } = fakeWorld()
    expect(() => setActiveNamespace(latchkey, 'solana')).toThrow(expect.objectContaining({ code: 'adapter/not-found' }))
    expect(latchkey.wallet.getState().active).toBe('eip155')
  })
})
