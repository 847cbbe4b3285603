import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectRelayClient, startTestServer, testProjectId, type RelayClient } from '../../testing/index.ts'
import { parseWebOrigin } from './attestOrigin.ts'
import { parseSignedToken } from './clientToken.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const origin = 'https://app.example'
const now = Date.now()
const curious = { verify: 'origin' }
/** Tags of a proposal, a request and a sign-in. */
const requestTags = [1100, 1108, 1116] as const

let server: Server
let topic: string
let lastTopic = 0
const clients: RelayClient[] = []

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now }, projects: [{ id: testProjectId, allowedOrigins: [] }] })
})
afterAll(() => server.close())
beforeEach(() => {
  lastTopic += 1
  topic = lastTopic.toString(16).padStart(64, '0')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

async function connect(from: { origin?: string; query?: Readonly<Record<string, string>> } = {}): Promise<RelayClient> {
  const headers: Record<string, string> = from.origin === undefined ? {} : { origin: from.origin }
  const client = await connectRelayClient(server.relayUrl, { headers, query: from.query ?? {} })
  clients.push(client)
  return client
}

/** The attestation that a subscriber receives with a message. */
async function attestationOf(
  publisher: RelayClient,
  subscriber: RelayClient,
  newMessage: object = {},
): Promise<string> {
  await subscriber.request('irn_subscribe', { topic })
  const reply = await publisher.request('irn_publish', { topic, message: 'sealed', ttl: 300, tag: 1108, ...newMessage })
  expect(reply).toMatchObject({ result: true })
  await subscriber.until(() => subscriber.pushes.length > 0)
  return subscriber.pushes[0]?.params.data.attestation ?? expect.fail('there is a push')
}

describe('attestation', () => {
  test.each(requestTags)(
    'a client that requests attestations receives the signed origin of a message with tag %i',
    async (tag) => {
      const attestation = await attestationOf(await connect({ origin }), await connect({ query: curious }), { tag })
      const signed = await parseSignedToken(attestation)
      if (typeof signed === 'string') expect.fail(signed)
      const id = createHash('sha256').update('sealed').digest('hex')
      const iat = Math.floor(now / 1000)
      expect(signed.claims).toEqual({ iss: signed.issuer, id, origin, iat, exp: iat + 3600 })
    },
  )

  test.each([1101, 1109, 1112, 4000])('the attestation of a message with tag %i is empty', async (tag) => {
    expect(await attestationOf(await connect({ origin }), await connect({ query: curious }), { tag })).toBe('')
  })

  test('the attestation is empty for a client that did not request attestations', async () => {
    const dapp = await connect({ origin })
    expect(await attestationOf(dapp, await connect())).toBe('')
    expect(await attestationOf(dapp, await connect({ query: { verify: 'else' } }))).toBe('')
  })

  test('an attestation sent by the publisher is delivered unchanged', async () => {
    const [dapp, wallet] = [await connect({ origin }), await connect({ query: curious })]
    expect(await attestationOf(dapp, wallet, { attestation: 'its own' })).toBe('its own')
  })

  test.each([undefined, 'null', 'chrome-extension://abc', 'https://app.example/path'])(
    'the attestation is empty when the Origin header is %s',
    async (header) => {
      expect(await attestationOf(await connect({ origin: header }), await connect({ query: curious }))).toBe('')
    },
  )

  test('the attestation is stored with the message for later subscribers and fetches', async () => {
    const dapp = await connect({ origin })
    await dapp.request('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'proposal' })
    const subscriber = await connect({ query: curious })
    await subscriber.request('irn_subscribe', { topic })
    await subscriber.until(() => subscriber.pushes.length === 1)
    expect(await parseSignedToken(subscriber.pushes[0]?.params.data.attestation ?? '')).toMatchObject({
      claims: { origin },
    })
    const fetcher = await connect({ query: curious })
    const { result } = await fetcher.request('irn_fetchMessages', { topic })
    // The line below fails unless that is so.
    const [message] = (result as { messages: Array<{ attestation: string }> }).messages
    expect(await parseSignedToken(message?.attestation ?? '')).toMatchObject({ claims: { origin } })
  })

  test('the attestation is signed by the key that /public-key returns to any origin', async () => {
    const attestation = await attestationOf(await connect({ origin }), await connect({ query: curious }))
    const response = await fetch(`${server.url}/public-key`, { headers: { origin: 'https://wallet.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const key = Buffer.from(await response.text(), 'hex')
    const issuer = `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...key))}`
    expect(await parseSignedToken(attestation)).toMatchObject({ issuer })
  })
})

test.each([
  ['https://app.example', 'https://app.example'],
  ['http://localhost:4600', 'http://localhost:4600'],
  ['https://APP.example', ''],
  ['https://app.example:443', ''],
  ['https://app.example, https://other.example', ''],
  ['https://user@app.example', ''],
  ['capacitor://localhost', ''],
  [`https://${'a'.repeat(300)}.example`, ''],
  ['', ''],
])('parseWebOrigin of the header "%s" returns "%s"', (header, origin) => {
  expect(parseWebOrigin(header)).toBe(origin)
})
