import { fakeAccount } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Session } from './session.ts'
import { connectParties, partyAccounts, partyNetworks, type Phone } from './testing/parties.ts'
import { partiesOverRelay } from './testing/partiesOverRelay.ts'
import type { Dapp, SessionListener } from './dapp.ts'

const parties = partiesOverRelay()

type Frame = { method: string; params: { tag?: number; ttl?: number; prompt?: boolean } }

/** Sockets that write down what is asked of the relay, and may change it. */
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

type Talk = { dapp: Dapp; phone: Phone; session: Session; heard: Heard }
type Heard = { events: unknown[]; updates: number; ended: number }

function follow(dapp: Dapp, { topic }: Session): Heard {
  const heard: Heard = { events: [], updates: 0, ended: 0 }
  const listener: SessionListener = {
    updated: () => void (heard.updates += 1),
    event: ({ data }) => void heard.events.push(data),
    ended: () => void (heard.ended += 1),
  }
  dapp.listen(topic, listener)
  return heard
}

const emit = (phone: Phone, topic: string, data: unknown): Promise<void> =>
  phone.emitEvent(topic, { name: 'accountsChanged', data }, 'eip155:1')

describe('tags and lifetimes on the wire are those of the protocol', () => {
  const talks: ReadonlyArray<readonly [string, unknown[], unknown[], (talk: Talk) => Promise<void>]> = [
    [
      'a request and its answer',
      [[1108, 900, true]],
      [[1109, 900, false]],
      async ({ dapp, phone, session: { topic } }) => {
        const asking = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
        await phone.respond(await phone.nextRequest(), { result: '0x' })
        await asking
      },
    ],
    [
      'a request with a life of its own',
      [[1108, 604_800, true]],
      [[1109, 900, false]],
      async ({ dapp, phone, session: { topic } }) => {
        const asking = dapp.request({
          topic,
          chainId: 'eip155:1',
          method: 'personal_sign',
          params: [],
          expiry: 604_800,
        })
        await phone.respond(await phone.nextRequest(), { result: '0x' })
        await asking
      },
    ],
    [
      'an update',
      [[1105, 86_400, false]],
      [[1104, 86_400, false]],
      async ({ phone, session, heard }) => {
        await phone.updateSession(session.topic, session.namespaces)
        await expect.poll(() => heard.updates).toBe(1)
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
      async ({ phone, session: { topic }, heard }) => {
        await emit(phone, topic, 'one')
        await expect.poll(() => heard.events).toEqual(['one'])
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
      async ({ phone, session: { topic }, heard }) => {
        await phone.disconnect(topic)
        await expect.poll(() => heard.ended).toBe(1)
      },
    ],
  ]

  test.each(talks)('%s', async (_, ofApp, ofWallet, talk) => {
    const [here, there] = [tapped(), tapped()]
    const dapp = parties.dapp({ createSocket: here.createSocket })
    const phone = parties.phone({ createSocket: there.createSocket })
    const session = await connectParties(dapp, phone)
    const settled: unknown[] = [[1103, 300, false]]
    await talk({ dapp, phone, session, heard: follow(dapp, session) })
    await expect.poll(here.published).toEqual([...settled, ...ofApp])
    expect(there.published()).toEqual(ofWallet)
    expect(here.frames.filter(({ method }) => method.startsWith('wc_')).map(({ method }) => method)).toEqual([
      'wc_proposeSession',
    ])
    expect(there.frames.filter(({ method }) => method.startsWith('wc_')).map(({ method }) => method)).toEqual([
      'wc_approveSession',
    ])
  })

  test('a proposal that a person declines, and one that makes no sense', async () => {
    const { published, createSocket } = tapped()
    const phone = parties.phone({ createSocket })
    const connect = (namespaces: object): Promise<unknown> => {
      const { signal } = new AbortController()
      const onUri = (uri: string): void => void phone.pair(uri)
      // What nobody writes in TypeScript, somebody sends.
      const asked = { namespaces } as Pick<Parameters<Dapp['connect']>[0], 'namespaces'>
      return parties
        .dapp()
        .connect({ ...asked, signal, onUri })
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

describe('what the two sides tell each other', () => {
  test('includes properties of the session and of scopes, and how the apps are opened', async () => {
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

  test('includes what a page proves of itself: the relay hands it on', async () => {
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
    const asking = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    const request = await phone.nextRequest()
    expect(request.attestation).toBe('proof')
    await phone.respond(request, { result: null })
    await asking
  })
})

describe('a wallet', () => {
  test('can extend a session, and never shorten it', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const { topic, expiry } = await connectParties(dapp, phone)
    await phone.extendSession(topic)
    await dapp.ping(topic)
    expect(dapp.session(topic)?.expiry).toBeGreaterThanOrEqual(expiry)
  })

  test('cannot grant what the forms of CAIP do not allow: the update is refused, and nothing changes', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const session = await connectParties(dapp, phone)
    const heard = follow(dapp, session)
    await expect(phone.updateSession(session.topic, {})).rejects.toMatchObject({ code: 'session/invalid' })
    await phone.updateSession(session.topic, {
      eip155: { chains: ['eip155:1'], accounts: [fakeAccount('eip155:1')], methods: [], events: [] },
    })
    await expect.poll(() => heard.updates).toBe(1)
    expect(dapp.session(session.topic)?.namespaces.eip155?.chains).toEqual(['eip155:1'])
  })
})
