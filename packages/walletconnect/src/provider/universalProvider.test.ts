import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@latchkey/core'
import { getRejection, fakeAccount, fakeAddress, fakeNetwork } from '@latchkey/core/testing'
import type { AccountId, Network } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Session } from '../session/session.ts'
import { createWallet } from '../wallet/createWallet.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { Approval } from '../wallet/approveProposal.ts'
import type { SessionProposal } from '../wallet/sessionProposal.ts'
import type { WalletRequest } from '../wallet/walletRequest.ts'
import { createUniversalProvider } from './createUniversalProvider.ts'
import type {
  UniversalConnectRequest,
  UniversalEvents,
  UniversalProvider,
  UniversalProviderOptions,
} from './universalProvider.ts'

const createMetadata = (name: string) => ({ name, description: '', url: 'https://app.example', icons: [] })
const address = fakeAddress('eip155', 0)
const devnet = 'solana:devnet' as const
const accounts = [
  fakeAccount('eip155:1', 0),
  fakeAccount('eip155:1', 1),
  fakeAccount('eip155:10', 0),
  fakeAccount(devnet),
]

let relay: Awaited<ReturnType<typeof startTestServer>>
let node: HttpServer
/** The requests to the node, with their paths. */
const read: { path: string; method: string; params: unknown }[] = []
const wallets: Wallet[] = []
const providers: UniversalProvider[] = []

beforeAll(async () => {
  relay = await startTestServer()
  node = await startNode()
})

afterEach(async () => {
  for (const provider of providers.splice(0)) provider.close()
  for (const wallet of wallets.splice(0)) wallet.close()
  read.splice(0)
})

afterAll(async () => {
  node.close()
  await relay.close()
})

/** A JSON-RPC node that returns the path of each request. */
async function startNode(): Promise<HttpServer> {
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { id, method, params } = JSON.parse(text)
    const path = request.url ?? ''
    read.push({ path, method, params })
    const reply = method === 'eth_call' ? { error: { code: 3, message: 'execution reverted' } } : { result: path }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Returns a URL of the node. */
function nodeUrl(path: string): string {
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}${path}`
}

function listAllNetworks(): readonly Network[] {
  const rpcUrls = (path: string) => ({ default: { http: [nodeUrl(path)] } })
  return [
    fakeNetwork({ id: 1, rpcUrls: rpcUrls('/mainnet') }),
    fakeNetwork({ id: 10, rpcUrls: rpcUrls('/optimism') }),
    fakeNetwork({ namespace: 'solana', id: 'devnet', rpcUrls: rpcUrls('/devnet') }),
  ]
}

const createOptions = () => ({
  relayUrl: relay.relayUrl,
  projectId: 'ab'.repeat(16),
  storage: memoryStorage(),
  createSocket: (url: string) => new WebSocket(url),
})

async function makeProvider(options: Partial<UniversalProviderOptions> = {}): Promise<UniversalProvider> {
  const app = { ...createOptions(), metadata: createMetadata('App'), networks: listAllNetworks() }
  const provider = await createUniversalProvider({ ...app, ...options })
  providers.push(provider)
  return provider
}

/** A phone wallet with its received requests. It returns each request as the result, unless configured otherwise. */
type Phone = Wallet & { proposed: SessionProposal[]; receivedRequests: WalletRequest[]; ended: number }

function makePhone(
  reply: (request: WalletRequest) => unknown = ({ method, chainId }) => `${method} on ${chainId}`,
): Phone {
  const wallet = createWallet({ ...createOptions(), metadata: createMetadata('Phone') })
  wallets.push(wallet)
  const phone: Phone = { ...wallet, proposed: [], receivedRequests: [], ended: 0 }
  wallet.listen({
    proposal: (proposal) => void phone.proposed.push(proposal),
    sessionEnded: () => void (phone.ended += 1),
    request: async (request) => {
      phone.receivedRequests.push(request)
      await wallet.respond(request, { result: await reply(request) })
    },
  })
  return phone
}

/** Connects and approves. */
async function connectPhone(
  provider: UniversalProvider,
  phone: Phone,
  { accounts: granted = accounts, ...approval }: Partial<Approval> = {},
  request: UniversalConnectRequest = {},
): Promise<Session> {
  const before = phone.proposed.length
  provider.once('display_uri', (uri) => void phone.pair(uri))
  const connecting = provider.connect(request)
  await expect.poll(() => phone.proposed.length).toBe(before + 1)
  await phone.approve(phone.proposed[before] ?? expect.fail('no proposal'), { accounts: granted, ...approval })
  return connecting
}

/** The events of a provider, by name. */
function follow(provider: UniversalProvider) {
  const received: { [name in keyof UniversalEvents]?: UniversalEvents[name][] } = {}
  const names = [
    'accountsChanged',
    'chainChanged',
    'connect',
    'disconnect',
    'session_delete',
    'session_event',
    'session_update',
  ] as const
  const listen = <name extends (typeof names)[number]>(name: name): void => {
    const reported: UniversalEvents[name][] = []
    Object.assign(received, { [name]: reported })
    provider.on(name, (payload) => void reported.push(payload))
  }
  for (const name of names) listen(name)
  return received
}

const sign = { method: 'personal_sign', params: ['0x68656c6c6f', address] }
const balance = { method: 'eth_getBalance', params: [address, 'latest'] }

describe('before a session', () => {
  test('a request rejects with the advice to connect [R8.3.1]', async () => {
    const provider = await makeProvider()
    const error = await getRejection(provider.request(sign))
    expect(error).toMatchObject({ code: 'connection/not-connected' })
    expect(error).toMatchObject({ message: expect.stringContaining('Please call connect() before request()') })
    expect(() => provider.setDefaultChain('eip155:1')).toThrow('Please call connect()')
    expect([provider.session, provider.namespaces]).toEqual([undefined, {}])
  })

  test('connecting without namespaces is a configuration error', async () => {
    const provider = await makeProvider({ networks: [] })
    expect(await getRejection(provider.connect())).toMatchObject({ code: 'config/invalid' })
  })

  test('connecting can be aborted', async () => {
    const provider = await makeProvider()
    const controller = new AbortController()
    provider.on('display_uri', () => controller.abort())
    expect(await getRejection(provider.connect({ signal: controller.signal }))).toMatchObject({
      code: 'connection/aborted',
    })
  })

  test('a rejection is reported as one', async () => {
    const phone = makePhone()
    const provider = await makeProvider()
    provider.on('display_uri', (uri) => void phone.pair(uri))
    phone.listen({ proposal: (proposal) => void phone.reject(proposal) })
    expect(await getRejection(provider.connect())).toMatchObject({ code: 'connection/rejected' })
    expect(provider.session).toBeUndefined()
  })

  test('disconnecting does nothing', async () => {
    await expect((await makeProvider()).disconnect()).resolves.toBeUndefined()
  })
})

describe('connecting', () => {
  test('proposes the networks of the app, and reports the session in events [R3.1]', async () => {
    const provider = await makeProvider()
    const received = follow(provider)
    const phone = makePhone()
    const session = await connectPhone(provider, phone)
    expect(session.peer.name).toBe('Phone')
    expect(provider.session).toEqual(session)
    expect(Object.keys(provider.namespaces)).toEqual(['eip155', 'solana'])
    expect(provider.namespaces.solana).toMatchObject({ chainId: devnet, accounts: [fakeAccount(devnet)] })
    expect(received.connect).toEqual([{ chainId: '0x1' }])
    expect(phone.proposed[0]?.optionalNamespaces.eip155?.chains).toEqual(['eip155:1', 'eip155:10'])
  })

  test('proposes the namespaces of the app, including unknown ones', async () => {
    const hub = { chains: ['cosmos:hub-4'], methods: ['cosmos_getAccounts'], events: ['chainChanged'] } as const
    const provider = await makeProvider({ rpcUrls: { 'cosmos:hub-4': nodeUrl('/hub') } })
    const phone = makePhone()
    // There is no type for such accounts.
    const granted = ['cosmos:hub-4:cosmos1fake'] as unknown as readonly AccountId[]
    await connectPhone(provider, phone, { accounts: granted }, { namespaces: { cosmos: hub } })
    expect(await provider.request({ method: 'cosmos_getAccounts' })).toBe('cosmos_getAccounts on cosmos:hub-4')
    expect(await provider.request({ method: 'status' })).toBe('/hub')
    expect(provider.namespaces.cosmos?.accounts).toEqual(granted)
  })

  test('to a chain without a number reports its CAIP-2 id', async () => {
    const provider = await makeProvider()
    const received = follow(provider)
    const namespaces = { eip155: { chains: ['eip155:local'] } } as const
    await connectPhone(provider, makePhone(), { accounts: [fakeAccount('eip155:local')] }, { namespaces })
    expect(received.connect).toEqual([{ chainId: 'eip155:local' }])
  })

  test('again replaces the session and disconnects its wallet', async () => {
    const provider = await makeProvider()
    const [former, next] = [makePhone(), makePhone()]
    const first = await connectPhone(provider, former)
    const second = await connectPhone(provider, next, { accounts: [fakeAccount('eip155:10', 3)] })
    expect(provider.session?.topic).toBe(second.topic)
    expect(second.topic).not.toBe(first.topic)
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([fakeAddress('eip155', 3)])
    await expect.poll(() => former.ended).toBe(1)
  })

  test('happens once when enable is called', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    provider.on('display_uri', (uri) => void phone.pair(uri))
    phone.listen({ proposal: (proposal) => void phone.approve(proposal, { accounts }) })
    const addresses = [address, fakeAddress('eip155', 1)]
    expect(await provider.enable()).toEqual(addresses)
    expect(await provider.enable()).toEqual(addresses)
    expect(phone.proposed).toHaveLength(1)
  })
})

describe('a request', () => {
  test('that signs goes to the wallet, on the current chain or the given one', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    await connectPhone(provider, phone)
    expect(await provider.request(sign)).toBe('personal_sign on eip155:1')
    expect(await provider.request(sign, 'eip155:10')).toBe('personal_sign on eip155:10')
    expect(await provider.request({ method: 'solana_signMessage' }, devnet)).toBe(`solana_signMessage on ${devnet}`)
    expect(phone.receivedRequests[0]?.params).toEqual(sign.params)
    expect(read).toEqual([])
  })

  test('that reads goes to a node of the chain and not to the wallet', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    await connectPhone(provider, phone)
    expect(await provider.request(balance)).toBe('/mainnet')
    expect(await provider.request(balance, 'eip155:10')).toBe('/optimism')
    expect(await provider.request({ method: 'getLatestBlockhash' }, devnet)).toBe('/devnet')
    expect(read[0]).toEqual({ path: '/mainnet', ...balance })
    expect(phone.receivedRequests).toEqual([])
  })

  test('that a node refuses rejects with the node’s own error', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone())
    const failure = await getRejection(provider.request({ method: 'eth_call', params: [{}] }))
    expect(failure).toMatchObject({ code: 'rpc/failed', context: { code: 3, reason: 'execution reverted' } })
  })

  test('for accounts and chain is served from the session', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    await connectPhone(provider, phone)
    const addresses = [address, fakeAddress('eip155', 1)]
    expect(await provider.request({ method: 'eth_accounts' })).toEqual(addresses)
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual(addresses)
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    expect([phone.receivedRequests, read]).toEqual([[], []])
  })

  test.each(['eth_signTypedData_v4', 'eth_sign', 'wallet_sendCalls', 'sendTransfer'])(
    '%s is never sent to a node if the wallet did not approve it',
    async (method) => {
      const provider = await makeProvider()
      await connectPhone(provider, makePhone(), { methods: ['personal_sign'] })
      const failure = await getRejection(provider.request({ method, params: [address, 'secret'] }))
      expect(failure).toMatchObject({ code: 'request/failed', context: { code: 4200 } })
      expect(read).toEqual([])
    },
  )

  test('to an unapproved namespace rejects [R8.3.1]', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone(), { accounts: [fakeAccount('eip155:1')] })
    const error = await getRejection(provider.request({ method: 'solana_signMessage' }, devnet))
    const sentence = 'Namespace solana is not configured. Please call connect() first with namespace config.'
    expect(error).toMatchObject({ code: 'namespace/not-configured', message: sentence })
  })

  test('on an unapproved chain can read but not sign [R8.3.6]', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone(), { accounts: [fakeAccount('eip155:1')] })
    expect(await provider.request(balance, 'eip155:10')).toBe('/optimism')
    const error = await getRejection(provider.request(sign, 'eip155:10'))
    expect(error).toMatchObject({ code: 'network/unsupported', message: expect.stringContaining('Unsupported chain') })
  })

  test('for capabilities asks the wallet once', async () => {
    const provider = await makeProvider()
    const phone = makePhone(() => ({ '0x1': { atomic: { status: 'supported' } } }))
    await connectPhone(provider, phone)
    const sendRequest = { method: 'wallet_getCapabilities', params: [address] }
    const responses = [await provider.request(sendRequest), await provider.request(sendRequest)]
    expect(responses).toEqual([{ '0x1': { atomic: { status: 'supported' } } }, responses[0]])
    expect(phone.receivedRequests).toHaveLength(1)
  })
})

describe('the current chain', () => {
  test('changes with its endpoint', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone())
    const received = follow(provider)
    provider.setDefaultChain('eip155:10', nodeUrl('/preferred'))
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa')
    expect(await provider.request(balance)).toBe('/preferred')
    expect(await provider.request(sign)).toBe('personal_sign on eip155:10')
    expect(received.chainChanged).toEqual(['0xa'])
  })

  test('cannot be an unapproved chain or a chain of an unapproved namespace', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone(), { accounts: [fakeAccount('eip155:1')] })
    expect(() => provider.setDefaultChain('eip155:10')).toThrow(
      expect.objectContaining({ code: 'network/unsupported' }),
    )
    expect(() => provider.setDefaultChain(devnet)).toThrow(
      expect.objectContaining({ code: 'namespace/not-configured' }),
    )
  })

  test('switches at once to an approved chain (EIP-3326)', async () => {
    const provider = await makeProvider()
    await connectPhone(provider, makePhone())
    const received = follow(provider)
    const params = [{ chainId: '0xa' }]
    expect(await provider.request({ method: 'wallet_switchEthereumChain', params })).toBeNull()
    expect(provider.namespaces.eip155?.chainId).toBe('eip155:10')
    expect(received.chainChanged).toEqual(['0xa'])
  })

  test('does not switch if the wallet agrees without extending the session [R8.3.13]', async () => {
    const provider = await makeProvider()
    await connectPhone(
      provider,
      makePhone(() => null),
    )
    const params = [{ chainId: '0x89' }]
    const failure = await getRejection(provider.request({ method: 'wallet_switchEthereumChain', params }))
    expect(failure).toMatchObject({ code: 'request/failed', context: { code: 4902 } })
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  })
})

describe('a settled session', () => {
  test('is restored by the next page with its chain', async () => {
    const storage = memoryStorage()
    const provider = await makeProvider({ storage })
    const phone = makePhone()
    const session = await connectPhone(provider, phone)
    provider.setDefaultChain('eip155:10')
    provider.close()
    const next = await makeProvider({ storage })
    expect(next.session?.topic).toBe(session.topic)
    expect(await next.request({ method: 'eth_chainId' })).toBe('0xa')
    expect(await next.request(sign)).toBe('personal_sign on eip155:10')
  })

  test('reports changes by the wallet', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    const { topic, namespaces } = await connectPhone(provider, phone)
    const received = follow(provider)
    await phone.emitEvent(topic, { name: 'chainChanged', data: 10 }, 'eip155:10')
    await expect
      .poll(() => received.session_event)
      .toEqual([{ topic, params: { event: { name: 'chainChanged', data: 10 }, chainId: 'eip155:10' } }])
    expect(received.chainChanged).toEqual(['0xa'])
    const { eip155 } = namespaces
    if (eip155 === undefined) return expect.fail('nothing was granted')
    await phone.updateSession(topic, { eip155: { ...eip155, accounts: [fakeAccount('eip155:10', 5)] } })
    await expect.poll(() => received.session_update).toHaveLength(1)
    expect(received.accountsChanged?.at(-1)).toEqual([fakeAddress('eip155', 5)])
    expect(Object.keys(provider.namespaces)).toEqual(['eip155'])
  })

  test('reports changes of other namespaces on their own providers', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    const { topic, namespaces } = await connectPhone(provider, phone)
    const received = follow(provider)
    const reported: (readonly string[])[] = []
    provider.namespaces.solana?.on('accountsChanged', (addresses) => reported.push(addresses))
    const solana = { ...namespaces.solana, accounts: [fakeAccount(devnet, 4)] }
    await phone.updateSession(topic, { ...namespaces, solana: { chains: [], methods: [], events: [], ...solana } })
    await expect.poll(() => reported).toEqual([[fakeAddress('solana', 4)]])
    expect(received.accountsChanged).toEqual([])
  })

  test('gains a namespace when the wallet approves one later', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    const { topic, namespaces } = await connectPhone(provider, phone, { accounts: [fakeAccount('eip155:1')] })
    const solana = { chains: [devnet], methods: ['solana_signMessage'], events: [], accounts: [fakeAccount(devnet)] }
    await phone.updateSession(topic, { ...namespaces, solana })
    await expect.poll(() => Object.keys(provider.namespaces)).toEqual(['eip155', 'solana'])
    expect(await provider.request({ method: 'solana_signMessage' }, devnet)).toBe(`solana_signMessage on ${devnet}`)
  })
})

describe('the end of a session', () => {
  test('by the wallet is reported, and later requests reject', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    const { topic } = await connectPhone(provider, phone)
    const received = follow(provider)
    const { eip155 } = provider.namespaces
    await phone.disconnect(topic)
    await expect.poll(() => received.disconnect).toEqual([expect.objectContaining({ code: 'session/ended' })])
    expect(received.session_delete).toEqual([{ topic }])
    expect([provider.session, provider.namespaces]).toEqual([undefined, {}])
    expect(await getRejection(provider.request(sign))).toMatchObject({ code: 'connection/not-connected' })
    expect(await getRejection(eip155?.request(sign) ?? expect.fail('was not granted'))).toMatchObject({
      code: 'connection/not-connected',
    })
  })

  test('by the app is sent to the wallet', async () => {
    const provider = await makeProvider()
    const phone = makePhone()
    await connectPhone(provider, phone)
    const received = follow(provider)
    await provider.disconnect()
    expect(received.disconnect).toEqual([expect.objectContaining({ code: 'connection/not-connected' })])
    expect(received.session_delete).toEqual([])
    await expect.poll(() => phone.ended).toBe(1)
  })
})

test('a closed provider rejects as not initialized [R8.3.1]', async () => {
  const provider = await makeProvider()
  const connecting = getRejection(provider.connect())
  provider.close()
  expect(await connecting).toMatchObject({ code: 'connection/aborted' })
  expect(await getRejection(provider.request(sign))).toMatchObject({
    code: 'client/closed',
    message: expect.stringContaining('Sign Client not initialized'),
  })
  expect(await getRejection(provider.connect())).toMatchObject({ code: 'client/closed' })
})
