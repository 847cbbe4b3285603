import { requestFromWallet } from '@latchkey/core/internal'
import { memoryStorage, type ConnectRequest, type Connection, type Connector } from '@latchkey/core'
import { fakeAccount, fakeNetwork, fakeStorage, manualClock, type ManualClock } from '@latchkey/core/testing'
import type { AccountId, ChainId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect, type WalletConnectOptions } from './walletConnect.ts'
import { createWallet } from '../wallet/createWallet.ts'
import type { Wallet, WalletOptions } from '../wallet/wallet.ts'
import type { SessionProposal } from '../wallet/sessionProposal.ts'
import type { WalletRequest } from '../wallet/walletRequest.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Connections = readonly [Connection, ...Connection[]]

const createMetadata = (name: string) => ({ name, description: '', url: 'https://app.example', icons: [] })
const mainnet = fakeNetwork({ id: 1 })
const other = fakeNetwork({ id: 10 })
const accounts = [fakeAccount('eip155:1', 0), fakeAccount('eip155:1', 1), fakeAccount('eip155:10', 0)]

let server: Server
const wallets: Wallet[] = []
const connectors: Connector[] = []

beforeAll(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  await Promise.all(connectors.splice(0).map((connector) => connector.disconnect()))
  for (const wallet of wallets.splice(0)) wallet.close()
})

afterAll(() => server.close())

function makeConnector(options: Partial<WalletConnectOptions> = {}): Connector {
  const connector = walletConnect({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: createMetadata('App'),
    storage: memoryStorage(),
    createSocket: (url) => new WebSocket(url),
    ...options,
  })
  connectors.push(connector)
  return connector
}

/** A phone wallet with its received requests. */
type Phone = Wallet & { proposed: SessionProposal[]; receivedRequests: WalletRequest[]; ended: number }

function makePhone(options: Partial<WalletOptions> = {}): Phone {
  const wallet = createWallet({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: createMetadata('Phone'),
    storage: memoryStorage(),
    createSocket: (url) => new WebSocket(url),
    ...options,
  })
  wallets.push(wallet)
  const phone: Phone = { ...wallet, proposed: [], receivedRequests: [], ended: 0 }
  wallet.listen({
    proposal: (proposal) => void phone.proposed.push(proposal),
    request: (request) => void phone.receivedRequests.push(request),
    sessionEnded: () => void (phone.ended += 1),
  })
  return phone
}

const { signal } = new AbortController()

const sendRequest = (connector: Connector, request: Partial<ConnectRequest> = {}): Promise<Connections> =>
  connector.connect({ networks: [mainnet, other], signal, ...request })

const restore = (connector: Connector): Promise<readonly Connection[]> =>
  connector.restore({ networks: [mainnet, other], signal })

async function proposalOn(phone: Phone, number = 1): Promise<SessionProposal> {
  await expect.poll(() => phone.proposed.length).toBe(number)
  return phone.proposed[number - 1] ?? expect.fail('no proposal')
}

async function requestOn(phone: Phone, number = 1): Promise<WalletRequest> {
  await expect.poll(() => phone.receivedRequests.length).toBe(number)
  return phone.receivedRequests[number - 1] ?? expect.fail('no request')
}

/** Connects and approves. */
async function connectPhone(
  connector: Connector,
  phone: Phone,
  granted: readonly AccountId[] = accounts,
): Promise<Connection> {
  const before = phone.proposed.length
  const connecting = sendRequest(connector, { onUri: (uri) => void phone.pair(uri) })
  await phone.approve(await proposalOn(phone, before + 1), { accounts: granted })
  const [connection] = await connecting
  return connection
}

const topicOf = (phone: Phone): string => phone.sessions()[0]?.topic ?? expect.fail('no session')

function follow(connection: Connection) {
  const received = { accounts: [] as Array<readonly AccountId[]>, chains: [] as ChainId[], departures: 0 }
  connection.listen({
    accountsChanged: (next) => void received.accounts.push(next),
    chainChanged: (next) => void received.chains.push(next),
    disconnected: () => void (received.departures += 1),
  })
  return received
}

/** Websockets of a network that can be cut. */
function createBreakableNetwork() {
  const sockets: WebSocket[] = []
  let isUp = true
  return {
    createSocket(url: string): WebSocket {
      if (!isUp) throw new Error('no network')
      const socket = new WebSocket(url)
      sockets.push(socket)
      return socket
    },
    /** Cuts the current connections and prevents new ones, unless configured otherwise. */
    cut({ forGood }: { forGood: boolean }) {
      isUp = !forGood
      for (const socket of sockets.splice(0)) socket.terminate()
    },
    mend() {
      isUp = true
    },
  }
}

/** Returns the error of a rejected promise. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )

/** A clock that starts at the relay's time and advances only when a test says so. */
const createClock = (): ManualClock => manualClock(Date.now())

const sign = { method: 'personal_sign', params: ['0x68656c6c6f', '0xab'] }

describe('a session through the relay', () => {
  test('has the approved namespaces on both sides [R3.1]', async () => {
    const phone = makePhone()
    const connection = await connectPhone(makeConnector(), phone)
    expect(connection).toMatchObject({
      namespace: 'eip155',
      chainId: 'eip155:1',
      accounts: accounts.slice(0, 2),
      approvedChains: ['eip155:1', 'eip155:10'],
      wallet: { name: 'Phone' },
    })
    const [session] = phone.sessions()
    expect(session?.peer.name).toBe('App')
    expect(session?.namespaces.eip155).toMatchObject({ chains: ['eip155:1', 'eip155:10'], accounts })
    expect(session?.optionalNamespaces.eip155?.methods).toContain('personal_sign')
  })

  test('carries a request to the wallet and returns its result', async () => {
    const phone = makePhone()
    const { provider } = await connectPhone(makeConnector(), phone)
    const pendingResponse = requestFromWallet({ provider }, sign)
    const request = await requestOn(phone)
    expect(request).toMatchObject({ chainId: 'eip155:1', dapp: { name: 'App' }, ...sign })
    await phone.respond(request, { result: '0xsigned' })
    expect(await pendingResponse).toBe('0xsigned')
    expect(phone.requests()).toEqual([])
  })

  test.each([
    [4001, 'request/rejected'],
    [5000, 'request/rejected'],
    [-32_000, 'request/failed'],
  ])('reports the wallet’s error %d as %s', async (code, expected) => {
    const phone = makePhone()
    const { provider } = await connectPhone(makeConnector(), phone)
    const outcome = failureOf(requestFromWallet({ provider }, sign))
    await phone.respond(await requestOn(phone), { error: { code, message: 'no' } })
    expect(await outcome).toMatchObject({ code: expected })
  })

  test('returns chain and accounts, and switches between approved chains, without a wallet request', async () => {
    const phone = makePhone()
    const connection = await connectPhone(makeConnector(), phone)
    const received = follow(connection)
    const sendRequest = (method: string, params?: unknown): Promise<unknown> =>
      requestFromWallet(connection, { method, params })
    expect(await sendRequest('eth_chainId')).toBe('0x1')
    expect(await sendRequest('eth_accounts')).toHaveLength(2)
    expect(await sendRequest('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toBeNull()
    expect(await sendRequest('eth_chainId')).toBe('0xa')
    expect(received).toMatchObject({ chains: ['eip155:10'], accounts: [[accounts[2]]] })
    expect(phone.receivedRequests.length).toBeLessThanOrEqual(1)
    const pendingResponse = sendRequest('personal_sign', [])
    await expect
      .poll(() => phone.receivedRequests.at(-1))
      .toMatchObject({ method: 'personal_sign', chainId: 'eip155:10' })
    await phone.respond(phone.receivedRequests.at(-1) ?? expect.fail(), { result: '0x' })
    await pendingResponse
  })

  test('asks the wallet for an unapproved chain, and switches when the wallet extends the session', async () => {
    const phone = makePhone()
    const connection = await connectPhone(makeConnector(), phone, accounts.slice(0, 2))
    const switching = requestFromWallet(connection, {
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0xa' }],
    })
    const request = await requestOn(phone)
    expect(connection.chainId).toBe('eip155:1')
    const grant = phone.sessions()[0]?.namespaces.eip155 ?? expect.fail('no grant')
    await phone.updateSession(topicOf(phone), { eip155: { ...grant, chains: ['eip155:1', 'eip155:10'], accounts } })
    await phone.respond(request, { result: null })
    expect(await switching).toBeNull()
    expect(connection.chainId).toBe('eip155:10')
  })

  test('follows updates of the wallet, and ends a namespace without accounts', async () => {
    const phone = makePhone()
    const connection = await connectPhone(makeConnector(), phone)
    const received = follow(connection)
    const grant = phone.sessions()[0]?.namespaces.eip155 ?? expect.fail('no grant')
    await phone.updateSession(topicOf(phone), {
      eip155: { ...grant, chains: ['eip155:10'], accounts: accounts.slice(2) },
    })
    await expect.poll(() => received.chains).toEqual(['eip155:10'])
    const solana = { ...grant, chains: ['solana:abc'] as const, accounts: ['solana:abc:def'] }
    await phone.updateSession(topicOf(phone), { solana })
    await expect.poll(() => received.departures).toBe(1)
  })

  test('can be extended and pinged by the wallet', async () => {
    const clock = createClock()
    const phone = makePhone({ clock })
    await connectPhone(makeConnector({ clock }), phone)
    const topic = topicOf(phone)
    const before = phone.sessions()[0]?.expiry ?? 0
    clock.advance(5000)
    await phone.extendSession(topic)
    expect(phone.sessions()[0]?.expiry).toBe(before + 5)
    await phone.ping(topic)
  })

  test('ends and loses its key when the wallet deletes it [R4.7]', async () => {
    const storage = fakeStorage()
    const phone = makePhone()
    const connection = await connectPhone(makeConnector({ storage }), phone)
    const received = follow(connection)
    const pendingResponse = failureOf(requestFromWallet(connection, sign))
    await requestOn(phone)
    expect(storage.values.get('@latchkey/walletconnect/keys')).not.toBe('{}')
    await phone.disconnect(topicOf(phone))
    expect(await pendingResponse).toMatchObject({ code: 'request/unknown', cause: { code: 'session/ended' } })
    await expect.poll(() => received.departures).toBe(1)
    expect(storage.values.get('@latchkey/walletconnect/keys')).toBe('{}')
    expect(storage.values.get('@latchkey/walletconnect/sessions')).toBe('[]')
    await expect(requestFromWallet(connection, sign)).rejects.toMatchObject({ code: 'session/ended' })
  })

  test('ends in the wallet when the app disconnects [R4.7]', async () => {
    const phone = makePhone()
    const connector = makeConnector()
    await connectPhone(connector, phone)
    await connector.disconnect()
    await expect.poll(() => phone.ended).toBe(1)
    expect(phone.sessions()).toEqual([])
  })

  test('ends in all tabs when one disconnects', async () => {
    const storage = fakeStorage()
    const here = makeConnector({ storage })
    const there = makeConnector({ storage: storage.otherTab() })
    await connectPhone(here, makePhone())
    const [connection] = await restore(there)
    const received = follow(connection ?? expect.fail('nothing restored'))
    await here.disconnect()
    await expect.poll(() => received.departures).toBe(1)
  })

  test('expires after seven days', async () => {
    const clock = createClock()
    const connection = await connectPhone(makeConnector({ clock }), makePhone({ clock: createClock() }))
    const received = follow(connection)
    // Only the timers of the session's expiry and of the wake detector remain.
    await expect.poll(() => clock.waiting()).toBe(2)
    clock.advance(604_799_000)
    expect(received.departures).toBe(0)
    clock.advance(2000)
    expect(received.departures).toBe(1)
  })

  test('works with a storage that cannot be written', async () => {
    const phone = makePhone()
    const { provider } = await connectPhone(makeConnector({ storage: fakeStorage({ denied: true }) }), phone)
    const pendingResponse = requestFromWallet({ provider }, sign)
    await phone.respond(await requestOn(phone), { result: '0x' })
    expect(await pendingResponse).toBe('0x')
  })
})

describe('a pending request', () => {
  test.each([
    ['personal_sign', 'request/unknown'],
    ['wallet_getCapabilities', 'request/expired'],
  ])('%s rejects with %s after fifteen minutes', async (method, code) => {
    const clock = createClock()
    const phone = makePhone({ clock })
    const { provider } = await connectPhone(makeConnector({ clock }), phone)
    const outcome = failureOf(requestFromWallet({ provider }, { method }))
    await requestOn(phone)
    clock.advance(899_000)
    clock.advance(1000)
    expect(await outcome).toMatchObject({ code })
  })

  test('gets its response after a reconnect', async () => {
    const network = createBreakableNetwork()
    const phone = makePhone()
    const { provider } = await connectPhone(makeConnector({ createSocket: network.createSocket }), phone)
    const pendingResponse = requestFromWallet({ provider }, sign)
    const request = await requestOn(phone)
    network.cut({ forGood: false })
    await phone.respond(request, { result: '0xlate' })
    expect(await pendingResponse).toBe('0xlate')
  })

  test('is still pending in a reloaded wallet', async () => {
    const storage = memoryStorage()
    const phone = makePhone({ storage })
    const { provider } = await connectPhone(makeConnector(), phone)
    const pendingResponse = requestFromWallet({ provider }, sign)
    await requestOn(phone)
    phone.close()
    const again = makePhone({ storage })
    const [request] = again.requests()
    await again.respond(request ?? expect.fail('the request is gone'), { result: '0x' })
    expect(await pendingResponse).toBe('0x')
    await expect(again.respond(request ?? expect.fail(), { result: '0x' })).rejects.toMatchObject({
      code: 'request/expired',
    })
  })
})

describe('a pairing URI', () => {
  test('is replaced before it expires, and both stay valid in the meantime [R4.4.8] [R9.1.5]', async () => {
    const clock = createClock()
    const phone = makePhone({ clock })
    const uris: string[] = []
    const connecting = sendRequest(makeConnector({ clock }), { onUri: (uri) => uris.push(uri) })
    await expect.poll(() => uris.length).toBe(1)
    clock.advance(224_000)
    await phone.pair(uris[0] ?? '')
    const old = await proposalOn(phone)
    clock.advance(1000)
    await expect.poll(() => uris.length).toBe(2)
    clock.advance(5000)
    await expect(phone.pair(uris[0] ?? '')).rejects.toMatchObject({ code: 'pairing/expired' })
    await phone.pair(uris[1] ?? '')
    await proposalOn(phone, 2)
    await phone.approve(old, { accounts })
    expect((await connecting)[0].accounts).toEqual(accounts.slice(0, 2))
  })

  test('connects no wallet after the attempt was aborted', async () => {
    const phone = makePhone()
    const connector = makeConnector()
    const attempt = new AbortController()
    const outcome = failureOf(sendRequest(connector, { signal: attempt.signal, onUri: (uri) => void phone.pair(uri) }))
    const proposal = await proposalOn(phone)
    attempt.abort()
    expect(await outcome).toMatchObject({ code: 'connection/aborted' })
    await phone.approve(proposal, { accounts })
    expect(await restore(connector)).toEqual([])
    expect(connector.reach?.get()).toEqual({ state: 'idle' })
  })

  test('used twice reports its proposal twice, although the relay delivers it once', async () => {
    const phone = makePhone()
    let link = ''
    const connecting = sendRequest(makeConnector(), { onUri: (uri) => void (link = uri) })
    await expect.poll(() => link).not.toBe('')
    await phone.pair(link)
    await proposalOn(phone)
    await phone.pair(link)
    await phone.approve(await proposalOn(phone, 2), { accounts })
    await connecting
  })

  test('keeps the old session until the new one is settled', async () => {
    const [first, second] = [makePhone(), makePhone()]
    const connector = makeConnector()
    const old = follow(await connectPhone(connector, first))
    const connecting = sendRequest(connector, { onUri: (uri) => void second.pair(uri) })
    const proposal = await proposalOn(second)
    expect(first.sessions()).toHaveLength(1)
    await second.approve(proposal, { accounts })
    await connecting
    await expect.poll(() => first.ended).toBe(1)
    expect(old.departures).toBe(0)
    expect(second.sessions()).toHaveLength(1)
  })
})

describe('permissions', () => {
  test('a method that the wallet did not approve is not sent to it', async () => {
    const phone = makePhone()
    const { provider } = await connectPhone(makeConnector(), phone)
    await expect(requestFromWallet({ provider }, { method: 'eth_sign' })).rejects.toMatchObject({
      code: 'request/failed',
      context: { code: 4200 },
    })
    expect(phone.receivedRequests).toEqual([])
  })

  test('the wallet approves no chain that was not proposed', async () => {
    const phone = makePhone()
    const connecting = failureOf(sendRequest(makeConnector(), { onUri: (uri) => void phone.pair(uri) }))
    const proposal = await proposalOn(phone)
    await expect(phone.approve(proposal, { accounts: [fakeAccount('eip155:5')] })).rejects.toMatchObject({
      code: 'session/invalid',
    })
    await phone.reject(proposal)
    expect(await connecting).toMatchObject({
      code: 'connection/rejected',
    })
  })
})

describe('an unreachable relay', () => {
  test('is reported as unreachable, and the pairing URI appears when it is back', async () => {
    const clock = createClock()
    const network = createBreakableNetwork()
    network.cut({ forGood: true })
    const phone = makePhone({ clock })
    const connector = makeConnector({ clock, createSocket: network.createSocket })
    const uris: string[] = []
    const connecting = sendRequest(connector, { onUri: (uri) => uris.push(uri) })
    await expect
      .poll(() => connector.reach?.get())
      .toMatchObject({
        state: 'unreachable',
        error: { code: 'relay/unreachable', context: { origin: new URL(server.relayUrl).origin } },
      })
    expect(uris).toEqual([])
    network.mend()
    clock.advance(1000)
    await expect.poll(() => uris.length).toBe(1)
    expect(connector.reach?.get()).toEqual({ state: 'ready' })
    await phone.pair(uris[0] ?? '')
    await phone.approve(await proposalOn(phone), { accounts })
    expect((await connecting).length).toBe(1)
  })

  test('ends the attempt after four minutes, and a new one succeeds once it is back', async () => {
    const clock = createClock()
    const network = createBreakableNetwork()
    network.cut({ forGood: true })
    const connector = makeConnector({ clock, createSocket: network.createSocket })
    const outcome = failureOf(sendRequest(connector))
    await expect.poll(() => connector.reach?.get().state).toBe('unreachable')
    clock.advance(240_000)
    expect(await outcome).toMatchObject({ code: 'relay/unreachable' })
    network.mend()
    expect(await connectPhone(connector, makePhone({ clock }))).toMatchObject({ namespace: 'eip155' })
  })

  test('rejects a request that was never sent', async () => {
    const clock = createClock()
    const network = createBreakableNetwork()
    const connector = makeConnector({ clock, createSocket: network.createSocket })
    const { provider } = await connectPhone(connector, makePhone({ clock }))
    network.cut({ forGood: true })
    await expect.poll(() => connector.reach?.get().state).toBe('unreachable')
    const outcome = failureOf(requestFromWallet({ provider }, sign))
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ code: 'relay/unreachable' })
    network.mend()
    clock.advance(30_000)
    await expect.poll(() => connector.reach?.get().state).toBe('ready')
  })

  test('later delivers the deletion of a session [R4.7]', async () => {
    const storage = memoryStorage()
    const network = createBreakableNetwork()
    const phone = makePhone()
    await connectPhone(makeConnector({ storage, createSocket: network.createSocket }), phone)
    network.cut({ forGood: true })
    await phone.disconnect(topicOf(phone))
    const [connection] = await restore(makeConnector({ storage }))
    const received = follow(connection ?? expect.fail('nothing restored'))
    await expect.poll(() => received.departures).toBe(1)
  })
})
