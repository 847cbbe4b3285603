import { memoryStorage } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import type { SignClient } from 'sign-client-2.21'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { randomBytes } from '../bytes.ts'
import { createDapp, type Dapp, type SignedIn } from '../dapp.ts'
import { createCacao, createWallet, restrict, type Wallet } from '../wallet.ts'
import { formatSignInMessage, type SignInContent } from './cacao.ts'
import { encodeRecap } from './recap.ts'
import { signerFrom } from '../testing/signer.ts'

type Client = InstanceType<typeof SignClient>

let server: Awaited<ReturnType<typeof startTestServer>>
const leaving: Array<() => unknown> = []
const signer = signerFrom(randomBytes(32))
const account: AccountId = `eip155:1:${signer.address}`
const question = {
  chains: ['eip155:1', 'eip155:10'] as const,
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'abcdef0123456789',
  statement: 'Welcome back.',
  methods: ['personal_sign', 'eth_sendTransaction'],
  resources: ['https://app.example/terms'],
}

beforeAll(async () => {
  server = await startTestServer()
}, 60_000)

afterAll(async () => {
  await Promise.all(leaving.map((leave) => leave()))
  await server.close()
})

const metadata = (name: string) => ({ name, description: '', url: 'https://app.example', icons: [] })

const ours = (name: string) => ({
  relayUrl: server.relayUrl,
  projectId: 'ab'.repeat(16),
  metadata: metadata(name),
  storage: memoryStorage(),
  createSocket: (url: string) => new WebSocket(url),
})

async function theirs(name: string): Promise<Client> {
  // They read these when they are loaded: nothing but the relay is to be talked to.
  Object.assign(process.env, { IS_VITEST: 'true', DISABLE_GLOBAL_CORE: 'true' })
  const { SignClient } = await import('sign-client-2.21')
  const kept = new Map<string, unknown>()
  const client = await SignClient.init({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: metadata(name),
    telemetryEnabled: false,
    logger: 'silent',
    storage: {
      getKeys: async () => [...kept.keys()],
      // They name the types that they expect.
      getEntries: async <value>() => [...kept.entries()] as Array<[string, value]>,
      getItem: async <value>(key: string) => kept.get(key) as value | undefined,
      setItem: async (key, value) => void kept.set(key, value),
      removeItem: async (key) => void kept.delete(key),
    },
  })
  leaving.push(async () => {
    client.core.heartbeat.stop()
    await client.core.relayer.transportClose()
  })
  return client
}

/** Our wallet, which signs whatever it is asked. */
function ourWallet(): Wallet {
  const wallet = createWallet(ours('Our wallet'))
  leaving.push(wallet.close)
  wallet.listen({
    authenticate(request) {
      const payload = restrict(request.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
      const signature = signer.sign(wallet.formatAuthMessage({ payload }, account))
      void wallet.approveAuthenticate({ ...request, payload }, [createCacao(payload, account, signature)])
    },
    request: (request) => void wallet.respond(request, { result: request.params }),
  })
  return wallet
}

/** What comes of asking a wallet of theirs with our dapp. */
async function askedOf(client: Client): Promise<SignedIn & { dapp: Dapp }> {
  const dapp = createDapp(ours('Our dapp'))
  leaving.push(dapp.close)
  const { signal } = new AbortController()
  const onUri = (uri: string): void => void client.pair({ uri })
  return { dapp, ...(await dapp.authenticate({ ...question, signal, onUri })) }
}

const said = {
  domain: 'app.example',
  aud: 'https://app.example/login',
  version: '1',
  nonce: 'abcdef0123456789',
  iat: '2026-01-01T00:00:00.000Z',
}
const recap = encodeRecap({ att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1'] }] } } })

describe('one-click sign-in with the last open client', () => {
  test.each<Partial<SignInContent>>([
    {},
    { statement: 'Welcome back.' },
    { statement: 'Welcome back.', resources: ['https://app.example/terms', recap] },
    { resources: [recap] },
    { resources: [] },
    { statement: '' },
    { exp: '2026-01-02T00:00:00Z', nbf: '2026-01-01T00:00:00Z', requestId: 'one' },
  ])('signs the same words: %o', async (more) => {
    const client = await theirs('Their wallet')
    const request = { ...said, ...more, type: 'caip122', chains: ['eip155:1'] }
    // Their type asks for a name that their own requests do not have.
    const words = client.formatAuthMessage({ request: request as never, iss: `did:pkh:${account}` })
    expect(formatSignInMessage(request, account)).toBe(words)
  })

  test('their dapp, our wallet', async () => {
    const [client, wallet] = [await theirs('Their dapp'), ourWallet()]
    const { uri, response } = await client.authenticate({ ...question, chains: [...question.chains] })
    await wallet.pair(uri)
    const { auths, session } = await response()
    expect(auths).toHaveLength(1)
    expect(session?.topic).toBe(wallet.sessions()[0]?.topic)
    const topic = session?.topic ?? expect.fail('no session')
    const request = { method: 'personal_sign', params: ['0x'] }
    expect(await client.request({ topic, chainId: 'eip155:1', request })).toEqual(['0x'])
  })

  test('our dapp, their wallet', async () => {
    const client = await theirs('Their wallet')
    client.on('session_authenticate', ({ id, params: { authPayload } }) => {
      const iss = `did:pkh:${account}`
      const message = client.formatAuthMessage({ request: authPayload, iss })
      const p = { ...authPayload, iss }
      const auth = { h: { t: 'caip122' }, p, s: { t: 'eip191', s: signer.sign(message) } }
      // Their type of a CACAO has names for the parts that are texts here.
      void client.approveSessionAuthenticate({ id, auths: [auth as never] })
    })
    client.on('session_request', ({ id, topic, params: { request } }) => {
      void client.respond({ topic, response: { id, jsonrpc: '2.0', result: request.params } })
    })
    const { dapp, session, auths } = await askedOf(client)
    expect(auths).toHaveLength(1)
    const topic = session?.topic ?? expect.fail('no session')
    expect(await dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: ['0x'] })).toEqual(['0x'])
  })

  test('their dapp, our wallet that does not sign in', async () => {
    const client = await theirs('Their dapp')
    const wallet = createWallet(ours('Our wallet'))
    leaving.push(wallet.close)
    wallet.listen({ proposal: (proposal) => void wallet.approve(proposal, { accounts: [account] }) })
    const { uri, response } = await client.authenticate({ ...question, chains: [...question.chains] })
    await wallet.pair(uri)
    const { session } = await response()
    expect(session?.topic).toBe(wallet.sessions()[0]?.topic)
  })

  test('our dapp, their wallet that does not sign in', async () => {
    const client = await theirs('Their wallet')
    client.on('session_proposal', ({ id }) => {
      const { chains, methods } = question
      const granted = { chains: [...chains], methods, accounts: [account, `eip155:10:${signer.address}`] }
      void client.approve({ id, namespaces: { eip155: { ...granted, events: ['accountsChanged', 'chainChanged'] } } })
    })
    const { session, auths } = await askedOf(client)
    expect(auths).toEqual([])
    expect(session?.namespaces.eip155?.accounts).toHaveLength(2)
  })

  test('their dapp is refused by our wallet', async () => {
    const client = await theirs('Their dapp')
    const wallet = createWallet(ours('Our wallet'))
    leaving.push(wallet.close)
    wallet.listen({ authenticate: (request) => void wallet.rejectAuthenticate(request) })
    const { uri, response } = await client.authenticate({ ...question, chains: [...question.chains] })
    const answer = response()
    await Promise.all([expect(answer).rejects.toBe('User rejected the sign-in'), wallet.pair(uri)])
  })

  test('our dapp is refused by their wallet', async () => {
    const client = await theirs('Their wallet')
    client.on('session_authenticate', ({ id }) => {
      void client.rejectSessionAuthenticate({ id, reason: { code: 12_001, message: 'No.' } })
    })
    await expect(askedOf(client)).rejects.toMatchObject({ code: 'connection/rejected' })
  })

  test('our dapp takes no answer to another question, and their wallet forgets the session', async () => {
    const client = await theirs('Their wallet')
    client.on('session_authenticate', ({ id, params: { authPayload } }) => {
      const [request, iss] = [{ ...authPayload, nonce: 'ffffffffffffffff' }, `did:pkh:${account}`]
      const s = signer.sign(client.formatAuthMessage({ request, iss }))
      const auth = { h: { t: 'caip122' }, p: { ...request, iss }, s: { t: 'eip191', s } }
      void client.approveSessionAuthenticate({ id, auths: [auth as never] })
    })
    await expect(askedOf(client)).rejects.toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => client.session.getAll()).toEqual([])
  })
})
