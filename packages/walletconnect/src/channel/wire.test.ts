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
function tapped(change: (frame: string) => string = (frame) => frame) {
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
    const [here, there] = [tapped(), tapped()]
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
    const { published, createSocket } = tapped()
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
    expect(await connect({ eip155: { chains: ['solana:1'], methods: [], events: [] } })).toMatchObject({
      code: 'request/failed',
      context: { code: 5104 },
    })
    expect(published()).toEqual([
      [1120, 300, false],
      [1121, 300, false],
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
    const { createSocket } = tapped((frame) =>
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
})
