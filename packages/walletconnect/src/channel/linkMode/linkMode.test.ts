import { memoryStorage } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { randomBytes } from '../../crypto/bytes.ts'
import { createDapp } from '../../dapp/createDapp.ts'
import type { Dapp, DappOptions } from '../../dapp/dapp.ts'
import type { SignClientOptions } from '../signClient.ts'
import { createSessionStore } from '../../session/sessionStore.ts'
import type { Metadata } from '../../session/metadata.ts'
import { createCacao } from '../../signIn/cacao.ts'
import { createWallet } from '../../wallet/createWallet.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { linkModeUrlOfRequester, type AuthenticateRequest } from '../../signIn/wallet/authenticateRequest.ts'
import type { WalletRequest } from '../../wallet/walletRequest.ts'
import { createLinkRoutes } from './linkRoutes.ts'
import { receiveLink } from './receiveLink.ts'
import { parsePlainEnvelope, formatPlainEnvelope } from '../../crypto/plainEnvelope.ts'
import { createTestSigner } from '../../testing/testSigner.ts'

const signer = createTestSigner(randomBytes(32))
const account: AccountId = `eip155:1:${signer.address}`
const open: Array<{ close(): void }> = []

afterEach(() => {
  for (const side of open.splice(0)) side.close()
})

const metadataOf = (name: string, linkMode: boolean): Metadata => ({
  name,
  description: '',
  url: `https://${name}.example`,
  icons: [],
  redirect: { universal: `https://${name}.example/open`, linkMode },
})

/** A phone with an app and a wallet, the opened links, and the contacted relays. */
function makePhone({ wallet: takesLinks = true, ...options }: { wallet?: boolean } & Partial<DappOptions> = {}) {
  const opened: string[] = []
  const requests: AuthenticateRequest[] = []
  const requested: WalletRequest[] = []
  const dialled: string[] = []
  const side = (name: string, linkMode: boolean, openLink: (url: string) => void): SignClientOptions => ({
    relayUrl: 'wss://relay.example',
    projectId: 'ab'.repeat(16),
    metadata: metadataOf(name, linkMode),
    storage: memoryStorage(),
    createSocket(url) {
      dialled.push(url)
      throw new Error('no network')
    },
    openLink(url) {
      opened.push(url)
      queueMicrotask(() => openLink(url))
    },
  })
  const dapp: Dapp = createDapp({ ...side('app', true, (url) => void wallet.receiveLink(url)), ...options })
  const wallet: Wallet = createWallet(side('wallet', takesLinks, (url) => void dapp.receiveLink(url)))
  open.push(dapp, wallet)
  wallet.listen({
    authenticate: (request) => void requests.push(request),
    request: (request) => void requested.push(request),
  })
  return { dapp, wallet, opened, dialled, requests, requested }
}

const authParams = {
  chains: ['eip155:1'] as const,
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'abcdef0123456789',
  methods: ['personal_sign'],
  walletLink: 'https://wallet.example/open',
  signal: new AbortController().signal,
}

/** A link that a dapp in link mode could open. */
function linkWith(method: string, more: object = {}, topic = 'cd'.repeat(32)): string {
  const requester = { publicKey: 'ab'.repeat(32), metadata: metadataOf('app', true) }
  const authPayload = { chains: ['eip155:1'], domain: 'a', aud: 'b', version: '1', nonce: 'c', iat: 'd' }
  const message = { id: 1, jsonrpc: '2.0', method, params: { requester, authPayload, ...more } }
  return `https://wallet.example/open?wc_ev=${formatPlainEnvelope(JSON.stringify(message))}&topic=${topic}#top`
}

async function approve(wallet: Wallet, requests: readonly AuthenticateRequest[], sign = signer.sign): Promise<void> {
  await expect.poll(() => requests.length).toBe(1)
  const [request = expect.fail('nothing was asked')] = requests
  const signature = sign(wallet.formatAuthMessage(request, account))
  await wallet.approveAuthenticate(request, [createCacao(request.payload, account, signature)])
}

describe('link mode', () => {
  test('signs in and sends requests on one phone without a relay', async () => {
    const { dapp, wallet, opened, dialled, requests, requested } = makePhone()
    const pendingResponse = dapp.authenticate(authParams)
    await approve(wallet, requests)
    const { session, auths } = await pendingResponse
    const topic = session?.topic ?? expect.fail('no session')
    expect(auths).toHaveLength(1)
    expect(wallet.sessions()[0]?.topic).toBe(topic)

    const request = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: ['0x'] })
    await expect.poll(() => requested.length).toBe(1)
    await wallet.respond(requested[0] ?? expect.fail(), { result: '0xsigned' })
    expect(await request).toBe('0xsigned')

    const envelope = String.raw`https://(app|wallet)\.example/open\?wc_ev=Ans[\w-]+&topic=[0-9a-f]{64}`
    expect(opened).toHaveLength(4)
    for (const url of opened) expect(url).toMatch(new RegExp(`^${envelope}$`))
    expect([dapp.status.get(), wallet.status.get(), dialled]).toEqual([{ state: 'idle' }, { state: 'idle' }, []])
  })

  test('keeps its session after a reload of the app', async () => {
    const storage = memoryStorage()
    const { dapp, wallet, requests } = makePhone({ storage })
    const pendingResponse = dapp.authenticate(authParams)
    await approve(wallet, requests)
    const { session } = await pendingResponse
    dapp.close()
    const opened: string[] = []
    const again = makePhone({ storage, openLink: (url) => void opened.push(url) }).dapp
    expect(again.restore()).toEqual([session])
    const { topic } = session ?? expect.fail('no session')
    again.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    expect(opened).toEqual([expect.stringContaining(`&topic=${topic}`)])
  })

  test('reports a rejection by the user to the app', async () => {
    const { dapp, wallet, requests } = makePhone()
    const pendingResponse = dapp.authenticate(authParams)
    await expect.poll(() => requests.length).toBe(1)
    await wallet.rejectAuthenticate(requests[0] ?? expect.fail())
    await expect(pendingResponse).rejects.toMatchObject({ code: 'connection/rejected' })
  })

  test('creates no session from a forged signature and deletes it in the wallet', async () => {
    const { dapp, wallet, requests } = makePhone()
    const pendingResponse = dapp.authenticate(authParams)
    const outcome = pendingResponse.catch((error: unknown) => error)
    await approve(wallet, requests, () => signer.sign('something else'))
    expect(await outcome).toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => wallet.sessions()).toEqual([])
    expect(dapp.restore()).toEqual([])
  })

  test('ends when the app aborts', async () => {
    const controller = new AbortController()
    const pendingResponse = makePhone().dapp.authenticate({ ...authParams, signal: controller.signal })
    controller.abort()
    await expect(pendingResponse).rejects.toMatchObject({ code: 'connection/aborted' })
  })

  test('starts only with a sign-in and only if the wallet supports links', async () => {
    const unwilling = { requester: { publicKey: 'ab'.repeat(32), metadata: metadataOf('app', false) } }
    const { wallet, requests } = makePhone()
    expect(wallet.receiveLink(linkWith('wc_sessionRequest'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionPropose'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionAuthenticate', unwilling))).toBe(false)
    expect(requests).toEqual([])
    expect(makePhone({ wallet: false }).wallet.receiveLink(linkWith('wc_sessionAuthenticate'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionAuthenticate'))).toBe(true)
    expect(requests).toHaveLength(1)
  })

  test('refuses messages on topics of the relay', () => {
    const [known, unknown] = ['cd'.repeat(32), 'ef'.repeat(32)]
    const receivedTopics: string[] = []
    const side = {
      links: createLinkRoutes(createSessionStore(memoryStorage(), '')),
      metadata: metadataOf('wallet', true),
      keyring: { get: (topic: string) => (topic === known ? randomBytes(32) : undefined) },
      channel: { receivePlain: (topic: string) => void receivedTopics.push(topic) },
    }
    expect(receiveLink(side, linkWith('wc_sessionAuthenticate', {}, known), linkModeUrlOfRequester)).toBe(false)
    expect(receiveLink(side, linkWith('wc_sessionAuthenticate', {}, unknown), linkModeUrlOfRequester)).toBe(true)
    expect(receivedTopics).toEqual([unknown])
  })

  test('refuses responses on unknown topics', async () => {
    const { dapp } = makePhone()
    const message = formatPlainEnvelope(JSON.stringify({ id: 1, jsonrpc: '2.0', result: true }))
    expect(dapp.receiveLink(`https://app.example/open?wc_ev=${message}&topic=${'cd'.repeat(32)}`)).toBe(false)
    for (const url of ['', 'https://app.example/open', 'https://app.example/open?wc_ev=&topic=', 'wc:ab']) {
      expect(dapp.receiveLink(url)).toBe(false)
    }
  })
})

describe('a type-2 envelope', () => {
  test('consists of type and text in base64url and round-trips', () => {
    expect(formatPlainEnvelope('{}')).toBe('Ant9')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const envelope = formatPlainEnvelope(JSON.stringify(value))
        expect(envelope).toMatch(/^[\w-]+$/)
        expect(parsePlainEnvelope(envelope)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test.each(['', 'AA', 'AXt9', '%', 'Av8', 'Anti'])('cannot be parsed from “%s”', (text) => {
    expect(parsePlainEnvelope(text)).toBeUndefined()
  })
})
