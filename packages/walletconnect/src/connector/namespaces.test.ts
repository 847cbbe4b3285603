import { memoryStorage, type Connection, type Connector } from '@latchkey/core'
import { fakeAccount, fakeNetwork } from '@latchkey/core/testing'
import { parseAccountId, type AccountId, type ChainId, type Namespace, type Network } from '@latchkey/protocol'
import { startTestRelay } from '@latchkey/server/testing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect } from './walletConnect.ts'
import { createParties, type Parties, type Phone } from '../testing/parties.ts'
import type { Approval } from '../wallet/approveProposal.ts'

const secretKey = ed25519.utils.randomSecretKey()
const solanaAddress = base58.encode(ed25519.getPublicKey(secretKey))

const networks: readonly Network[] = [
  fakeNetwork({ id: 1 }),
  fakeNetwork({ namespace: 'solana', id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
  fakeNetwork({ namespace: 'solana', id: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }),
  fakeNetwork({ namespace: 'bip122', id: '000000000019d6689c085ae165831e93' }),
  fakeNetwork({ namespace: 'polkadot', id: '91b171bb158e2d3848fa23a9f1c25182' }),
]
const [, mainnet, devnet, bitcoin, polkadot] = networks.map(({ caipNetworkId }) => caipNetworkId)
const payment = fakeAccount(bitcoin ?? 'bip122:', 0)
const other = fakeAccount(bitcoin ?? 'bip122:', 1)
const accounts: readonly AccountId[] = [
  fakeAccount('eip155:1'),
  `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solanaAddress}`,
  `solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1:${solanaAddress}`,
  payment,
  other,
  fakeAccount(polkadot ?? 'polkadot:'),
]

let server: Awaited<ReturnType<typeof startTestRelay>>
let parties: Parties
const connectors: Connector[] = []

const createSocket = (url: string): WebSocket => new WebSocket(url)

beforeAll(async () => {
  server = await startTestRelay()
  parties = createParties({ relayUrl: server.relayUrl, createSocket })
})
afterEach(async () => {
  await Promise.all(connectors.splice(0).map((connector) => connector.disconnect()))
  parties.close()
})
afterAll(() => server.close())

type Connections = { readonly [namespace in Namespace]: Connection }
type World = {
  phone: Phone
  connections: Connections
  reload(): Promise<Connections>
  /** Restores the session in the same page, and returns the number of opened sockets. */
  again(): Promise<{ connections: readonly Connection[]; sockets: number }>
}

/** Connects an app with four namespaces to a phone that approves them all. */
async function connectPhone(approval: Partial<Approval> = {}): Promise<World> {
  let sockets = 0
  const options = {
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
    createSocket(url: string): WebSocket {
      sockets += 1
      return createSocket(url)
    },
  }
  const { signal } = new AbortController()
  const phone = parties.phone()
  const connector = walletConnect(options)
  connectors.push(connector)
  const connecting = connector.connect({ networks, signal, onUri: (uri) => void phone.pair(uri) })
  await phone.approve(await phone.nextProposal(), { accounts, ...approval })
  return {
    phone,
    connections: byNamespace(await connecting),
    async reload() {
      const again = walletConnect(options)
      connectors.push(again)
      return byNamespace(await again.restore({ networks, signal }))
    },
    async again() {
      const connections = await connector.restore({ networks, signal })
      return { connections, sockets }
    },
  }
}

function byNamespace(connections: readonly Connection[]): Connections {
  expect(connections).toHaveLength(4)
  return Object.fromEntries(connections.map((connection) => [connection.namespace, connection])) as Connections
}

function follow(connection: Connection) {
  const received = { accounts: [] as Array<readonly AccountId[]>, chains: [] as ChainId[] }
  connection.listen({
    accountsChanged: (next) => void received.accounts.push(next),
    chainChanged: (next) => void received.chains.push(next),
    disconnected: () => {},
  })
  return received
}

const grantOf = (phone: Phone) => phone.sessions()[0]?.namespaces ?? expect.fail('no session')
const topicOf = (phone: Phone): string => phone.sessions()[0]?.topic ?? expect.fail('no session')
const addressOf = (account: AccountId): string => parseAccountId(account).address

describe('a session with four namespaces', () => {
  test.each<[Namespace, string, object, object]>([
    ['solana', 'solana_signMessage', { message: '11' }, { pubkey: solanaAddress }],
    ['solana', 'solana_signAndSendTransaction', { transaction: 'AA==' }, { pubkey: solanaAddress }],
    ['bip122', 'signPsbt', { psbt: 'cHNidA==', signInputs: [] }, { account: addressOf(payment) }],
    ['bip122', 'sendTransfer', { recipientAddress: 'bc1', amount: '1' }, { account: addressOf(payment) }],
    [
      'polkadot',
      'polkadot_signMessage',
      { message: 'hi' },
      { address: addressOf(fakeAccount(polkadot ?? 'polkadot:')) },
    ],
  ])('sends %s %s on its chain with the signing account [R7.3.3]', async (namespace, method, params, signer) => {
    const { phone, connections } = await connectPhone()
    const { provider, chainId } = connections[namespace]
    const pendingResponse = provider.request({ method, params })
    const request = await phone.nextRequest()
    expect(request).toMatchObject({ chainId, method })
    expect(request.params).toEqual({ ...params, ...signer })
    await phone.respond(request, { result: { done: true } })
    expect(await pendingResponse).toEqual({ done: true })
  })

  test('carries bytes to a Solana wallet and returns a valid signature', async () => {
    const { phone, connections } = await connectPhone()
    const message = new TextEncoder().encode('In which we sign')
    const pendingResponse = connections.solana.provider.request({
      method: 'solana_signMessage',
      params: { message: base58.encode(message) },
    })
    const request = await phone.nextRequest()
    const requests = request.params as { message: string; pubkey: string }
    expect(requests.pubkey).toBe(solanaAddress)
    const signature = base58.encode(ed25519.sign(base58.decode(requests.message), secretKey))
    await phone.respond(request, { result: { signature } })
    const response = (await pendingResponse) as { signature: string }
    expect(ed25519.verify(base58.decode(response.signature), message, base58.decode(solanaAddress))).toBe(true)
  })

  test('keeps a given signer, and parameters that are not an object', async () => {
    const { phone, connections } = await connectPhone()
    for (const params of [{ account: addressOf(other), message: 'hi' }, ['hi']]) {
      const pendingResponse = connections.bip122.provider.request({ method: 'signMessage', params })
      const request = await phone.nextRequest()
      expect(request.params).toEqual(params)
      await phone.respond(request, { result: {} })
      await pendingResponse
    }
  })

  test('switches to another approved chain without a request to the wallet and keeps it', async () => {
    const { phone, connections, reload } = await connectPhone()
    const { solana, bip122 } = connections
    const [received, others] = [follow(solana), follow(bip122)]
    expect(solana.chainId).toBe(mainnet)
    expect(await solana.switchTo?.('solana:4uhcVJyU9pJkvQyS88uRDiswHScsE7vD')).toBe(false)
    expect(await solana.switchTo?.(devnet ?? 'solana:')).toBe(true)
    expect(received.chains).toEqual([devnet])
    expect(others).toEqual({ accounts: [], chains: [] })
    const pendingResponse = solana.provider.request({ method: 'solana_signMessage', params: { message: '11' } })
    const request = await phone.nextRequest()
    expect(request).toMatchObject({ method: 'solana_signMessage', chainId: devnet })
    await phone.respond(request, { result: {} })
    await pendingResponse
    expect((await reload()).solana.chainId).toBe(devnet)
  })
})

describe('account details from a wallet', () => {
  const list = [
    { address: addressOf(payment), publicKey: '0330d5', path: "m/84'/0'/0'/0/0", intention: 'payment' },
    { address: addressOf(other), publicKey: '02a8de', intention: 'ordinal' },
  ]
  const reported = { type: 'payment', publicKey: '0330d5', path: "m/84'/0'/0'/0/0" }

  test('come from a session property, even after a reload', async () => {
    const sessionProperties = { bip122_getAccountAddresses: JSON.stringify(list) }
    const { connections, reload } = await connectPhone({ sessionProperties })
    expect(connections.bip122.details?.(payment)).toEqual(reported)
    expect(connections.bip122.details?.(other)).toEqual({ type: 'ordinals', publicKey: '02a8de' })
    expect(connections.solana.details?.(accounts[1] ?? payment)).toBeUndefined()
    expect((await reload()).bip122.details?.(payment)).toEqual(reported)
  })

  test('come from the response to getAccountAddresses', async () => {
    const { phone, connections } = await connectPhone()
    const { provider, details } = connections.bip122
    expect(details?.(payment)).toBeUndefined()
    const pendingResponse = provider.request({ method: 'getAccountAddresses' })
    const request = await phone.nextRequest()
    expect(request.params).toEqual({ account: addressOf(payment) })
    await phone.respond(request, { result: list })
    expect(await pendingResponse).toEqual(list)
    expect(details?.(payment)).toEqual(reported)
  })

  test('come from an event, which is reported once and selects the listed account', async () => {
    const { phone, connections } = await connectPhone()
    const received = follow(connections.bip122)
    const emit = (data: unknown): Promise<void> =>
      phone.emitEvent(topicOf(phone), { name: 'bip122_addressesChanged', data }, bitcoin ?? 'bip122:')
    await emit(list)
    await expect.poll(() => received.accounts).toEqual([[payment, other]])
    expect(connections.bip122.details?.(payment)).toEqual(reported)
    await emit(list)
    await emit(list.slice(1))
    await expect.poll(() => received.accounts.slice(1)).toEqual([[other, payment]])
    expect(connections.bip122.details?.(payment)).toEqual(reported)
  })

  test.each<[string, unknown]>([
    ['not a list', { address: addressOf(payment) }],
    ['not JSON', '{['],
    ['entries of other types', [null, 'bc1', { address: 7 }, { publicKey: '02' }]],
    ['details of other types', [{ address: addressOf(payment), publicKey: 1, path: {}, intention: 'toString' }]],
  ])('are empty when the value is %s', async (_what, content) => {
    const sessionProperties = {
      bip122_getAccountAddresses: typeof content === 'string' ? content : JSON.stringify(content),
    }
    const { connections } = await connectPhone({ sessionProperties })
    expect(connections.bip122.accounts[0]).toBe(payment)
    expect(connections.bip122.details?.(payment)).toBeUndefined()
  })
})

describe('a session that is restored again in the same page', () => {
  test('keeps its connections and its socket', async () => {
    const { phone, connections, again } = await connectPhone()
    const times = await Promise.all(Array.from({ length: 50 }, again))
    for (const { connections: restored, sockets } of times) {
      expect(byNamespace(restored)).toEqual(connections)
      expect(restored.every((each) => each === connections[each.namespace])).toBe(true)
      expect(sockets).toBe(1)
    }
    await phone.disconnect(topicOf(phone))
    await expect.poll(async () => (await again()).connections).toEqual([])
  })

  test('gets new connections if one has ended', async () => {
    const { phone, connections, again } = await connectPhone()
    const granted = grantOf(phone)
    const { bip122: _, ...others } = granted
    const reasons: unknown[] = []
    const disconnected = (reason: unknown): void => void reasons.push(reason)
    connections.bip122.listen({ accountsChanged() {}, chainChanged() {}, disconnected })
    await phone.updateSession(topicOf(phone), others)
    await expect.poll(() => reasons).toEqual(['account-removed'])
    await phone.updateSession(topicOf(phone), granted)
    await expect.poll(async () => (await again()).connections).toHaveLength(4)
    const { bip122 } = byNamespace((await again()).connections)
    expect(bip122).not.toBe(connections.bip122)
    expect(bip122.accounts).toEqual([payment, other])
  })
})
