import { pageStorage, systemClock, type Clock, type Storage } from '@latchkey/core'
import { createKeyring, type Keyring } from '../crypto/keyring.ts'
import { createExpiryTimers, type ExpiryTimers } from '../primitives/expiryTimers.ts'
import { lenientStorage } from '../primitives/lenientStorage.ts'
import { createRelay } from '../relay/createRelay.ts'
import type { Relay, RelayOptions } from '../relay/relay.ts'
import { createRelayTime, type RelayTime } from '../relay/relayTime.ts'
import type { Metadata } from '../session/metadata.ts'
import { createSessionStore, type SessionStore } from '../session/sessionStore.ts'
import type { Channel, PeerRequest, UnexpectedResponse } from './channel.ts'
import { createChannel } from './createChannel.ts'
import { createLinkRoutes, withLinkRoutes, type LinkRoutes } from './linkMode/linkRoutes.ts'
import { longestTtl } from './signMethod.ts'

/** The options of either side. */
export type SignClientOptions = RelayOptions & {
  /** The description of this side that the other side shows. */
  metadata: Metadata
  /** The storage of sessions and keys. Defaults to localStorage, or to memory if there is none. */
  storage?: Storage
  clock?: Clock
  /**
   * Opens a universal link of the other side. With it, and with `redirect.linkMode` in the metadata, sign-ins and the
   * sessions that they create work without a relay.
   */
  openLink?(url: string): void
}

/** The components that a dapp and a wallet have in common. */
export type SignClient = {
  readonly relay: Relay
  /** The topics in link mode. `undefined` if this side opens no links. */
  readonly links?: LinkRoutes
  readonly channel: Channel
  readonly keyring: Keyring
  readonly sessions: SessionStore
  readonly expiryTimers: ExpiryTimers
  /** The time in which expiries are compared. */
  readonly clock: RelayTime
  readonly metadata: Metadata
  readonly storage: Storage
  /** The prefix of this side's storage keys. */
  readonly prefix: string
}

/** Handles messages without a pending request. */
export type SignClientListener = {
  onRequest(request: PeerRequest): void
  onUnexpectedResponse?(response: UnexpectedResponse): void
  /** Called with the topic of a message without a key: another part of this page has removed the key. */
  onKeyMissing(topic: string): void
}

/** Creates the components of one side. Connects to no relay before the first use. */
export function createSignClient(options: SignClientOptions, prefix: string, listener: SignClientListener): SignClient {
  const { metadata, openLink } = options
  const clock = createRelayTime(options.clock ?? systemClock)
  const storage = lenientStorage(options.storage ?? pageStorage())
  const keyring = createKeyring(storage, prefix)
  const sessions = createSessionStore(storage, prefix)
  const links = openLink === undefined ? undefined : createLinkRoutes(sessions)
  const plainRelay = createRelay({
    ...options,
    // Retry times are shown to the user, so they follow this machine's clock.
    clock: options.clock ?? systemClock,
    now: clock.now,
    seed: () => keyring.clientSeed(),
    onMessage(message) {
      if (message.publishedAt !== undefined) clock.observe(message.publishedAt, longestTtl(message.tag))
      if (keyring.get(message.topic) === undefined) listener.onKeyMissing(message.topic)
      channel.receive(message)
    },
  })
  const relay = links === undefined || openLink === undefined ? plainRelay : withLinkRoutes(plainRelay, links, openLink)
  const channel = createChannel({ relay, keyring, clock, links, ...listener })
  const expiryTimers = createExpiryTimers(clock)
  return { relay, links, channel, keyring, sessions, expiryTimers, clock, metadata, storage, prefix }
}
