import { modalOf } from './modal.ts'
import { openModal } from './navigation/openModal.ts'
import { expect, test } from 'vitest'
import {
  cookieStorage,
  createLatchkey,
  getAccount,
  getConnections,
  hydrate,
  switchNetwork,
  type CookieJar,
  type Latchkey,
} from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, manualClock } from '@latchkey/core/fakes'

/** The objects that a server shares between all users. */
const shared = { adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })], clock: manualClock() }
const connector = fakeConnector({ namespaces: ['eip155', 'solana'], restores: true })

/** The cookies of one user: the account and the selected network. */
function createCookieJar(user: number): CookieJar {
  const account = fakeAccount('eip155:1', user)
  const connections = { eip155: { connectorId: 'fake', account, chainId: 'eip155:1' } }
  const cookie = (name: string, value: unknown): string =>
    `${encodeURIComponent(`@latchkey/${name}`)}=${encodeURIComponent(JSON.stringify(value))}`
  const network = user % 2 === 0 ? 'eip155:2' : 'solana:1'
  return { cookie: `${cookie('connections', connections)}; ${cookie('active_network', network)}` }
}

/** Renders one request: creates an instance, waits between steps as rendering does, and returns the output. */
async function render(user: number): Promise<string> {
  const jar = createCookieJar(user)
  const latchkey = createLatchkey({ ...shared, connectors: [connector], storage: cookieStorage(jar) })
  hydrate(latchkey)
  await Promise.resolve()
  const first = renderAccount(latchkey)
  if (user % 3 === 0) openModal(latchkey)
  if (user % 5 === 0) await switchNetwork(latchkey, 'solana:2')
  await new Promise<void>((resolve) => void setImmediate(resolve))
  expect(renderAccount(latchkey).startsWith(first.slice(0, first.indexOf(' ')))).toBe(true)
  expect(modalOf(latchkey).state.getState().open).toBe(user % 3 === 0)
  return first
}

function renderAccount(latchkey: Latchkey): string {
  const { status, ...account } = getAccount(latchkey, 'eip155')
  return `${'address' in account ? account.address : ''} ${status} ${latchkey.wallet.getState().active}`
}

test('a thousand pairs of concurrent renders with different cookies never share state', { tags: 'abuse' }, async () => {
  for (let round = 0; round < 1_000; round += 1) {
    const users = [2 * round, 2 * round + 1]
    const pages = await Promise.all(users.map(render))
    expect(pages).toEqual(
      users.map((user) => {
        const [, , address] = fakeAccount('eip155:1', user).split(':')
        return `${address} reconnecting ${user % 2 === 0 ? 'eip155' : 'solana'}`
      }),
    )
  }
  expect([
    connector.calls.restore,
    shared.clock.waiting(),
    shared.adapters.map((adapter) => adapter.looking()),
  ]).toEqual([0, 0, [0, 0]])
})

test('hydrate shows the stored account without a wallet request, on a server and in the first render', () => {
  const [server, page] = [1, 1].map((user) => {
    const latchkey = createLatchkey({
      ...shared,
      connectors: [connector],
      storage: cookieStorage(createCookieJar(user)),
    })
    hydrate(latchkey)
    hydrate(latchkey)
    return { state: latchkey.wallet.getState(), connections: getConnections(latchkey) }
  })
  expect(server).toEqual(page)
  expect(server?.state.namespaces.eip155).toMatchObject({ status: 'reconnecting', account: fakeAccount('eip155:1', 1) })
  expect(connector.calls.restore).toBe(0)
})
