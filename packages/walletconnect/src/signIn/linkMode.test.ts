import { memoryStorage } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { randomBytes } from '../bytes.ts'
import { createDapp, type Dapp, type DappOptions } from '../dapp.ts'
import type { PeerOptions } from '../peer.ts'
import { createSessions, type Metadata } from '../session.ts'
import { createCacao, createWallet, type AuthenticateRequest, type Wallet, type WalletRequest } from '../wallet.ts'
import { createLinks, readPlain, receiveLink, writePlain } from './linkMode.ts'
import { linkOfStranger } from './signIns.ts'
import { signerFrom } from '../testing/signer.ts'

const signer = signerFrom(randomBytes(32))
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

/** A phone with an app and a wallet on it; the links that were opened, and the relays that were dialled. */
function makePhone({ wallet: takesLinks = true, ...options }: { wallet?: boolean } & Partial<DappOptions> = {}) {
  const opened: string[] = []
  const asked: AuthenticateRequest[] = []
  const requested: WalletRequest[] = []
  const dialled: string[] = []
  const side = (name: string, linkMode: boolean, openLink: (url: string) => void): PeerOptions => ({
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
    authenticate: (request) => void asked.push(request),
    request: (request) => void requested.push(request),
  })
  return { dapp, wallet, opened, dialled, asked, requested }
}

const question = {
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
  return `https://wallet.example/open?wc_ev=${writePlain(JSON.stringify(message))}&topic=${topic}#top`
}

async function approve(wallet: Wallet, asked: readonly AuthenticateRequest[], sign = signer.sign): Promise<void> {
  await expect.poll(() => asked.length).toBe(1)
  const [request = expect.fail('nothing was asked')] = asked
  const signature = sign(wallet.formatAuthMessage(request, account))
  await wallet.approveAuthenticate(request, [createCacao(request.payload, account, signature)])
}

describe('link mode', () => {
  test('signs in and asks on one phone, and no relay sees it', async () => {
    const { dapp, wallet, opened, dialled, asked, requested } = makePhone()
    const asking = dapp.authenticate(question)
    await approve(wallet, asked)
    const { session, auths } = await asking
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

  test('survives a reload of the app', async () => {
    const storage = memoryStorage()
    const { dapp, wallet, asked } = makePhone({ storage })
    const asking = dapp.authenticate(question)
    await approve(wallet, asked)
    const { session } = await asking
    dapp.close()
    const opened: string[] = []
    const again = makePhone({ storage, openLink: (url) => void opened.push(url) }).dapp
    expect(again.restore()).toEqual([session])
    const { topic } = session ?? expect.fail('no session')
    again.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    expect(opened).toEqual([expect.stringContaining(`&topic=${topic}`)])
  })

  test('tells the app when a person declines', async () => {
    const { dapp, wallet, asked } = makePhone()
    const asking = dapp.authenticate(question)
    await expect.poll(() => asked.length).toBe(1)
    await wallet.rejectAuthenticate(asked[0] ?? expect.fail())
    await expect(asking).rejects.toMatchObject({ code: 'connection/rejected' })
  })

  test('makes no session of a forged signature, and has the wallet forget it', async () => {
    const { dapp, wallet, asked } = makePhone()
    const asking = dapp.authenticate(question)
    const outcome = asking.catch((error: unknown) => error)
    await approve(wallet, asked, () => signer.sign('something else'))
    expect(await outcome).toMatchObject({ code: 'session/invalid' })
    await expect.poll(() => wallet.sessions()).toEqual([])
    expect(dapp.restore()).toEqual([])
  })

  test('is given up by the app', async () => {
    const giveUp = new AbortController()
    const asking = makePhone().dapp.authenticate({ ...question, signal: giveUp.signal })
    giveUp.abort()
    await expect(asking).rejects.toMatchObject({ code: 'connection/aborted' })
  })

  test('begins with nothing but a sign-in, and only where the wallet takes links', async () => {
    const unwilling = { requester: { publicKey: 'ab'.repeat(32), metadata: metadataOf('app', false) } }
    const { wallet, asked } = makePhone()
    expect(wallet.receiveLink(linkWith('wc_sessionRequest'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionPropose'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionAuthenticate', unwilling))).toBe(false)
    expect(asked).toEqual([])
    expect(makePhone({ wallet: false }).wallet.receiveLink(linkWith('wc_sessionAuthenticate'))).toBe(false)
    expect(wallet.receiveLink(linkWith('wc_sessionAuthenticate'))).toBe(true)
    expect(asked).toHaveLength(1)
  })

  test('never speaks on a topic of a relay, whoever knows it', () => {
    const [known, unknown] = ['cd'.repeat(32), 'ef'.repeat(32)]
    const taken: string[] = []
    const side = {
      links: createLinks(createSessions(memoryStorage(), '')),
      metadata: metadataOf('wallet', true),
      keyring: { get: (topic: string) => (topic === known ? randomBytes(32) : undefined) },
      channel: { receivePlain: (topic: string) => void taken.push(topic) },
    }
    expect(receiveLink(side, linkWith('wc_sessionAuthenticate', {}, known), linkOfStranger)).toBe(false)
    expect(receiveLink(side, linkWith('wc_sessionAuthenticate', {}, unknown), linkOfStranger)).toBe(true)
    expect(taken).toEqual([unknown])
  })

  test('lets nobody answer on a topic that he does not know', async () => {
    const { dapp } = makePhone()
    const message = writePlain(JSON.stringify({ id: 1, jsonrpc: '2.0', result: true }))
    expect(dapp.receiveLink(`https://app.example/open?wc_ev=${message}&topic=${'cd'.repeat(32)}`)).toBe(false)
    for (const url of ['', 'https://app.example/open', 'https://app.example/open?wc_ev=&topic=', 'wc:ab']) {
      expect(dapp.receiveLink(url)).toBe(false)
    }
  })
})

describe('a type-2 envelope', () => {
  test('is the type and the text in base64url, and survives', () => {
    expect(writePlain('{}')).toBe('Ant9')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const envelope = writePlain(JSON.stringify(value))
        expect(envelope).toMatch(/^[\w-]+$/)
        expect(readPlain(envelope)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test.each(['', 'AA', 'AXt9', '%', 'Av8', 'Anti'])('is not read from “%s”', (text) => {
    expect(readPlain(text)).toBeUndefined()
  })
})
