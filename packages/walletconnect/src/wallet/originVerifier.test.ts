import { memoryStorage } from '@latchkey/core'
import { manualClock, type ManualClock } from '@latchkey/core/testing'
import { startTestServer, testProjectId } from '@latchkey/server/testing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { bytesToHex, toBase64Url, encodeUtf8 } from '../crypto/bytes.ts'
import { formatDidKey } from '../crypto/didKey.ts'
import { connectParties, createParties, partyAccounts, partyNetworks, type Parties } from '../testing/parties.ts'
import { createOriginVerifier, verifyAttestation, type AttestedMessage } from './originVerifier.ts'

const origin = 'https://app.example'
const digest = 'd'.repeat(64)
const secret = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(secret)
const relayKey = bytesToHex(publicKey)
const now = 1_800_000_000_000

function createAttestation(claims: object = {}, header: object = { alg: 'EdDSA', typ: 'JWT' }): string {
  const standard = { iss: formatDidKey(publicKey), id: digest, origin, iat: now / 1000, exp: now / 1000 + 3600 }
  const part = (value: object): string => toBase64Url(encodeUtf8(JSON.stringify(value)))
  const text = `${part(header)}.${part({ ...standard, ...claims })}`
  return `${text}.${toBase64Url(ed25519.sign(encodeUtf8(text), secret))}`
}

const createAttestedMessage = (change: Partial<AttestedMessage> = {}): AttestedMessage => ({
  attestation: createAttestation(),
  digest,
  url: `${origin}/swap?from=here`,
  ...change,
})

describe('an attestation', () => {
  test('of the dapp’s own origin proves it', async () => {
    expect(await verifyAttestation(createAttestedMessage(), relayKey, now)).toEqual({ status: 'proven', origin })
  })

  test.each(['https://other.example', 'http://app.example', 'https://www.app.example', '', 'app.example'])(
    'is a mismatch for a dapp with the URL %j',
    async (url) => {
      expect(await verifyAttestation(createAttestedMessage({ url }), relayKey, now)).toEqual({
        status: 'mismatch',
        origin,
      })
    },
  )

  test.each([
    ['signed with another key', createAttestedMessage(), 'a'.repeat(64)],
    ['made for another message', createAttestedMessage({ digest: 'e'.repeat(64) }), relayKey],
    ['expired', createAttestedMessage({ attestation: createAttestation({ exp: now / 1000 }) }), relayKey],
    ['that never expires', createAttestedMessage({ attestation: createAttestation({ exp: undefined }) }), relayKey],
    ['of another algorithm', createAttestedMessage({ attestation: createAttestation({}, { alg: 'ES256' }) }), relayKey],
    [
      'without a web origin',
      createAttestedMessage({ attestation: createAttestation({ origin: 'app.example' }) }),
      relayKey,
    ],
    ['with a fourth part', createAttestedMessage({ attestation: `${createAttestation()}.x` }), relayKey],
    ['that is not a token', createAttestedMessage({ attestation: 'proof' }), relayKey],
    ['that is empty', createAttestedMessage({ attestation: '' }), relayKey],
  ])('%s is unknown', async (_, value, key) => {
    expect(await verifyAttestation(value, key, now)).toEqual({ status: 'unknown' })
  })

  test('is unknown after a changed letter', async () => {
    const [head = '', , signature = ''] = createAttestation().split('.')
    const [, body = ''] = createAttestation({ origin: 'https://other.example' }).split('.')
    expect(
      await verifyAttestation(createAttestedMessage({ attestation: `${head}.${body}.${signature}` }), relayKey, now),
    ).toEqual({
      status: 'unknown',
    })
  })
})

describe('the relay’s key', () => {
  let clock: ManualClock
  let fetched: string[]
  let response: (url: string) => Promise<Response>
  let storage: ReturnType<typeof memoryStorage>

  beforeEach(() => {
    clock = manualClock(now)
    fetched = []
    storage = memoryStorage()
    response = async () => new Response(relayKey)
  })

  function verifier(relayUrl: string | [string, ...string[]] = 'wss://relay.example/relay?secret=1') {
    const fetch = (input: string | URL | Request): Promise<Response> => {
      fetched.push(String(input))
      return response(String(input))
    }
    return createOriginVerifier({ relayUrl, clock, storage, prefix: 'test/', fetch })
  }

  test('is fetched once and stored', async () => {
    expect(await verifier()(createAttestedMessage())).toEqual({ status: 'proven', origin })
    expect(await verifier()(createAttestedMessage())).toEqual({ status: 'proven', origin })
    expect(fetched).toEqual(['https://relay.example/public-key'])
    expect(clock.waiting()).toBe(0)
  })

  test('is not fetched without an attestation or for another issuer', async () => {
    for (const attestation of ['', 'proof', createAttestation({}, { alg: 'ES256', typ: 'JWT' })]) {
      expect(await verifier()(createAttestedMessage({ attestation }))).toEqual({ status: 'unknown' })
    }
    expect(fetched).toEqual([])
  })

  test('is fetched again when the relay has a new one', async () => {
    response = async () => new Response('a'.repeat(64))
    expect(await verifier()(createAttestedMessage())).toEqual({ status: 'unknown' })
    response = async () => new Response(relayKey)
    expect(await verifier()(createAttestedMessage())).toEqual({ status: 'proven', origin })
  })

  test('may belong to any of the relays', async () => {
    response = async (url) => new Response(url.includes('second') ? relayKey : 'a'.repeat(64))
    const verify = verifier(['wss://first.example', 'ws://second.example/relay'])
    expect(await verify(createAttestedMessage())).toEqual({ status: 'proven', origin })
    expect(fetched).toEqual(['https://first.example/public-key', 'http://second.example/public-key'])
  })

  test.each([
    ['is unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['responds with an error', async () => new Response(relayKey, { status: 503 })],
    ['responds with something else', async () => new Response('<!doctype html>')],
  ])('is unknown, like the origin, if the relay %s', async (_, failing) => {
    response = failing
    expect(await verifier()(createAttestedMessage())).toEqual({ status: 'unknown' })
    expect(clock.waiting()).toBe(0)
  })

  test('times out after three seconds', async () => {
    response = () => new Promise(() => {})
    const verdict = verifier()(createAttestedMessage())
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
    parties = createParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
  })
  afterEach(() => parties.close())

  /** Connects as a browser would for a page of an origin. */
  const pageAt = (page: string) => ({
    projectId: testProjectId,
    createSocket: (url: string) => new WebSocket(url, { origin: page }),
  })
  const phone = (options = {}) => parties.phone({ projectId: testProjectId, ...options })

  test('knows the origin of proposals and requests', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt(origin)), phone()]
    const { signal } = new AbortController()
    const connecting = dapp.connect({ networks: partyNetworks, signal, onUri: (uri) => void wallet.pair(uri) })
    const proposal = await wallet.nextProposal()
    expect(await wallet.verify(proposal)).toEqual({ status: 'proven', origin })
    await wallet.approve(proposal, { accounts: partyAccounts })
    const { topic } = await connecting
    const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await wallet.nextRequest()
    expect(await wallet.verify(request)).toEqual({ status: 'proven', origin })
    await wallet.respond(request, { result: null })
    await pendingResponse
    expect(await wallet.verify(request)).toEqual({ status: 'unknown' })
  })

  test('detects a page with a wrong URL', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt('https://evil.example')), phone()]
    const { topic } = await connectParties(dapp, wallet)
    void dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    const verdict = await wallet.verify(await wallet.nextRequest())
    expect(verdict).toEqual({ status: 'mismatch', origin: 'https://evil.example' })
  })

  test('does not know the origin of a dapp outside a browser', async () => {
    const [dapp, wallet] = [parties.dapp({ projectId: testProjectId }), phone()]
    const { topic } = await connectParties(dapp, wallet)
    void dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
    expect(await wallet.verify(await wallet.nextRequest())).toEqual({ status: 'unknown' })
  })

  test('shows requests without waiting for their verification', async () => {
    const [dapp, wallet] = [parties.dapp(pageAt(origin)), phone({ fetch: () => new Promise(() => {}) })]
    const session = await connectParties(dapp, wallet)
    const pendingResponse = dapp.request({ ...session, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await wallet.nextRequest()
    void wallet.verify(request)
    await wallet.respond(request, { result: 'signed' })
    expect(await pendingResponse).toBe('signed')
  })
})
