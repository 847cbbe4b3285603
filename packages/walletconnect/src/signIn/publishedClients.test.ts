import { memoryStorage } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { startTestRelay } from '@latchkey/server/testing'
import type { SignClient } from 'sign-client-2.21'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { randomBytes } from '../crypto/bytes.ts'
import { createDapp } from '../dapp/createDapp.ts'
import type { Dapp } from '../dapp/dapp.ts'
import type { SignedIn } from './dapp/signedIn.ts'
import { createCacao, formatSignInMessage, type SignInContent } from './cacao.ts'
import { createWallet } from '../wallet/createWallet.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { restrictAuthPayload } from './authPayload.ts'
import { formatRecap } from './recap.ts'
import { createTestSigner } from '../testing/testSigner.ts'

type Client = InstanceType<typeof SignClient>

let server: Awaited<ReturnType<typeof startTestRelay>>
const leaving: Array<() => unknown> = []
const signer = createTestSigner(randomBytes(32))
const account: AccountId = `eip155:1:${signer.address}`
const authParams = {
  chains: ['eip155:1', 'eip155:10'] as const,
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'abcdef0123456789',
  statement: 'Welcome back.',
  methods: ['personal_sign', 'eth_sendTransaction'],
  resources: ['https://app.example/terms'],
}

beforeAll(async () => {
  server = await startTestRelay()
})

afterAll(async () => {
  await Promise.all(leaving.map((leave) => leave()))
  await server.close()
})

const createMetadata = (name: string) => ({ name, description: '', url: 'https://app.example', icons: [] })

const createOurOptions = (name: string) => ({
  relayUrl: server.relayUrl,
  projectId: 'ab'.repeat(16),
  metadata: createMetadata(name),
  storage: memoryStorage(),
  createSocket: (url: string) => new WebSocket(url),
})

async function createTheirClient(name: string): Promise<Client> {
  // Their modules read these on load. The client must contact only the relay.
  Object.assign(process.env, { IS_VITEST: 'true', DISABLE_GLOBAL_CORE: 'true' })
  const { SignClient } = await import('sign-client-2.21')
  const stored = new Map<string, unknown>()
  const client = await SignClient.init({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: createMetadata(name),
    telemetryEnabled: false,
    logger: 'silent',
    storage: {
      getKeys: async () => [...stored.keys()],
      // Their types require this.
      getEntries: async <value>() => [...stored.entries()] as Array<[string, value]>,
      getItem: async <value>(key: string) => stored.get(key) as value | undefined,
      setItem: async (key, value) => void stored.set(key, value),
      removeItem: async (key) => void stored.delete(key),
    },
  })
  leaving.push(async () => {
    client.core.heartbeat.stop()
    await client.core.relayer.transportClose()
  })
  return client
}

/** Our wallet, which signs all requests. */
function createOurWallet(): Wallet {
  const wallet = createWallet(createOurOptions('Our wallet'))
  leaving.push(wallet.close)
  wallet.listen({
    authenticate(request) {
      const payload = restrictAuthPayload(request.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
      const signature = signer.sign(wallet.formatAuthMessage({ payload }, account))
      void wallet.approveAuthenticate({ ...request, payload }, [createCacao(payload, account, signature)])
    },
    request: (request) => void wallet.respond(request, { result: request.params }),
  })
  return wallet
}

/** Sends a sign-in of our dapp to their wallet. */
async function signInWith(client: Client): Promise<SignedIn & { dapp: Dapp }> {
  const dapp = createDapp(createOurOptions('Our dapp'))
  leaving.push(dapp.close)
  const { signal } = new AbortController()
  const onUri = (uri: string): void => void client.pair({ uri })
  return { dapp, ...(await dapp.authenticate({ ...authParams, signal, onUri })) }
}

const content = {
  domain: 'app.example',
  aud: 'https://app.example/login',
  version: '1',
  nonce: 'abcdef0123456789',
  iat: '2026-01-01T00:00:00.000Z',
}
const recap = formatRecap({ att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1'] }] } } })

describe('one-click sign-in with the last published open-source client', () => {
  test.each<Partial<SignInContent>>([
    {},
    { statement: 'Welcome back.' },
    { statement: 'Welcome back.', resources: ['https://app.example/terms', recap] },
    { resources: [recap] },
    { resources: [] },
    { statement: '' },
    { exp: '2026-01-02T00:00:00Z', nbf: '2026-01-01T00:00:00Z', requestId: 'one' },
  ])('signs the same message: %o', async (more) => {
    const client = await createTheirClient('Their wallet')
    const request = { ...content, ...more, type: 'caip122', chains: ['eip155:1'] }
    // Their type requires a member that their own requests lack.
    const message = client.formatAuthMessage({ request: request as never, iss: `did:pkh:${account}` })
    expect(formatSignInMessage(request, account)).toBe(message)
  })

  test('their dapp, our wallet', async () => {
    const [client, wallet] = [await createTheirClient('Their dapp'), createOurWallet()]
    const { uri, response } = await client.authenticate({ ...authParams, chains: [...authParams.chains] })
    await wallet.pair(uri)
    const { auths, session } = await response()
    expect(auths).toHaveLength(1)
    expect(session?.topic).toBe(wallet.sessions()[0]?.topic)
    const topic = session?.topic ?? expect.fail('no session')
    const request = { method: 'personal_sign', params: ['0x'] }
    expect(await client.request({ topic, chainId: 'eip155:1', request })).toEqual(['0x'])
  })

  test('our dapp, their wallet', async () => {
    const client = await createTheirClient('Their wallet')
    client.on('session_authenticate', ({ id, params: { authPayload } }) => {
      const iss = `did:pkh:${account}`
      const message = client.formatAuthMessage({ request: authPayload, iss })
      const p = { ...authPayload, iss }
      const auth = { h: { t: 'caip122' }, p, s: { t: 'eip191', s: signer.sign(message) } }
      // Their type of a CACAO has literal types for strings.
      void client.approveSessionAuthenticate({ id, auths: [auth as never] })
    })
    client.on('session_request', ({ id, topic, params: { request } }) => {
      void client.respond({ topic, response: { id, jsonrpc: '2.0', result: request.params } })
    })
    const { dapp, session, auths } = await signInWith(client)
    expect(auths).toHaveLength(1)
    const topic = session?.topic ?? expect.fail('no session')
    expect(await dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: ['0x'] })).toEqual(['0x'])
  })

  test('their dapp, our wallet without sign-in', async () => {
    const client = await createTheirClient('Their dapp')
    const wallet = createWallet(createOurOptions('Our wallet'))
    leaving.push(wallet.close)
    wallet.listen({ proposal: (proposal) => void wallet.approve(proposal, { accounts: [account] }) })
    const { uri, response } = await client.authenticate({ ...authParams, chains: [...authParams.chains] })
    await wallet.pair(uri)
    const { session } = await response()
    expect(session?.topic).toBe(wallet.sessions()[0]?.topic)
  })

  test('our dapp, their wallet without sign-in', async () => {
    const client = await createTheirClient('Their wallet')
    client.on('session_proposal', ({ id }) => {
      const { chains, methods } = authParams
      const granted = { chains: [...chains], methods, accounts: [account, `eip155:10:${signer.address}`] }
      void client.approve({ id, namespaces: { eip155: { ...granted, events: ['accountsChanged', 'chainChanged'] } } })
    })
    const { session, auths } = await signInWith(client)
    expect(auths).toEqual([])
    expect(session?.namespaces.eip155?.accounts).toHaveLength(2)
  })

  test('their dapp, rejected by our wallet', async () => {
    const client = await createTheirClient('Their dapp')
    const wallet = createWallet(createOurOptions('Our wallet'))
    leaving.push(wallet.close)
    wallet.listen({ authenticate: (request) => void wallet.rejectAuthenticate(request) })
    const { uri, response } = await client.authenticate({ ...authParams, chains: [...authParams.chains] })
    const reply = response()
    await Promise.all([expect(reply).rejects.toBe('User rejected the sign-in'), wallet.pair(uri)])
  })

  test('our dapp, rejected by their wallet', async () => {
    const client = await createTheirClient('Their wallet')
    client.on('session_authenticate', ({ id }) => {
      void client.rejectSessionAuthenticate({ id, reason: { code: 12_001, message: 'No.' } })
    })
    await expect(signInWith(client)).rejects.toMatchObject({ code: 'connection/rejected' })
  })

  test('our dapp refuses a response to another request, and their wallet deletes the session', async () => {
    const client = await createTheirClient('Their wallet')
    client.on('session_authenticate', ({ id, params: { authPayload } }) => {
      const [request, iss] = [{ ...authPayload, nonce: 'ffffffffffffffff' }, `did:pkh:${account}`]
      const s = signer.sign(client.formatAuthMessage({ request, iss }))
      const auth = { h: { t: 'caip122' }, p: { ...request, iss }, s: { t: 'eip191', s } }
      void client.approveSessionAuthenticate({ id, auths: [auth as never] })
    })
    await expect(signInWith(client)).rejects.toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => client.session.getAll()).toEqual([])
  })
})
