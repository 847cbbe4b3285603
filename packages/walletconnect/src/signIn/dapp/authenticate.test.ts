import { memoryStorage } from '@latchkey/core'
import { fakeNetwork } from '@latchkey/core/testing'
import type { AccountId, ChainId } from '@latchkey/protocol'
import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { randomBytes } from '../../crypto/bytes.ts'
import { createDapp } from '../../dapp/createDapp.ts'
import type { Dapp, DappOptions } from '../../dapp/dapp.ts'
import type { AuthenticateOptions } from './authenticate.ts'
import type { SignedIn } from './signedIn.ts'
import { createCacao, type Cacao } from '../cacao.ts'
import { createWallet } from '../../wallet/createWallet.ts'
import type { Wallet, WalletListener } from '../../wallet/wallet.ts'
import { restrictAuthPayload, type AuthPayload } from '../authPayload.ts'
import type { AuthenticateRequest } from '../wallet/authenticateRequest.ts'
import type { SessionProposal } from '../../wallet/sessionProposal.ts'
import { createTestSigner } from '../../testing/testSigner.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>
const open: Array<{ close(): void }> = []
const signer = createTestSigner(randomBytes(32))

beforeAll(async () => {
  server = await startTestRelay()
})

afterEach(() => {
  for (const side of open.splice(0)) side.close()
})

afterAll(() => server.close())

const optionsOf = (name: string) => ({
  relayUrl: server.relayUrl,
  projectId: 'ab'.repeat(16),
  metadata: { name, description: '', url: 'https://app.example', icons: [] },
  storage: memoryStorage(),
  createSocket: (url: string) => new WebSocket(url),
})

function makeDapp(options: Partial<DappOptions> = {}): Dapp {
  const dapp = createDapp({ ...optionsOf('App'), ...options })
  open.push(dapp)
  return dapp
}

/** A phone wallet that records its requests. Events without one of `listeners` are ignored. */
type Phone = Wallet & { receivedRequests: AuthenticateRequest[]; proposed: SessionProposal[]; ended: number }

function makePhone(
  listeners: ReadonlyArray<keyof WalletListener> = ['authenticate', 'proposal', 'sessionEnded'],
): Phone {
  const wallet = createWallet(optionsOf('Phone'))
  open.push(wallet)
  const phone: Phone = { ...wallet, receivedRequests: [], proposed: [], ended: 0 }
  const listener: WalletListener = {
    authenticate: (request) => void phone.receivedRequests.push(request),
    proposal: (proposal) => void phone.proposed.push(proposal),
    request: (request) => void phone.respond(request, { result: request.params }),
    sessionEnded: () => void (phone.ended += 1),
  }
  const received = Object.entries(listener).filter(
    ([name]) => listeners.some((each) => each === name) || name === 'request',
  )
  wallet.listen(Object.fromEntries(received))
  return phone
}

const chains: readonly ChainId[] = ['eip155:1', 'eip155:10']
const authParams = {
  chains,
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'abcdef0123456789',
  statement: 'Welcome back.',
} as const
const accountOn = (chain: ChainId): AccountId => `eip155:${chain.slice('eip155:'.length)}:${signer.address}`

function sendRequest(dapp: Dapp, phone: Phone, request: Partial<AuthenticateOptions> = {}): Promise<SignedIn> {
  const { signal } = new AbortController()
  return dapp.authenticate({ ...authParams, signal, onUri: (uri) => void phone.pair(uri), ...request })
}

async function waitForRequest(phone: Phone): Promise<AuthenticateRequest> {
  await expect.poll(() => phone.receivedRequests.length).toBe(1)
  return phone.receivedRequests[0] ?? expect.fail('nothing was asked')
}

const createSignedCacaos = (phone: Phone, payload: AuthPayload): readonly Cacao[] =>
  payload.chains.map((chain) => {
    const account = accountOn(chain)
    return createCacao(payload, account, signer.sign(phone.formatAuthMessage({ payload }, account)))
  })

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )

describe('a one-click sign-in', () => {
  test('returns a session and signatures with one approval', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const pendingResponse = sendRequest(dapp, phone, { methods: ['personal_sign', 'eth_sendTransaction'] })
    const request = await waitForRequest(phone)
    expect(request).toMatchObject({ dapp: { name: 'App' }, payload: { domain: 'app.example', chains } })
    const granted = await phone.approveAuthenticate(request, createSignedCacaos(phone, request.payload))
    const { session, auths } = await pendingResponse
    expect(auths).toHaveLength(2)
    expect(session?.topic).toBe(granted?.topic)
    expect(session).toMatchObject({
      peer: { name: 'Phone' },
      namespaces: {
        eip155: {
          chains,
          accounts: chains.map(accountOn),
          methods: ['eth_sendTransaction', 'personal_sign'],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    expect(granted?.namespaces).toEqual(session?.namespaces)
    expect(Math.abs((session?.expiry ?? 0) - Date.now() / 1000 - 604_800)).toBeLessThan(60)
    const topic = session?.topic ?? expect.fail('no session')
    expect(await dapp.request({ topic, chainId: 'eip155:10', method: 'personal_sign', params: ['0x'] })).toEqual(['0x'])
    await dapp.ping(topic)
    await phone.ping(topic)
  })

  test('shows the capabilities of the session to the user', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    void sendRequest(dapp, phone, { methods: ['personal_sign'] }).catch(() => {})
    const request = await waitForRequest(phone)
    const message = phone.formatAuthMessage(request, accountOn('eip155:10'))
    expect(message).toContain(
      "Welcome back. I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'personal_sign' for 'eip155'.",
    )
    expect(message).toContain('Chain ID: 10\n')
  })

  test('creates no session without methods', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const pendingResponse = sendRequest(dapp, phone)
    const request = await waitForRequest(phone)
    expect(await phone.approveAuthenticate(request, createSignedCacaos(phone, request.payload))).toBeUndefined()
    expect(await pendingResponse).toEqual({
      auths: [expect.objectContaining({ h: { t: 'caip122' } }), expect.anything()],
    })
    expect(phone.sessions()).toEqual([])
    expect(dapp.restore()).toEqual([])
  })

  test('grants no more than the wallet approved', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const pendingResponse = sendRequest(dapp, phone, { methods: ['personal_sign', 'eth_sendTransaction'] })
    const request = await waitForRequest(phone)
    const payload = restrictAuthPayload(request.payload, {
      chains: ['eip155:10'],
      methods: ['personal_sign', 'eth_sign'],
    })
    await phone.approveAuthenticate({ ...request, payload }, createSignedCacaos(phone, payload))
    const { session } = await pendingResponse
    expect(session?.namespaces.eip155).toMatchObject({
      chains: ['eip155:10'],
      accounts: [accountOn('eip155:10')],
      methods: ['personal_sign'],
    })
  })

  test('shows no proposal in a wallet that supports sign-in', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const pendingResponse = sendRequest(dapp, phone, { methods: ['personal_sign'] })
    const request = await waitForRequest(phone)
    expect(phone.authenticateRequests()).toEqual([request])
    await phone.approveAuthenticate(request, createSignedCacaos(phone, request.payload))
    await pendingResponse
    expect(phone.proposed).toEqual([])
    expect(phone.proposals()).toEqual([])
    expect(phone.authenticateRequests()).toEqual([])
  })

  test('settles a plain session with a wallet without sign-in', async () => {
    const [dapp, phone] = [makeDapp(), makePhone(['proposal'])]
    const pendingResponse = sendRequest(dapp, phone, { methods: ['eth_sendTransaction'] })
    await expect.poll(() => phone.proposed.length).toBe(1)
    const proposal = phone.proposed[0] ?? expect.fail('no proposal')
    expect(proposal.optionalNamespaces).toMatchObject({
      eip155: { chains, methods: ['personal_sign', 'eth_sendTransaction'] },
    })
    await phone.approve(proposal, { accounts: [accountOn('eip155:1')] })
    const { session, auths } = await pendingResponse
    expect(auths).toEqual([])
    expect(session?.namespaces.eip155?.accounts).toEqual([accountOn('eip155:1')])
    expect(phone.receivedRequests).toEqual([])
  })

  test('rejects when the user declines', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const outcome = failureOf(sendRequest(dapp, phone, { methods: ['personal_sign'] }))
    await phone.rejectAuthenticate(await waitForRequest(phone))
    expect(await outcome).toMatchObject({ code: 'connection/rejected' })
    expect(phone.authenticateRequests()).toEqual([])
  })

  test('rejects when the user declines the proposal', async () => {
    const [dapp, phone] = [makeDapp(), makePhone(['proposal'])]
    const outcome = failureOf(sendRequest(dapp, phone))
    await expect.poll(() => phone.proposed.length).toBe(1)
    await phone.reject(phone.proposed[0] ?? expect.fail('no proposal'))
    expect(await outcome).toMatchObject({ code: 'connection/rejected' })
  })

  test('rejects when the app aborts', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const controller = new AbortController()
    const outcome = failureOf(sendRequest(dapp, phone, { signal: controller.signal }))
    await waitForRequest(phone)
    controller.abort()
    expect(await outcome).toMatchObject({ code: 'connection/aborted' })
  })

  test('creates no session from a forged signature and deletes it in the wallet', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const outcome = failureOf(sendRequest(dapp, phone, { methods: ['personal_sign'] }))
    const request = await waitForRequest(phone)
    const forged = request.payload.chains.map((chain) =>
      createCacao(request.payload, accountOn(chain), createTestSigner(randomBytes(32)).sign('something else')),
    )
    const session = await phone.approveAuthenticate(request, forged)
    expect(session).toBeDefined()
    expect(await outcome).toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => phone.ended).toBe(1)
    expect(dapp.restore()).toEqual([])
    expect(phone.sessions()).toEqual([])
  })

  test('gets its response after a reconnect', async () => {
    const sockets: WebSocket[] = []
    const createSocket = (url: string): WebSocket => {
      const socket = new WebSocket(url)
      sockets.push(socket)
      return socket
    }
    const [dapp, phone] = [makeDapp({ createSocket }), makePhone()]
    const pendingResponse = sendRequest(dapp, phone, { methods: ['personal_sign'] })
    const request = await waitForRequest(phone)
    for (const socket of sockets) socket.terminate()
    await phone.approveAuthenticate(request, createSignedCacaos(phone, request.payload))
    const { session } = await pendingResponse
    expect(sockets.length).toBeGreaterThan(1)
    expect(session?.topic).toBe(phone.sessions()[0]?.topic)
  })

  test('stays pending after a reload of the wallet', async () => {
    const storage = memoryStorage()
    const first = createWallet({ ...optionsOf('Phone'), storage })
    const received: AuthenticateRequest[] = []
    first.listen({ authenticate: (request) => void received.push(request) })
    const pendingResponse = makeDapp().authenticate({
      ...authParams,
      methods: ['personal_sign'],
      signal: new AbortController().signal,
      onUri: (uri) => void first.pair(uri),
    })
    await expect.poll(() => received.length).toBe(1)
    first.close()
    const second = createWallet({ ...optionsOf('Phone'), storage })
    open.push(second)
    const [request = expect.fail('forgotten')] = second.authenticateRequests()
    expect(request).toEqual(received[0])
    const cacaos = createSignedCacaos({ ...second, receivedRequests: [], proposed: [], ended: 0 }, request.payload)
    await second.approveAuthenticate(request, cacaos)
    expect((await pendingResponse).session?.topic).toBe(second.sessions()[0]?.topic)
  })
})

describe('a sign-in with a session proposal', () => {
  const networks = [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })]
  const { signal } = new AbortController()
  const { chains: _, ...signIn } = authParams

  async function proposedTo(phone: Phone): Promise<SessionProposal> {
    await expect.poll(() => phone.proposed.length).toBe(1)
    return phone.proposed[0] ?? expect.fail('no proposal')
  }

  test('is returned with the settlement', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const received: Array<readonly Cacao[]> = []
    const onSignIn = (auths: readonly Cacao[]): void => void received.push(auths)
    const onUri = (uri: string): void => void phone.pair(uri)
    const connecting = dapp.connect({ networks, signal, onUri, signIn, onSignIn })
    const proposal = await proposedTo(phone)
    const [payload = expect.fail('nothing to sign')] = proposal.authentication
    expect(payload).toMatchObject({ chains, domain: 'app.example', aud: 'https://app.example/login' })
    const auths = createSignedCacaos(phone, payload)
    await phone.approve(proposal, { accounts: chains.map(accountOn), auths })
    const session = await connecting
    expect(received).toEqual([auths])
    expect(session.namespaces.eip155?.accounts).toEqual(chains.map(accountOn))
  })

  test('is optional for the wallet', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const received: unknown[] = []
    const onUri = (uri: string): void => void phone.pair(uri)
    const connecting = dapp.connect({ networks, signal, onUri, signIn, onSignIn: (auths) => void received.push(auths) })
    await phone.approve(await proposedTo(phone), { accounts: chains.map(accountOn) })
    expect((await connecting).topic).toBe(phone.sessions()[0]?.topic)
    expect(received).toEqual([])
  })

  test('ends the session if it does not verify', async () => {
    const [dapp, phone] = [makeDapp(), makePhone()]
    const received: unknown[] = []
    const onSignIn = (auths: unknown): void => void received.push(auths)
    const onUri = (uri: string): void => void phone.pair(uri)
    const outcome = failureOf(dapp.connect({ networks, signal, onUri, signIn, onSignIn }))
    const proposal = await proposedTo(phone)
    const [payload = expect.fail('nothing to sign')] = proposal.authentication
    const auths = createSignedCacaos(phone, { ...payload, nonce: 'ffffffffffffffff' })
    await phone.approve(proposal, { accounts: chains.map(accountOn), auths })
    expect(await outcome).toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => phone.ended).toBe(1)
    expect([received, dapp.restore(), phone.sessions()]).toEqual([[], [], []])
  })

  test('is not sent if it cannot be signed', async () => {
    const outcome = failureOf(makeDapp().connect({ networks, signal, signIn: { ...signIn, statement: 'a\nb' } }))
    expect(await outcome).toMatchObject({ code: 'config/invalid' })
  })
})
