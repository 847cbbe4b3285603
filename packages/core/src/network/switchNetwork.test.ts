import { requestError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { isNetworkApproved } from '../state/connectedWallets.ts'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld } from '../testing/fakes.ts'
import { connect } from '../connection/connect.ts'
import { setActiveNamespace } from '../connection/setActiveNamespace.ts'
import { switchNetwork } from './switchNetwork.ts'

const problem = { type: 'problem', code: 'network-not-found' }

function createTwoAdapters(): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] {
  return [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
}

describe('switching', () => {
  test('stores the choice while nothing is connected [R1.2]', async () => {
    const { latchkey, events } = fakeWorld()
    await switchNetwork(latchkey, 'eip155:2')
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:2')
    expect(latchkey.internal.memory.activeNetwork()).toBe('eip155:2')
    expect(events).toEqual([{ type: 'network', chainId: 'eip155:2' }])
  })

  test('asks the connected wallet, and emits one event [R1.2] [R4.7]', async () => {
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
    expect(latchkey.internal.memory.connections().eip155?.chainId).toBe('eip155:2')
  })

  test('sends no request when the wallet is on the network already', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:1')
    expect(connector.requests).toEqual([])
  })

  test('keeps the network when the user declines', async () => {
    const connector = fakeConnector()
    connector.fail('switchNetwork', requestError('request/rejected', { method: 'switchNetwork' }))
    const { latchkey } = fakeWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await expect(switchNetwork(latchkey, 'eip155:2')).rejects.toMatchObject({ code: 'request/rejected' })
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:1')
    expect(latchkey.internal.memory.activeNetwork()).toBe('eip155:1')
  })

  test('rejects a network that is not configured [R8.1.3]', async () => {
    const { latchkey, events } = fakeWorld()
    await expect(switchNetwork(latchkey, 'eip155:99')).rejects.toMatchObject({ code: 'network/not-found' })
    await expect(switchNetwork(latchkey, 'eip155:98')).rejects.toMatchObject({ code: 'network/not-found' })
    expect(events).toEqual([problem, problem])
  })

  test('rejects without a network [R8.3.3]', async () => {
    const { latchkey, events } = fakeWorld()
    await expect(switchNetwork(latchkey, undefined)).rejects.toThrow('CaipNetwork is undefined')
    expect(events).toEqual([])
  })

  test('to another namespace activates it, after an event [R4.2.1]', async () => {
    const { latchkey, events } = fakeWorld({ adapters: createTwoAdapters(), connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    await switchNetwork(latchkey, 'eip155:2')
    expect(events.some(({ type }) => type === 'namespace-change')).toBe(false)
    await switchNetwork(latchkey, 'solana:1')
    expect(events).toContainEqual({ type: 'namespace-change', namespace: 'solana' })
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:1' } })
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connected', chainId: 'eip155:2' })
  })
})

describe('the networks that a wallet approved', () => {
  test('are those of the connected wallet, or all without a wallet [R3.5]', async () => {
    const connector = fakeConnector({ approvedChains: ['eip155:1'] })
    const { latchkey, adapter } = fakeWorld({ connectors: [connector] })
    const approved = (): readonly boolean[] => adapter.networks.map((network) => isNetworkApproved(latchkey, network))
    expect(approved()).toEqual([true, true])
    await connect(latchkey, 'fake')
    expect(approved()).toEqual([true, false])
  })
})

describe('the active namespace', () => {
  test('is stored with its network, and connections do not change', async () => {
    const { latchkey } = fakeWorld({ adapters: createTwoAdapters(), connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    setActiveNamespace(latchkey, 'solana')
    expect(latchkey.internal.memory.activeNetwork()).toBe('solana:1')
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('connected')
    setActiveNamespace(latchkey, 'eip155')
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('is never a namespace without an adapter [R8.3.3]', () => {
    const { latchkey } = fakeWorld()
    expect(() => setActiveNamespace(latchkey, 'solana')).toThrow(expect.objectContaining({ code: 'adapter/not-found' }))
    expect(latchkey.wallet.getState().active).toBe('eip155')
  })
})
