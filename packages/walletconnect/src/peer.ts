import { pageStorage, systemClock, type Clock, type Storage } from '@latchkey/core'
import { createChannel, type Channel, type PeerRequest, type StrayAnswer } from './channel.ts'
import { createExpirer, type Expirer } from './expirer.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { longestLife } from './messages.ts'
import { createRelay, type Relay, type RelayOptions } from './relay.ts'
import { createRelayTime, type RelayTime } from './relayTime.ts'
import { createSessions, type Metadata, type Sessions } from './session.ts'
import { besideLinks, createLinks, type Links } from './signIn/linkMode.ts'
import { lenientStorage } from './storage.ts'

/** What both sides are told when they are made. */
export type PeerOptions = RelayOptions & {
  /** What the other side shows about this one. */
  metadata: Metadata
  /** Where sessions and keys outlive the page; localStorage by default, memory where there is none. */
  storage?: Storage
  clock?: Clock
  /**
   * Opens a universal link of the other side. With it, and with `redirect.linkMode` in the metadata, sign-ins and the
   * sessions that come of them can do without a relay.
   */
  openLink?(url: string): void
}

/** What a dapp and a wallet are both made of. */
export type Peer = {
  readonly relay: Relay
  /** What travels by links; nothing on a side that opens none. */
  readonly links?: Links
  readonly channel: Channel
  readonly keyring: Keyring
  readonly sessions: Sessions
  readonly expirer: Expirer
  /** The time that expiries are compared in. */
  readonly clock: RelayTime
  readonly metadata: Metadata
  readonly storage: Storage
  /** Where this side's stored keys begin. */
  readonly prefix: string
}

/** What a side does with the messages that nobody here waits for. */
export type Receivers = {
  onRequest(request: PeerRequest): void
  onStray?(answer: StrayAnswer): void
  /** Called with the topic of a message that nobody here can read: another part of this page has thrown its key away. */
  onKeyless(topic: string): void
}

export function createPeer(options: PeerOptions, prefix: string, receivers: Receivers): Peer {
  const { metadata } = options
  const clock = createRelayTime(options.clock ?? systemClock)
  const storage = lenientStorage(options.storage ?? pageStorage())
  const keyring = createKeyring(storage, prefix)
  const sessions = createSessions(storage, prefix)
  const { openLink } = options
  const links = openLink === undefined ? undefined : createLinks(sessions)
  const wire = createRelay({
    ...options,
    // What waits for a connection goes by this machine's clock, and is shown by it.
    clock: options.clock ?? systemClock,
    now: clock.now,
    seed: () => keyring.clientSeed(),
    onMessage(delivery) {
      if (delivery.publishedAt !== undefined) clock.heard(delivery.publishedAt, longestLife(delivery.tag))
      if (keyring.get(delivery.topic) === undefined) receivers.onKeyless(delivery.topic)
      channel.receive(delivery)
    },
  })
  const relay = links === undefined || openLink === undefined ? wire : besideLinks(wire, links, openLink)
  const channel = createChannel({ relay, keyring, clock, links, ...receivers })
  const expirer = createExpirer(clock)
  return { relay, links, channel, keyring, sessions, expirer, clock, metadata, storage, prefix }
}
