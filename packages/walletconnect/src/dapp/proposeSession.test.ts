import { memoryStorage } from '@latchkey/core'
import { fakeAccount, fakeNetwork, manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '../crypto/bytes.ts'
import { createChannel } from '../channel/createChannel.ts'
import type { Channel } from '../channel/channel.ts'
import { connectSession } from './connectSession.ts'
import { deriveSymmetricKey, topicOfKey } from '../crypto/envelope.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import { createExpiryTimers } from '../primitives/expiryTimers.ts'
import { createKeyring } from '../crypto/keyring.ts'
import { createActiveSessions } from '../session/activeSessions.ts'
import { parsePairingUri } from '../session/pairing.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import type { SignClient } from '../channel/signClient.ts'
import { createPendingProposals } from './pendingProposals.ts'
import { withResolvers } from '../primitives/withResolvers.ts'
import type { DappClient } from './dappClient.ts'
import type { RelayMessage, Relay } from '../relay/relay.ts'
import { createRelayTime } from '../relay/relayTime.ts'
import { createObservable } from '../primitives/observable.ts'
import type { RelayStatus } from '../relay/relayStatus.ts'
import type { ProposedNamespaces } from '../session/sessionNamespaces.ts'
import { createSessionStore } from '../session/sessionStore.ts'

const clock = createRelayTime(manualClock())
const metadata = { name: 'App', description: '', url: '', icons: [] }

/** A relay between two parties in one process. */
function createRelays(): { join(receive: (delivery: RelayMessage) => void): Relay } {
  const parties = new Map<Relay, { topics: Set<string>; receive: (delivery: RelayMessage) => void }>()
  const stored: Array<{ from: Relay; topic: string; message: string }> = []
  return {
    join(receive) {
      const topics = new Set<string>()
      const listenOn = async (topic: string): Promise<void> => {
        topics.add(topic)
        const waiting = stored.filter((each) => each.topic === topic && each.from !== relay)
        for (const { message } of waiting) queueMicrotask(() => receive({ topic, message }))
      }
      const publish = async (topic: string, message: string): Promise<void> => {
        stored.push({ from: relay, topic, message })
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
function createTestParties() {
  const relays = createRelays()
  const dapp = createTestDapp(relays)
  const wallet = createTestWallet(relays)
  return {
    sessions: dapp.sessions,
    connect: (requiredNamespaces?: ProposedNamespaces) =>
      connectSession(dapp, {
        networks: [fakeNetwork()],
        requiredNamespaces,
        signal: new AbortController().signal,
        onUri: wallet.pair,
      }),
    settle: wallet.settle,
  }
}

function createTestDapp(relays: ReturnType<typeof createRelays>): DappClient {
  const settlements: DappClient['settlements'] = new Map()
  const storage = memoryStorage()
  const keyring = createKeyring(storage, '')
  const relay = relays.join((delivery) => channel.receive(delivery))
  const channel: Channel = createChannel({
    relay,
    keyring,
    clock,
    onRequest: (request) => settlements.get(request.topic)?.(request),
  })
  const peer: SignClient = {
    relay,
    channel,
    keyring,
    sessions: createSessionStore(storage, ''),
    expiryTimers: createExpiryTimers(clock),
    clock,
    metadata,
    storage,
    prefix: '',
  }
  return {
    ...peer,
    settlements,
    pendingProposals: createPendingProposals(storage, '', clock),
    pairingEnds: new Map(),
    activeSessions: createActiveSessions(peer, () => {}),
  }
}

function createTestWallet(relays: ReturnType<typeof createRelays>) {
  const keyring = createKeyring(memoryStorage(), '')
  const relay = relays.join((delivery) => channel.receive(delivery))
  const { promise: proposal, resolve: proposed } = withResolvers<{ id: number; topic: string; publicKey: string }>()
  const channel: Channel = createChannel({
    relay,
    keyring,
    clock,
    onRequest({ id, topic, params: { proposer } }) {
      if (isUnknownRecord(proposer)) proposed({ id, topic, publicKey: String(proposer.publicKey) })
    },
  })
  return {
    pair(uri: string) {
      const { topic, symmetricKey } = parsePairingUri(uri, clock.now())
      keyring.holdInMemory(topic, symmetricKey)
      void relay.subscribe(topic)
    },
    /** Approves, and settles with the invalid values of the test. */
    async settle(override: object, responderKey?: string) {
      const { id, topic, publicKey } = await proposal
      const keys = await createKeyPair()
      const own = bytesToHex(keys.publicKey)
      const responderPublicKey = responderKey ?? own
      const request = { id, topic, method: 'wc_sessionPropose' } as const
      await channel.respond(request, { relay: { protocol: 'irn' }, responderPublicKey })
      if (responderKey !== undefined) return undefined
      const key = deriveSymmetricKey(await keys.deriveSharedSecret(hexToBytes(publicKey)))
      keyring.holdInMemory(topicOfKey(key), key)
      await relay.subscribe(topicOfKey(key))
      const namespaces = { eip155: { accounts: [fakeAccount('eip155:1')], methods: [], events: [] } }
      const controller = { publicKey: own, metadata }
      const honest = { relay: { protocol: 'irn' }, namespaces, controller, expiry: clock.now() / 1000 + 1000 }
      return channel.request(topicOfKey(key), 'wc_sessionSettle', { ...honest, ...override }).response
    },
  }
}

describe('a settlement', () => {
  test('gets a response and is stored as a session', async () => {
    const { connect, settle, sessions } = createTestParties()
    const connecting = connect()
    expect(await settle({})).toBe(true)
    expect(sessions.list()).toEqual([await connecting])
  })

  test.each([
    ['by a key other than the one that approved', { controller: { publicKey: 'ab'.repeat(32), metadata } }],
    ['without accounts', { namespaces: { eip155: { accounts: [], methods: [], events: [] } } }],
    ['with invalid accounts', { namespaces: { eip155: { accounts: ['0xab'], methods: [], events: [] } } }],
    ['without namespaces', { namespaces: null }],
    ['without an expiry', { expiry: 'never' }],
  ])('%s is rejected and leaves no session', async (_, override) => {
    const { connect, settle, sessions } = createTestParties()
    const connecting = connect().catch((error: unknown) => error)
    const reply = settle(override).catch((error: unknown) => error)
    expect(await connecting).toMatchObject({ code: 'session/invalid' })
    expect(await reply).toMatchObject({ context: { code: 1005 } })
    expect(sessions.list()).toEqual([])
  })

  test('that lacks what the app requires is rejected and leaves no session', async () => {
    const { connect, settle, sessions } = createTestParties()
    const required = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } as const
    const connecting = connect({ eip155: required }).catch((error: unknown) => error)
    const reply = settle({}).catch((error: unknown) => error)
    expect(await connecting).toMatchObject({ code: 'session/invalid', context: { member: 'methods' } })
    expect(await reply).toMatchObject({ context: { code: 1005 } })
    expect(sessions.list()).toEqual([])
  })

  test.each([
    ['of low order', '00'.repeat(32)],
    ['too short', 'ab'],
  ])('is refused after an approval with a key %s [G-10]', async (_, responderKey) => {
    const { connect, settle } = createTestParties()
    const connecting = connect().catch((error: unknown) => error)
    await settle({}, responderKey)
    expect(await connecting).toMatchObject({ code: 'session/invalid' })
  })
})
