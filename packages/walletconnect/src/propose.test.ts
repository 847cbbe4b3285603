import { memoryStorage } from '@latchkey/core'
import { fakeAccount, fakeNetwork, manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from './bytes.ts'
import { createChannel, type Channel } from './channel.ts'
import { connectSession } from './connect.ts'
import { symmetricKeyOf, topicOf } from './crypto.ts'
import { createKeyPair } from './curves.ts'
import { createExpirer } from './expirer.ts'
import { createKeyring } from './keyring.ts'
import { createLiveSessions } from './liveSessions.ts'
import { parsePairingUri } from './pairing.ts'
import { isRecord } from './parse.ts'
import type { Peer } from './peer.ts'
import { createPendingProposals } from './pending.ts'
import { withResolvers } from './promise.ts'
import type { Proposer } from './propose.ts'
import type { Delivery, Relay } from './relay.ts'
import { createRelayTime } from './relayTime.ts'
import { createObservable, type RelayStatus } from './relayStatus.ts'
import { createSessions } from './session.ts'

const clock = createRelayTime(manualClock())
const metadata = { name: 'App', description: '', url: '', icons: [] }

/** A relay between two parties in one process. */
function makeRelays(): { join(receive: (delivery: Delivery) => void): Relay } {
  const parties = new Map<Relay, { topics: Set<string>; receive: (delivery: Delivery) => void }>()
  const kept: Array<{ from: Relay; topic: string; message: string }> = []
  return {
    join(receive) {
      const topics = new Set<string>()
      const listenOn = async (topic: string): Promise<void> => {
        topics.add(topic)
        const waiting = kept.filter((each) => each.topic === topic && each.from !== relay)
        for (const { message } of waiting) queueMicrotask(() => receive({ topic, message }))
      }
      const publish = async (topic: string, message: string): Promise<void> => {
        kept.push({ from: relay, topic, message })
        for (const [party, { topics: theirs, receive: deliver }] of parties) {
          if (party !== relay && theirs.has(topic)) queueMicrotask(() => deliver({ topic, message }))
        }
      }
      const relay: Relay = {
        status: createObservable<RelayStatus>({ state: 'open' }),
        ready: async () => {},
        subscribe: listenOn,
        unsubscribe: (topic) => void topics.delete(topic),
        publish,
        async proposeSession(topic, message) {
          await listenOn(topic)
          await publish(topic, message)
        },
        approveSession: () => expect.fail('wallets of this test settle by hand'),
        close() {},
      }
      parties.set(relay, { topics, receive })
      return relay
    },
  }
}

/** A dapp, and a wallet that can lie. */
function makeParties() {
  const relays = makeRelays()
  const settlements: Proposer['settlements'] = new Map()
  const storage = memoryStorage()
  const keyring = createKeyring(storage, '')
  const relay = relays.join((delivery) => channel.receive(delivery))
  const channel: Channel = createChannel({
    relay,
    keyring,
    clock,
    onRequest: (request) => settlements.get(request.topic)?.(request),
  })
  const expirer = createExpirer(clock)
  const sessions = createSessions(storage, '')
  const peer: Peer = { relay, channel, keyring, sessions, expirer, clock, metadata, storage, prefix: '' }
  const pending = createPendingProposals(storage, '', clock)
  const dapp: Proposer = { ...peer, settlements, pending, live: createLiveSessions(peer, () => {}) }

  const walletKeyring = createKeyring(memoryStorage(), '')
  const walletRelay = relays.join((delivery) => walletChannel.receive(delivery))
  const { promise: proposal, resolve: proposed } = withResolvers<{ id: number; topic: string; publicKey: string }>()
  const walletChannel: Channel = createChannel({
    relay: walletRelay,
    keyring: walletKeyring,
    clock,
    onRequest({ id, topic, params: { proposer } }) {
      if (isRecord(proposer)) proposed({ id, topic, publicKey: String(proposer.publicKey) })
    },
  })

  return {
    sessions,
    connect: () =>
      connectSession(dapp, {
        networks: [fakeNetwork()],
        signal: new AbortController().signal,
        onUri(uri) {
          const { topic, symmetricKey } = parsePairingUri(uri, clock.now())
          walletKeyring.hold(topic, symmetricKey)
          void walletRelay.subscribe(topic)
        },
      }),
    /** Approves, and settles with whatever the test wants to lie about. */
    async settle(lie: object, responderKey?: string) {
      const { id, topic, publicKey } = await proposal
      const keys = await createKeyPair()
      const own = bytesToHex(keys.publicKey)
      const responderPublicKey = responderKey ?? own
      const request = { id, topic, method: 'wc_sessionPropose' } as const
      await walletChannel.respond(request, { relay: { protocol: 'irn' }, responderPublicKey })
      if (responderKey !== undefined) return undefined
      const key = symmetricKeyOf(await keys.agree(hexToBytes(publicKey)))
      walletKeyring.hold(topicOf(key), key)
      await walletRelay.subscribe(topicOf(key))
      const namespaces = { eip155: { accounts: [fakeAccount('eip155:1')], methods: [], events: [] } }
      const controller = { publicKey: own, metadata }
      const honest = { relay: { protocol: 'irn' }, namespaces, controller, expiry: clock.now() / 1000 + 1000 }
      return walletChannel.request(topicOf(key), 'wc_sessionSettle', { ...honest, ...lie }).answer
    },
  }
}

describe('a settlement', () => {
  test('is answered, and stored as a session', async () => {
    const { connect, settle, sessions } = makeParties()
    const connecting = connect()
    expect(await settle({})).toBe(true)
    expect(sessions.all()).toEqual([await connecting])
  })

  test.each([
    ['by another key than the one that approved', { controller: { publicKey: 'ab'.repeat(32), metadata } }],
    ['without accounts', { namespaces: { eip155: { accounts: [], methods: [], events: [] } } }],
    ['with accounts that are none', { namespaces: { eip155: { accounts: ['0xab'], methods: [], events: [] } } }],
    ['without namespaces', { namespaces: null }],
    ['without an end', { expiry: 'never' }],
  ])('%s is refused, and nothing is left of it', async (_, lie) => {
    const { connect, settle, sessions } = makeParties()
    const connecting = connect().catch((error: unknown) => error)
    const answer = settle(lie).catch((error: unknown) => error)
    expect(await connecting).toMatchObject({ code: 'session/invalid' })
    expect(await answer).toMatchObject({ context: { code: 1005 } })
    expect(sessions.all()).toEqual([])
  })

  test.each([
    ['of low order', '00'.repeat(32)],
    ['too short', 'ab'],
  ])('cannot follow from an approval with a key %s [G-10]', async (_, responderKey) => {
    const { connect, settle } = makeParties()
    const connecting = connect().catch((error: unknown) => error)
    await settle({}, responderKey)
    expect(await connecting).toMatchObject({ code: 'session/invalid' })
  })
})
