import { memoryStorage } from '@latchkey/core'
import { fakeAccount } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Session } from '../session/session.ts'
import { connectParties, partyAccounts, partyNetworks, type Phone } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'
import type { Dapp, SessionListener } from '../dapp/dapp.ts'

const parties = startPartiesOverRelay()

type Frame = { method: string; params: { tag?: number; ttl?: number; prompt?: boolean } }

/** Sockets that record the requests to the relay and can change them. */
function recordFrames(change: (frame: string) => string = (frame) => frame) {
  const frames: Frame[] = []
  const createSocket = (url: string): WebSocket => {
    const socket = new WebSocket(url)
    const send = socket.send.bind(socket)
    socket.send = (data: string): void => {
      const frame = JSON.parse(data) as Partial<Frame>
      if (frame.method !== undefined && frame.params !== undefined)
        frames.push({ method: frame.method, params: frame.params })
      send(change(data))
    }
    return socket
  }
  const published = (): unknown[] =>
    frames
      .filter(({ method }) => method === 'irn_publish')
      .map(({ params: { tag, ttl, prompt } }) => [tag, ttl, prompt])
  return { frames, published, createSocket }
}

type Conversation = { dapp: Dapp; phone: Phone; session: Session; received: ReceivedEvents }
type ReceivedEvents = { events: unknown[]; updates: number; ended: number }

function follow(dapp: Dapp, { topic }: Session): ReceivedEvents {
  const received: ReceivedEvents = { events: [], updates: 0, ended: 0 }
  const listener: SessionListener = {
    updated: () => void (received.updates += 1),
    event: ({ data }) => void received.events.push(data),
    ended: () => void (received.ended += 1),
  }
  dapp.listen(topic, listener)
  return received
}

const emit = (phone: Phone, topic: string, data: unknown): Promise<void> =>
  phone.emitEvent(topic, { name: 'accountsChanged', data }, 'eip155:1')

describe('messages have the tags and TTLs of the protocol', () => {
  const conversations: ReadonlyArray<
    readonly [string, unknown[], unknown[], (conversation: Conversation) => Promise<void>]
  > = [
    [
      'a request and its response',
      [[1108, 900, true]],
      [[1109, 900, false]],
      async ({ dapp, phone, session: { topic } }) => {
        const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
        await phone.respond(await phone.nextRequest(), { result: '0x' })
        await pendingResponse
      },
    ],
    [
      'a request with its own expiry',
      [[1108, 604_800, true]],
      [[1109, 900, false]],
      async ({ dapp, phone, session: { topic } }) => {
        const pendingResponse = dapp.request({
          topic,
          chainId: 'eip155:1',
          method: 'personal_sign',
          params: [],
          expiry: 604_800,
        })
        await phone.respond(await phone.nextRequest(), { result: '0x' })
        await pendingResponse
      },
    ],
    [
      'an update',
      [[1105, 86_400, false]],
      [[1104, 86_400, false]],
      async ({ phone, session, received }) => {
        await phone.updateSession(session.topic, session.namespaces)
        await expect.poll(() => received.updates).toBe(1)
      },
    ],
    [
      'an extension',
      [[1107, 86_400, false]],
      [[1106, 86_400, false]],
      async ({ phone, session: { topic } }) => phone.extendSession(topic),
    ],
    [
      'an event',
      [],
      [[1110, 300, true]],
      async ({ phone, session: { topic }, received }) => {
        await emit(phone, topic, 'one')
        await expect.poll(() => received.events).toEqual(['one'])
      },
    ],
    [
      'a ping of the wallet',
      [[1115, 30, false]],
      [[1114, 30, false]],
      async ({ phone, session: { topic } }) => phone.ping(topic),
    ],
    [
      'a ping of the app',
      [[1114, 30, false]],
      [[1115, 30, false]],
      async ({ dapp, session: { topic } }) => dapp.ping(topic),
    ],
    [
      'a deletion',
      [],
      [[1112, 86_400, false]],
      async ({ phone, session: { topic }, received }) => {
        await phone.disconnect(topic)
        await expect.poll(() => received.ended).toBe(1)
      },
    ],
  ]

  test.each(conversations)('%s', async (_, ofApp, ofWallet, conversation) => {
    const [here, there] = [recordFrames(), recordFrames()]
    const dapp = parties.dapp({ createSocket: here.createSocket })
    const phone = parties.phone({ createSocket: there.createSocket })
    const session = await connectParties(dapp, phone)
    const settled: unknown[] = [[1103, 300, false]]
    await conversation({ dapp, phone, session, received: follow(dapp, session) })
    await expect.poll(here.published).toEqual([...settled, ...ofApp])
    expect(there.published()).toEqual(ofWallet)
    expect(here.frames.filter(({ method }) => method.startsWith('wc_')).map(({ method }) => method)).toEqual([
      'wc_proposeSession',
    ])
    expect(there.frames.filter(({ method }) => method.startsWith('wc_')).map(({ method }) => method)).toEqual([
      'wc_approveSession',
    ])
  })

  test('a proposal that the user declines, and a malformed one', async () => {
    const { published, createSocket } = recordFrames()
    const phone = parties.phone({ createSocket })
    const connect = (namespaces: object): Promise<unknown> => {
      const { signal } = new AbortController()
      const onUri = (uri: string): void => void phone.pair(uri)
      // TypeScript prevents this, but other clients can send it.
      const options = { namespaces } as Pick<Parameters<Dapp['connect']>[0], 'namespaces'>
      return parties
        .dapp()
        .connect({ ...options, signal, onUri })
        .catch((error: unknown) => error)
    }
    const declined = connect({ eip155: { chains: ['eip155:1'], methods: [], events: [] } })
    await phone.reject(await phone.nextProposal())
    expect(await declined).toMatchObject({ code: 'connection/rejected' })
    const malformed = [
      [{ eip155: { chains: ['solana:1'], methods: [], events: [] } }, 5100],
      [{ eip155: { chains: [], methods: [], events: [] } }, 5100],
      [{ eip155: { chains: ['eip155:1'], methods: 'personal_sign', events: [] } }, 5101],
      [{ eip155: { chains: ['eip155:1'], methods: [] } }, 5102],
      [{ '**': { chains: ['**:1'], methods: [], events: [] } }, 5104],
    ] as const
    for (const [namespaces, code] of malformed) {
      expect(await connect(namespaces)).toMatchObject({ code: 'request/failed', context: { code } })
    }
    expect(published()).toEqual([[1120, 300, false], ...malformed.map(() => [1121, 300, false])])
  })

  test('a sign-in that the user declines, and a malformed one', async () => {
    const { published, createSocket } = recordFrames()
    const phone = parties.phone({ createSocket })
    const rejected = new Promise<void>((resolve) => {
      phone.listen({ authenticate: (request) => resolve(phone.rejectAuthenticate(request)) })
    })
    const app = parties.rawApp()
    const topic = await app.pair(phone)
    const publicKey = '09'.padEnd(64, '0')
    const authPayload = { type: 'caip122', chains: ['eip155:1'], domain: 'app.example', aud: 'https://app.example' }
    const requester = { publicKey, metadata: {} }
    const payload = { ...authPayload, version: '1', nonce: '12345678', iat: new Date().toISOString() }
    app.channel.request(topic, 'wc_sessionAuthenticate', { requester, authPayload: payload })
    await rejected
    const malformed = app.channel.request(await app.pair(phone), 'wc_sessionAuthenticate', { requester })
    await expect(malformed.response).rejects.toMatchObject({ context: { code: 11_002 } })
    expect(published()).toEqual([
      [1118, 300, false],
      [1119, 300, false],
    ])
  })

  test('the requests for a pairing', async () => {
    const { published, createSocket } = recordFrames()
    const phone = parties.phone({ createSocket })
    const app = parties.rawApp()
    const topic = await app.pair(phone)
    const expiry = Math.floor(Date.now() / 1000) + 200
    expect(await app.channel.request(topic, 'wc_pairingPing', {}).response).toBe(true)
    expect(await app.channel.request(topic, 'wc_pairingExtend', { expiry }).response).toBe(true)
    expect(await app.channel.request(topic, 'wc_pairingDelete', { code: 6000, message: '' }).response).toBe(true)
    expect(published()).toEqual([
      [1003, 30, false],
      [1005, 300, false],
      [1001, 86_400, false],
    ])
  })
})

describe('the messages between the two sides', () => {
  test('include session properties, scoped properties and the apps’ links', async () => {
    const metadata = {
      name: 'App',
      description: '',
      url: '',
      icons: [],
      redirect: { universal: 'https://app.example' },
    }
    const dapp = parties.dapp({ metadata })
    const phone = parties.phone()
    const { signal } = new AbortController()
    const connecting = dapp.connect({
      networks: partyNetworks,
      sessionProperties: { theme: 'dark' },
      scopedProperties: { eip155: { sponsored: true }, 'eip155:1': {}, solana: {} },
      signal,
      onUri: (uri) => void phone.pair(uri),
    })
    const proposal = await phone.nextProposal()
    expect(proposal).toMatchObject({
      proposer: { redirect: { universal: 'https://app.example' } },
      sessionProperties: { theme: 'dark' },
      attestation: '',
    })
    expect(proposal.scopedProperties).toEqual({ eip155: { sponsored: true }, 'eip155:1': {} })
    await phone.approve(proposal, {
      accounts: partyAccounts,
      sessionProperties: { capabilities: '{}' },
      scopedProperties: { eip155: { atomic: 'supported' }, solana: {} },
      sessionConfig: { disableDeepLink: true },
    })
    const session = await connecting
    expect(session.sessionProperties).toEqual({ capabilities: '{}' })
    expect(session.scopedProperties).toEqual({ eip155: { atomic: 'supported' } })
    expect(session.sessionConfig).toEqual({ disableDeepLink: true })
    expect(dapp.session(session.topic)).toEqual(session)
  })

  test('include the attestation of the page’s origin', async () => {
    const { createSocket } = recordFrames((frame) =>
      frame.replace(/"params":\{/, (head) =>
        frame.includes('irn_subscribe') ? head : `${head}"attestation":"proof",`,
      ),
    )
    const dapp = parties.dapp({ createSocket })
    const phone = parties.phone()
    const { signal } = new AbortController()
    const connecting = dapp.connect({ networks: partyNetworks, signal, onUri: (uri) => void phone.pair(uri) })
    const proposal = await phone.nextProposal()
    expect(proposal.attestation).toBe('proof')
    await phone.approve(proposal, { accounts: partyAccounts })
    const { topic } = await connecting
    const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await phone.nextRequest()
    expect(request.attestation).toBe('proof')
    await phone.respond(request, { result: null })
    await pendingResponse
  })
})

describe('a wallet', () => {
  test('can extend a session but not shorten it', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const { topic, expiry } = await connectParties(dapp, phone)
    await phone.extendSession(topic)
    await dapp.ping(topic)
    expect(dapp.session(topic)?.expiry).toBeGreaterThanOrEqual(expiry)
  })

  test('cannot update a session with invalid CAIP ids', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const session = await connectParties(dapp, phone)
    const received = follow(dapp, session)
    await expect(phone.updateSession(session.topic, {})).rejects.toMatchObject({ code: 'session/invalid' })
    await phone.updateSession(session.topic, {
      eip155: { chains: ['eip155:1'], accounts: [fakeAccount('eip155:1')], methods: [], events: [] },
    })
    await expect.poll(() => received.updates).toBe(1)
    expect(dapp.session(session.topic)?.namespaces.eip155?.chains).toEqual(['eip155:1'])
  })
  test('cannot remove what the dapp requires, neither in the settlement nor in an update', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const required = { chains: ['eip155:1'], methods: ['personal_sign'], events: ['accountsChanged'] } as const
    const { signal } = new AbortController()
    const onUri = (uri: string): void => void phone.pair(uri)
    const connecting = dapp.connect({
      networks: partyNetworks,
      requiredNamespaces: { eip155: required },
      signal,
      onUri,
    })
    const proposal = await phone.nextProposal()
    expect(proposal.requiredNamespaces).toEqual({ eip155: required })
    const approval = { accounts: partyAccounts, methods: ['eth_sendTransaction'] }
    await expect(phone.approve(proposal, approval)).rejects.toMatchObject({ context: { member: 'methods' } })
    const there = await phone.approve(proposal, { accounts: partyAccounts })
    const here = await connecting
    for (const session of [here, there]) expect(session.requiredNamespaces).toEqual({ eip155: required })
    expect(dapp.session(here.topic)).toEqual(here)
    const eip155 = { ...required, accounts: partyAccounts, methods: [] }
    await expect(phone.updateSession(here.topic, { eip155 })).rejects.toMatchObject({ code: 'session/invalid' })
    expect(phone.sessions()[0]?.namespaces).toEqual(there.namespaces)
  })

  test('sends only events of the session, on its chains', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const { topic } = await connectParties(dapp, phone)
    const event = { name: 'accountsChanged', data: [] }
    const unknown = phone.emitEvent(topic, { name: 'message', data: [] }, 'eip155:1')
    await expect(unknown).rejects.toMatchObject({ code: 'event/not-approved', context: { event: 'message' } })
    const elsewhere = phone.emitEvent(topic, event, 'eip155:137')
    await expect(elsewhere).rejects.toMatchObject({ code: 'network/unsupported' })
    await phone.emitEvent(topic, event, 'eip155:1')
  })

  test('refuses the events of a dapp with 3002, because only the controller of a session sends events', async () => {
    const [storage, phone] = [memoryStorage(), parties.phone()]
    const dapp = parties.dapp({ storage })
    const { topic } = await connectParties(dapp, phone)
    dapp.close()
    const app = parties.rawApp(storage)
    await app.relay.subscribe(topic)
    const event = { event: { name: 'accountsChanged', data: [] }, chainId: 'eip155:1' }
    const { response } = app.channel.request(topic, 'wc_sessionEvent', event)
    await expect(response).rejects.toMatchObject({ context: { code: 3002 } })
  })
})

describe('a dapp', () => {
  test('sends only requests that the wallet approved', async () => {
    const { frames, createSocket } = recordFrames()
    const [dapp, phone] = [parties.dapp({ createSocket }), parties.phone()]
    const { topic } = await connectParties(dapp, phone, { methods: ['personal_sign'] })
    const request = { topic, chainId: 'eip155:1', method: 'personal_sign', params: [] } as const
    const sentBefore = frames.length
    await expect(dapp.request({ ...request, chainId: 'eip155:137' })).rejects.toMatchObject({
      code: 'network/unsupported',
    })
    await expect(dapp.request({ ...request, method: 'eth_sendTransaction' })).rejects.toMatchObject({
      code: 'request/failed',
      context: { code: 4200 },
    })
    expect(frames.slice(sentBefore).filter(({ params }) => params.tag === 1108)).toEqual([])
    expect(dapp.openRequests()).toEqual([])
  })
})
