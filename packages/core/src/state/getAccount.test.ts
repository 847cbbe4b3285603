import { expect, test } from 'vitest'
import { connect } from '../connection/connect.ts'
import { getRejection, fakeAccount, fakeAddress, fakeConnector, fakeWorld } from '../testing/fakes.ts'
import { getConnector } from './connectedWallets.ts'
import { getAdapter, findNetwork, getAccount } from './getAccount.ts'

test('getAccount returns address, network and wallet of the active namespace [R3.4]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ icon: 'data:image/svg+xml,x' })] })
  expect(getAccount(latchkey)).toEqual({ status: 'disconnected', network: latchkey.networks[0] })
  await connect(latchkey, 'fake')
  expect(getAccount(latchkey)).toEqual({
    status: 'connected',
    connectorId: 'fake',
    account: fakeAccount('eip155:1'),
    address: fakeAddress('eip155'),
    network: latchkey.networks[0],
    supported: true,
    wallet: { name: 'Fake Wallet', icon: 'data:image/svg+xml,x' },
  })
})

test('getAccount is connecting while a request is pending, even with another wallet connected', async () => {
  const connectors = [fakeConnector(), fakeConnector({ id: 'other', neverResponds: true })]
  const { latchkey } = fakeWorld({ connectors })
  await connect(latchkey, 'fake')
  const attempt = new AbortController()
  const failure = getRejection(connect(latchkey, 'other', { signal: attempt.signal }))
  expect(getAccount(latchkey)).toMatchObject({ status: 'connecting', connectorId: 'other' })
  attempt.abort()
  await failure
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
})

test('getAccount has no network and no account without adapters', () => {
  const { latchkey } = fakeWorld({ adapters: [] })
  expect(getAccount(latchkey)).toEqual({ status: 'disconnected', network: undefined })
})

test('adapters and networks are found by id, and unknown ones reject [R8.3.3]', () => {
  const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector()] })
  expect(getAdapter(latchkey, 'eip155')).toBe(adapter)
  expect(getConnector(latchkey, 'fake').id).toBe('fake')
  expect(findNetwork(latchkey, 'eip155:2')).toBe(adapter.networks[1])
  expect(findNetwork(latchkey, 'eip155:3')).toBeUndefined()
  expect(() => getAdapter(latchkey, 'solana')).toThrow(
    expect.objectContaining({ message: expect.stringContaining('Adapter not found') }),
  )
  expect(() => getConnector(latchkey, 'gone')).toThrow(expect.objectContaining({ code: 'connector/not-found' }))
})
