import { expect, test } from 'vitest'
import { localSignIn } from '../signIn/localSignIn.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  flushTasks,
  type FakeConnectorOptions,
  type FakeWorldOptions,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connectAll } from './connectAll.ts'
import { setActiveNamespace } from './setActiveNamespace.ts'
import { start } from './start.ts'

const ids = ['evm', 'solana'] as const

/** One wallet with a connector in each of two namespaces. */
function createTwoNamespaceWorld(
  evm: FakeConnectorOptions = {},
  options: FakeWorldOptions = {},
): FakeWorld & { connectors: readonly ReturnType<typeof fakeConnector>[] } {
  const connectors = [
    fakeConnector({ id: 'evm', ...evm }),
    fakeConnector({ id: 'solana', namespaces: ['solana'], neverResponds: true }),
  ]
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  return { ...fakeWorld({ adapters, connectors, ...options }), connectors }
}

test('connectAll warns of the network after the last connection [R4.2.2]', async () => {
  const { latchkey, events, connectors } = createTwoNamespaceWorld({ accounts: [fakeAccount('eip155:99')] })
  const connecting = connectAll(latchkey, ids)
  await flushTasks()
  expect(events.map(({ type }) => type)).toEqual(['connect'])
  // Some wallets report their chain again while they show the next prompt.
  connectors[0]?.emitChain('eip155:98')
  connectors[1]?.approve()
  await connecting
  expect(events.map(({ type }) => type)).toEqual(['connect', 'network', 'account', 'connect', 'network-unsupported'])
  expect(events.at(-1)).toMatchObject({ chainId: 'eip155:98' })
})

test("connectAll makes the app's first connected namespace the active one [R2.1.5]", async () => {
  const { latchkey, connectors } = createTwoNamespaceWorld()
  setActiveNamespace(latchkey, 'solana')
  const connecting = connectAll(latchkey, ids)
  await flushTasks()
  connectors[1]?.approve()
  await connecting
  expect(latchkey.wallet.getState().active).toBe('eip155')
})

test('connectAll keeps the earlier connections if the user rejects a later one', async () => {
  const { latchkey, connectors, events } = createTwoNamespaceWorld({ accounts: [fakeAccount('eip155:99')] })
  const connecting = connectAll(latchkey, ids)
  await flushTasks()
  connectors[1]?.reject()
  expect(await connecting).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ type: 'network-unsupported' })
})

test('connectAll rejects if the user rejects the first connection, and warnings work afterwards', async () => {
  const { latchkey, events, connectors } = createTwoNamespaceWorld({ neverResponds: true })
  const connecting = getRejection(connectAll(latchkey, ids))
  connectors[0]?.reject()
  expect(await connecting).toMatchObject({ code: 'connection/rejected' })
  const next = connectAll(latchkey, ['evm'])
  connectors[0]?.approve()
  await next
  connectors[0]?.emitChain('eip155:99')
  expect(events.at(-1)).toMatchObject({ type: 'network-unsupported' })
})

test('connectAll requires the sign-in after the last connection [R2.2.8]', async () => {
  const { latchkey, events, connectors } = createTwoNamespaceWorld(
    {},
    { siwx: localSignIn({ storage: fakeStorage() }) },
  )
  const stop = start(latchkey)
  await import('../signIn/watchSignIn.ts')
  await flushTasks()
  const connecting = connectAll(latchkey, ids)
  await flushTasks()
  expect(events.filter(({ type }) => type === 'sign-in-required')).toEqual([])
  connectors[1]?.approve()
  await connecting
  await expect.poll(() => events.filter(({ type }) => type === 'sign-in-required')).toHaveLength(1)
  stop()
})
