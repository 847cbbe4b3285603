import { memoryStorage, type Connection, type Connector } from '@latchkey/core'
import { flushTasks, getRejection } from '@latchkey/core/testing'
import { startPolkadotChain } from '@latchkey/devnet'
import { parseAccountId } from '@latchkey/protocol'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { formatSs58Address, parseSs58Address } from '../address/ss58Address.ts'
import { polkadotMainnet, type PolkadotNetwork } from '../chain/polkadotNetworks.ts'
import { polkadot } from '../polkadot.ts'
import {
  startPolkadotJsExtension,
  type PolkadotJsExtension,
  type ShownRequest,
} from '../testing/polkadotJsExtension.ts'

// These tests run the code of the polkadot-js extension (Apache-2.0), as it is published.

let extension: PolkadotJsExtension
let alice: string
let bob: string
const timers: ReturnType<typeof setInterval>[] = []

beforeAll(async () => {
  // The background logs every message.
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  // The page code sends a ping every few seconds, for as long as the page lives.
  const { setInterval } = globalThis
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((...args: Parameters<typeof setInterval>) => {
    const timer = setInterval(...args)
    timers.push(timer)
    return timer
  }) as typeof setInterval)
  extension = await startPolkadotJsExtension((name, value) => vi.stubGlobal(name, value))
  alice = await extension.addAccount('//Alice', 'Alice')
  bob = await extension.addAccount('//Bob', 'Bob')
  return () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})
afterEach(() => timers.splice(0).forEach((timer) => clearInterval(timer)))

let sites = 0

/** A site that the extension does not know, with the extension in it. */
function openSite(network: PolkadotNetwork = polkadotMainnet) {
  const origin = `https://dapp-${(sites += 1)}.example`
  const storage = memoryStorage()
  const adapter = polkadot({ networks: [network], appName: 'Dapp', storage, page: extension.openPage(origin) })
  const found: Connector[] = []
  onTestFinished(adapter.discover?.((connector) => found.push(connector)) ?? (() => {}))
  const [connector] = found
  if (connector === undefined) throw new Error('The extension was not found.')
  return { origin, adapter, connector }
}

const request = { networks: [polkadotMainnet], signal: new AbortController().signal }

/** Waits until the extension shows a request of the site to the user. */
async function waitForRequest(list: () => Promise<readonly ShownRequest[]>, origin: string): Promise<ShownRequest> {
  let shown: ShownRequest | undefined
  await expect
    .poll(async () => {
      shown = (await list()).find(({ url }) => url.startsWith(origin))
      return shown !== undefined
    })
    .toBe(true)
  if (shown === undefined) throw new Error('Nothing was requested.')
  return shown
}

async function openConnectedSite(
  accounts: readonly string[] = [alice, bob],
  network: PolkadotNetwork = polkadotMainnet,
) {
  const site = openSite(network)
  const connecting = site.connector.connect({ ...request, networks: [network] })
  const { id } = await waitForRequest(extension.connectionRequests, site.origin)
  await extension.approveConnection(id, accounts)
  const [connection] = await connecting
  return { ...site, connection }
}

function follow(connection: Connection) {
  const accounts: (readonly string[])[] = []
  const ends: unknown[] = []
  onTestFinished(
    connection.listen({
      accountsChanged: (next) => void accounts.push(next),
      chainChanged() {},
      disconnected: (end) => void ends.push(end),
    }),
  )
  return { accounts, ends }
}

/** The account id of an address on Polkadot. */
const toId = (address: string): string =>
  `${polkadotMainnet.caipNetworkId}:${formatSs58Address(parseSs58Address(address), 0)}`

test('polkadot-js shows the name of the app, and shares the accounts that the user chose', async () => {
  const { connector, origin } = openSite()
  expect(connector).toMatchObject({ id: 'polkadot:polkadot-js', name: 'Polkadot.js' })
  const connecting = connector.connect(request)
  const { id, request: shown } = await waitForRequest(extension.connectionRequests, origin)
  expect(shown).toEqual({ origin: 'Dapp' })
  await extension.approveConnection(id, [bob])
  const [connection] = await connecting
  expect(connection.accounts).toEqual([toId(bob)])
  expect(connection.details?.(connection.accounts[0])).toMatchObject({ label: 'Bob' })
})

test.each(['rejectConnection', 'cancelConnection'] as const)(
  'a connection that the user declined in polkadot-js (%s) is rejected',
  async (decline) => {
    const { connector, origin } = openSite()
    const connecting = getRejection(connector.connect(request))
    const { id } = await waitForRequest(extension.connectionRequests, origin)
    await extension[decline](id).catch(() => undefined)
    expect(await connecting).toMatchObject({ code: 'connection/rejected' })
  },
)

test('"Connect 0 accounts" of polkadot-js, and each later attempt, says that no account was shared', async () => {
  const { connector, origin } = openSite()
  const connecting = getRejection(connector.connect(request))
  const { id } = await waitForRequest(extension.connectionRequests, origin)
  await extension.approveConnection(id, [])
  expect(await connecting).toMatchObject({ code: 'wallet/no-accounts' })
  expect(await getRejection(connector.connect(request))).toMatchObject({ code: 'wallet/no-accounts' })
  await extension.shareAccounts(origin, [alice])
  const [connection] = await connector.connect(request)
  expect(connection.accounts).toEqual([toId(alice)])
})

test('a second request while polkadot-js shows the first one fails without ending it', async () => {
  const { connector, origin } = openSite()
  const connecting = connector.connect(request)
  const { id } = await waitForRequest(extension.connectionRequests, origin)
  expect(await getRejection(connector.connect(request))).toMatchObject({ code: 'request/failed' })
  await extension.approveConnection(id, [alice])
  expect((await connecting)[0].accounts).toEqual([toId(alice)])
})

test.each(['Grüße 👋', '0x48656c6c6f', '<Bytes>Hello</Bytes>'])(
  'a message (%s) that polkadot-js signed is verified',
  async (message) => {
    const { adapter, connection, origin } = await openConnectedSite()
    const signing = adapter.signMessage(connection, connection.accounts[0], message)
    const { id } = await waitForRequest(extension.signingRequests, origin)
    await extension.approveSigning(id)
    const signature = await signing
    const { address } = parseAccountId(connection.accounts[0])
    expect(await adapter.verifyMessage?.(polkadotMainnet, address, message, signature)).toBe(true)
    expect(await adapter.verifyMessage?.(polkadotMainnet, address, `${message}!`, signature)).toBe(false)
  },
)

test('a signature that the user cancelled in polkadot-js is rejected', async () => {
  const { adapter, connection, origin } = await openConnectedSite()
  const signing = getRejection(adapter.signMessage(connection, connection.accounts[0], 'Hello'))
  const { id } = await waitForRequest(extension.signingRequests, origin)
  await extension.cancelSigning(id)
  expect(await signing).toMatchObject({ code: 'request/rejected' })
})

test('accounts that the user shares or hides in polkadot-js are followed, and none ends the connection', async () => {
  const { connection, origin } = await openConnectedSite([alice])
  const { accounts, ends } = follow(connection)
  await extension.shareAccounts(origin, [alice, bob])
  await expect.poll(() => accounts.at(-1)).toEqual([toId(alice), toId(bob)])
  await extension.shareAccounts(origin, [bob])
  await expect.poll(() => accounts.at(-1)).toEqual([toId(bob)])
  expect(ends).toEqual([])
  await extension.shareAccounts(origin, [])
  await expect.poll(() => ends).toEqual(['account-removed'])
})

test('a site that the user removed from polkadot-js is disconnected, and asks again', async () => {
  const { connector, connection, origin } = await openConnectedSite()
  const { ends } = follow(connection)
  // The page code subscribes in the background.
  await flushTasks()
  await extension.forgetSite(origin)
  await expect.poll(() => ends).toEqual(['account-removed'])
  expect(await connector.restore?.(request)).toEqual([])
  const connecting = connector.connect(request)
  const { id } = await waitForRequest(extension.connectionRequests, origin)
  await extension.approveConnection(id, [alice])
  expect((await connecting)[0].accounts).toEqual([toId(alice)])
})

test('a connection to polkadot-js is restored without a request', async () => {
  const { connector, origin } = await openConnectedSite([bob])
  const [connection] = (await connector.restore?.(request)) ?? []
  expect(connection?.accounts).toEqual([toId(bob)])
  expect((await extension.connectionRequests()).filter(({ url }) => url.startsWith(origin))).toEqual([])
})

test('a payment that polkadot-js signed is included by the chain', { tags: 'faults' }, async () => {
  const chain = await startPolkadotChain()
  onTestFinished(() => chain.close())
  const { adapter, connection, origin } = await openConnectedSite([alice], chain.network)
  const asset = { symbol: 'ROC', decimals: 12 }
  const [account] = connection.accounts
  await chain.fund(bytesToHex(parseSs58Address(alice)), 10n ** 12n)
  const transfers = await adapter.transfers?.()
  const sending = transfers?.send(connection, chain.network, {
    from: account,
    to: formatSs58Address(parseSs58Address(bob), 42),
    asset,
    amount: 50_000_000_000n,
  })
  const { id } = await waitForRequest(extension.signingRequests, origin)
  await extension.approveSigning(id)
  const sent = await sending
  if (sent === undefined) throw new Error('Nothing was sent.')
  expect(await transfers?.follow(chain.network, account, sent, { timeout: 60_000 })).toMatchObject({ status: 'mined' })
})
