import { memoryStorage } from '@latchkey/core'
import { manualClock, type ManualClock } from '@latchkey/core/testing'
import { startTestServer, testProjectId } from '@latchkey/server/testing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { bytesToHex, toBase64Url, utf8Bytes } from './bytes.ts'
import { didKey } from './didKey.ts'
import { connectParties, makeParties, partyAccounts, partyNetworks, type Parties } from './testing/parties.ts'
import { createVerifier, readAttestation, type Attested } from './verify.ts'

const origin = 'https://app.example'
const digest = 'd'.repeat(64)
const secret = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(secret)
const relayKey = bytesToHex(publicKey)
const now = 1_800_000_000_000

function signed(claims: object = {}, header: object = { alg: 'EdDSA', typ: 'JWT' }): string {
  const standard = { iss: didKey(publicKey), id: digest, origin, iat: now / 1000, exp: now / 1000 + 3600 }
  const part = (value: object): string => toBase64Url(utf8Bytes(JSON.stringify(value)))
  const text = `${part(header)}.${part({ ...standard, ...claims })}`
  return `${text}.${toBase64Url(ed25519.sign(utf8Bytes(text), secret))}`
}

const attested = (change: Partial<Attested> = {}): Attested => ({
  attestation: signed(),
  digest,
  url: `${origin}/swap?from=here`,
  ...change,
})

describe('an attestation', () => {
  test('of the origin that the dapp gives as its own proves it', async () => {
    expect(await readAttestation(attested(), relayKey, now)).toEqual({ status: 'proven', origin })
  })

  test.each(['https://other.example', 'http://app.example', 'https://www.app.example', '', 'app.example'])(
    'contradicts a dapp that says it is at %j',
    async (url) => {
      expect(await readAttestation(attested({ url }), relayKey, now)).toEqual({ status: 'mismatch', origin })
    },
  )

  test.each([
    ['signed with another key', attested(), 'a'.repeat(64)],
    ['made for another message', attested({ digest: 'e'.repeat(64) }), relayKey],
    ['expired', attested({ attestation: signed({ exp: now / 1000 }) }), relayKey],
    ['that never expires', attested({ attestation: signed({ exp: undefined }) }), relayKey],
    ['of another algorithm', attested({ attestation: signed({}, { alg: 'ES256' }) }), relayKey],
    ['that names no web origin', attested({ attestation: signed({ origin: 'app.example' }) }), relayKey],
    ['with a fourth part', attested({ attestation: `${signed()}.x` }), relayKey],
    ['that is no token', attested({ attestation: 'proof' }), relayKey],
    ['that is empty', attested({ attestation: '' }), relayKey],
  ])('%s tells nothing', async (_, value, key) => {
    expect(await readAttestation(value, key, now)).toEqual({ status: 'unknown' })
  })

  test('tells nothing once a letter of it was changed', async () => {
    const [head = '', , signature = ''] = signed().split('.')
    const [, body = ''] = signed({ origin: 'https://other.example' }).split('.')
    expect(await readAttestation(attested({ attestation: `${head}.${body}.${signature}` }), relayKey, now)).toEqual({
      status: 'unknown',
    })
  })
})

describe('the key of the relay', () => {
  let clock: ManualClock
  let fetched: string[]
  let answer: (url: string) => Promise<Response>
  let storage: ReturnType<typeof memoryStorage>

  beforeEach(() => {
    clock = manualClock(now)
    fetched = []
    storage = memoryStorage()
    answer = async () => new Response(relayKey)
  })

  function verifier(relayUrl: string | [string, ...string[]] = 'wss://relay.example/relay?secret=1') {
    const fetch = (input: string | URL | Request): Promise<Response> => {
      fetched.push(String(input))
      return answer(String(input))
    }
    return createVerifier({ relayUrl, clock, storage, prefix: 'test/', fetch })
  }

  test('is fetched once and kept', async () => {
    expect(await verifier()(attested())).toEqual({ status: 'proven', origin })
    expect(await verifier()(attested())).toEqual({ status: 'proven', origin })
    expect(fetched).toEqual(['https://relay.example/public-key'])
    expect(clock.waiting()).toBe(0)
  })

  test('is not asked for where nothing was attested, or by somebody else', async () => {
    for (const attestation of ['', 'proof', signed({}, { alg: 'ES256', typ: 'JWT' })]) {
      expect(await verifier()(attested({ attestation }))).toEqual({ status: 'unknown' })
    }
    expect(fetched).toEqual([])
  })

  test('is fetched anew when the relay has another one since', async () => {
    answer = async () => new Response('a'.repeat(64))
    expect(await verifier()(attested())).toEqual({ status: 'unknown' })
    answer = async () => new Response(relayKey)
    expect(await verifier()(attested())).toEqual({ status: 'proven', origin })
  })

  test('may be that of any of the relays', async () => {
    answer = async (url) => new Response(url.includes('second') ? relayKey : 'a'.repeat(64))
    const verify = verifier(['wss://first.example', 'ws://second.example/relay'])
    expect(await verify(attested())).toEqual({ status: 'proven', origin })
    expect(fetched).toEqual(['https://first.example/public-key', 'http://second.example/public-key'])
  })

  test.each([
    ['is away', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['answers with an error', async () => new Response(relayKey, { status: 503 })],
    ['answers with something else', async () => new Response('<!doctype html>')],
  ])('is unknown while the relay %s, and so is the origin', async (_, failing) => {
    answer = failing
    expect(await verifier()(attested())).toEqual({ status: 'unknown' })
    expect(clock.waiting()).toBe(0)
  })

  test('is waited for three seconds and no longer', async () => {
    answer = () => new Promise(() => {})
    const verdict = verifier()(attested())
    clock.advance(3_000)
    expect(await verdict).toEqual({ status: 'unknown' })
  })
})

describe('a wallet', () => {
  let server: Awaited<ReturnType<typeof startTestServer>>
  let parties: Parties

  beforeAll(async () => {
    server = await startTestServer({ projects: [{ id: testProjectId, allowedOrigins: [] }] })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    parties = makeParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
  })
  afterEach(() => parties.close())

  /** Connects as a browser does for a page of an origin. */
  const pageAt = (page: string) => ({
    projectId: testProjectId,
    createSocket: (url: string) => new WebSocket(url, { origin: page }),
  })
  const phone = (options = {}) => parties.phone({ projectId: testProjectId, ...options })

  test('knows where proposals and requests come from', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt(origin)), phone()]
    const { signal } = new AbortController()
    const connecting = dapp.connect({ networks: partyNetworks, signal, onUri: (uri) => void wallet.pair(uri) })
    const proposal = await wallet.nextProposal()
    expect(await wallet.verify(proposal)).toEqual({ status: 'proven', origin })
    await wallet.approve(proposal, { accounts: partyAccounts })
    const { topic } = await connecting
    const asking = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await wallet.nextRequest()
    expect(await wallet.verify(request)).toEqual({ status: 'proven', origin })
    await wallet.respond(request, { result: null })
    await asking
    expect(await wallet.verify(request)).toEqual({ status: 'unknown' })
  })

  test('sees that a page is not where it says it is', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt('https://evil.example')), phone()]
    const { topic } = await connectParties(dapp, wallet)
    void dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    const verdict = await wallet.verify(await wallet.nextRequest())
    expect(verdict).toEqual({ status: 'mismatch', origin: 'https://evil.example' })
  })

  test('knows nothing of a dapp that is no page', async () => {
    const [dapp, wallet] = [parties.dapp({ projectId: testProjectId }), phone()]
    const { topic } = await connectParties(dapp, wallet)
    void dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    expect(await wallet.verify(await wallet.nextRequest())).toEqual({ status: 'unknown' })
  })

  test('shows and answers what it cannot verify as fast as anything else', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt(origin)), phone({ fetch: () => new Promise(() => {}) })]
    const session = await connectParties(dapp, wallet)
    const asking = dapp.request({ ...session, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await wallet.nextRequest()
    void wallet.verify(request)
    await wallet.respond(request, { result: 'signed' })
    expect(await asking).toBe('signed')
  })
})
