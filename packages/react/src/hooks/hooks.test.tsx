import { connect, type Adapter, type CallsStatus } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld, type FakeAdapter } from '@latchkey/core/fakes'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import {
  useAccount,
  useAccounts,
  useConnections,
  useDisconnect,
  useIdentity,
  useSwitchAccount,
  useSwitchConnection,
  useWalletCalls,
} from '../index.ts'
import { renderApp } from '../testing/renderModal.tsx'
import { fakeServer } from '../testing/fakeServer.ts'

function Wallets(): ReactElement {
  const connections = useConnections('eip155')
  const accounts = useAccounts()
  const account = useAccount()
  const { switchConnection } = useSwitchConnection()
  const { switchAccount } = useSwitchAccount()
  const { disconnect } = useDisconnect()
  const [first, second] = connections
  const last = accounts.at(-1)
  return (
    <>
      <output>
        {connections.map(({ wallet }) => wallet.name).join(', ')} /{' '}
        {accounts.map(({ address, selected }) => address.slice(-1) + (selected ? '!' : '')).join(' ')} /{' '}
        {account.status === 'connected' && account.address.slice(-1)}
      </output>
      <button type="button" onClick={() => second !== undefined && switchConnection(second)}>
        Switch
      </button>
      <button type="button" onClick={() => last !== undefined && switchAccount(last.account)}>
        Last
      </button>
      <button type="button" onClick={() => first !== undefined && void disconnect(first)}>
        Leave
      </button>
    </>
  )
}

test('useConnections lists, switches and disconnects several wallets and accounts [R3.4]', async () => {
  const connectors = [
    fakeConnector({ id: 'fox', name: 'Fox', accounts: [fakeAccount('eip155:1', 0)] }),
    fakeConnector({ id: 'owl', name: 'Owl', accounts: [fakeAccount('eip155:1', 1), fakeAccount('eip155:1', 2)] }),
  ]
  const { latchkey } = fakeWorld({ connectors, multiWallet: true })
  await connect(latchkey, 'fox')
  await connect(latchkey, 'owl')
  const screen = await renderApp(latchkey, { children: <Wallets /> })
  const status = screen.getByRole('status')
  await expect.element(status).toHaveTextContent('Owl, Fox / f! 0 e / f')
  await screen.getByRole('button', { name: 'Switch' }).click()
  await expect.element(status).toHaveTextContent('Fox, Owl / e! f 0 / e')
  await screen.getByRole('button', { name: 'Last' }).click()
  await expect.element(status).toHaveTextContent('Owl, Fox / f 0! e / 0')
  await screen.getByRole('button', { name: 'Leave' }).click()
  await expect.element(status).toHaveTextContent('Fox / e! / e')
})

function Person(): ReactElement {
  const { data } = useIdentity()
  return <output>{data?.name ?? 'nobody'}</output>
}

test('useIdentity requests a name from the server once in five minutes [R9.1.10]', async () => {
  const server = fakeServer({ identity: { name: 'visitor.eth' } })
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()], server: server.url, projectId: server.projectId })
  const screen = await renderApp(latchkey, { children: [<Person key="a" />, <Person key="b" />] })
  await expect.element(screen.getByRole('status').first()).toHaveTextContent('nobody')
  expect(server.requests).toEqual([])
  await connect(latchkey, 'fake')
  await expect.element(screen.getByRole('status').last()).toHaveTextContent('visitor.eth')
  expect(server.requests).toHaveLength(1)
})

test('useIdentity sends no request without a server', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey, { children: <Person /> })
  await expect.element(screen.getByRole('status')).toHaveTextContent('nobody')
})

/** A namespace whose wallets execute batches of calls and report their status. */
function createBatchingAdapter(): FakeAdapter & Adapter {
  let looks = 0
  const status = (): CallsStatus => {
    looks += 1
    return { id: '0x1', status: looks > 1 ? 'confirmed' : 'pending', atomic: true, receipts: [] }
  }
  return Object.assign(fakeAdapter(), {
    walletCalls: async () => ({
      getCapabilities: async () => ({ 'eip155:1': { atomic: { status: 'supported' } } }),
      sendCalls: async () => ({ id: '0x1' }),
      getCallsStatus: async () => status(),
      getAssets: async () => undefined,
      grantPermissions: async () => ({}),
      revokePermissions: async () => {},
    }),
  })
}

function Batch({ onDone }: { onDone(status: unknown): void }): ReactElement {
  const { getCapabilities, sendCalls, getCallsStatus, waitForCalls } = useWalletCalls()
  const run = async (): Promise<void> => {
    const capabilities = await getCapabilities()
    const { id } = await sendCalls({ calls: [{ to: '0xaa', value: 1n }] })
    const { status: before } = await getCallsStatus(id)
    const { status: after } = await waitForCalls(id)
    onDone([Object.keys(capabilities), before, after])
  }
  return (
    <button type="button" onClick={() => void run()}>
      Run
    </button>
  )
}

test('useWalletCalls sends several calls with one approval and follows them to the end', async () => {
  const { latchkey } = fakeWorld({ adapters: [createBatchingAdapter()], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const messages: unknown[] = []
  const screen = await renderApp(latchkey, { children: <Batch onDone={(words) => messages.push(words)} /> })
  await screen.getByRole('button', { name: 'Run' }).click()
  await expect.poll(() => messages).toEqual([[['eip155:1'], 'pending', 'confirmed']])
})
