import { expect, test } from 'vitest'
import { openModal } from './actions/navigation.ts'
import { getConnections } from './actions/several.ts'
import { recall } from './actions/start.ts'
import { switchNetwork } from './actions/switchNetwork.ts'
import { createLatchkey, type Latchkey } from './latchkey.ts'
import { getAccount } from './state/wallet.ts'
import { cookieStorage, type CookieJar } from './storage/cookieStorage.ts'
import { fakeAccount, fakeAdapter, fakeConnector, manualClock } from './testing/fakes.ts'

/** What a server has once, however many visitors there are. */
const shared = { adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })], clock: manualClock() }
const connector = fakeConnector({ namespaces: ['eip155', 'solana'], restores: true })

/** The cookies of one visitor: his account, and the network he chose. */
function jarOf(visitor: number): CookieJar {
  const account = fakeAccount('eip155:1', visitor)
  const connections = { eip155: { connectorId: 'fake', account, chainId: 'eip155:1' } }
  const cookie = (name: string, value: unknown): string =>
    `${encodeURIComponent(`@latchkey/${name}`)}=${encodeURIComponent(JSON.stringify(value))}`
  const network = visitor % 2 === 0 ? 'eip155:2' : 'solana:1'
  return { cookie: `${cookie('connections', connections)}; ${cookie('active_network', network)}` }
}

/** One request: an instance, some waiting between its parts, as rendering has, and what was rendered. */
async function render(visitor: number): Promise<string> {
  const jar = jarOf(visitor)
  const latchkey = createLatchkey({ ...shared, connectors: [connector], storage: cookieStorage(jar) })
  recall(latchkey)
  await Promise.resolve()
  const first = drawn(latchkey)
  if (visitor % 3 === 0) openModal(latchkey)
  if (visitor % 5 === 0) await switchNetwork(latchkey, 'solana:2')
  await new Promise<void>((resolve) => void setImmediate(resolve))
  expect(drawn(latchkey).startsWith(first.slice(0, first.indexOf(' ')))).toBe(true)
  expect(latchkey.modal.getState().open).toBe(visitor % 3 === 0)
  return first
}

function drawn(latchkey: Latchkey): string {
  const { status, ...account } = getAccount(latchkey, 'eip155')
  return `${'address' in account ? account.address : ''} ${status} ${latchkey.wallet.getState().active}`
}

test('two renders at a time with other cookies, a thousand times, never see each other', async () => {
  for (let round = 0; round < 1_000; round += 1) {
    const visitors = [2 * round, 2 * round + 1]
    const pages = await Promise.all(visitors.map(render))
    expect(pages).toEqual(
      visitors.map((visitor) => {
        const [, , address] = fakeAccount('eip155:1', visitor).split(':')
        return `${address} reconnecting ${visitor % 2 === 0 ? 'eip155' : 'solana'}`
      }),
    )
  }
  expect([
    connector.calls.restore,
    shared.clock.waiting(),
    shared.adapters.map((adapter) => adapter.looking()),
  ]).toEqual([0, 0, [0, 0]])
})

test('shows who is remembered and asks no wallet, on a server as in the first render of the page', () => {
  const [server, page] = [1, 1].map((visitor) => {
    const latchkey = createLatchkey({ ...shared, connectors: [connector], storage: cookieStorage(jarOf(visitor)) })
    recall(latchkey)
    recall(latchkey)
    return { state: latchkey.wallet.getState(), connections: getConnections(latchkey) }
  })
  expect(server).toEqual(page)
  expect(server?.state.namespaces.eip155).toMatchObject({ status: 'reconnecting', account: fakeAccount('eip155:1', 1) })
  expect(connector.calls.restore).toBe(0)
})
