import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../../kit/bus/bus.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { IngestMessage } from '../mailbox/ingestMessage.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { RelayObserver } from '../relayObserver.ts'
import type { Upstream } from './bridgeVariables.ts'
import { createUpstreamSubscriptions } from './upstreamSubscriptions.ts'
import { forwardMessage } from './forwardMessage.ts'
import type { BridgeIdentity } from './bridgeIdentity.ts'
import { createInbox } from './inbox.ts'
import { createUpstreamLink, type UpstreamStatus } from './upstreamLink.ts'
import { createLocalSubscribers } from './localSubscribers.ts'
import { createOutbox } from './outbox.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

export type BridgeDependencies = {
  upstream: Upstream
  identity: BridgeIdentity
  mailbox: Pick<Mailbox, 'listAllUndelivered' | 'acknowledge' | 'idle'>
  ingest: IngestMessage
  bus: Bus
  clock: Clock
  log: FastifyBaseLogger
}

/** Forwards messages between this relay and an upstream relay. */
export type Bridge = {
  readonly observer: RelayObserver
  /** Connects, and reconnects until the bridge is closed. */
  open(): void
  status(): UpstreamStatus
  /** Ends the connection and waits for pending writes. */
  close(): Promise<void>
}

const sweepMilliseconds = 30_000
const checkMilliseconds = 60_000
/** On this channel, a process announces a topic that it unsubscribed upstream. */
const channel = 'relay/bridge/dropped'

/**
 * Creates the bridge. It is one client of the upstream relay, no matter how many processes there are, and one client of
 * this relay. A client never gets its own messages back, so messages cannot loop.
 */
export function createBridge({ upstream, identity, mailbox, ingest, bus, clock, log }: BridgeDependencies): Bridge {
  const { clientId } = identity
  const echo = echoTopic(clientId)
  const link = createUpstreamLink({
    upstream,
    identity,
    clock,
    log,
    probeTopic: echo,
    connected() {
      subscriptions.resume()
      outbox.resume()
    },
    received: (request) => inbox.receive(request),
  })
  const unfollowed = (topic: string): void => bus.publish(channel, { topic })
  const subscriptions = createUpstreamSubscriptions({ clientId, link, log, unfollowed })
  const peer = { link, clock, log }
  const outbox = createOutbox({ clientId, mailbox, forward: (message) => forwardMessage(message, peer), log })
  const inbox = createInbox({ clientId, ingest, clock, log, retry: subscriptions.redeliver })
  const localSubscribers = createLocalSubscribers({
    clock,
    linger: upstream.lingerSeconds * 1000,
    wanted: subscriptions.follow,
    unwanted: subscriptions.unfollow,
  })
  localSubscribers.ignore(clientId)
  // If the upstream relay has one subscription per client, another process has just ended ours.
  const droppedTopics = bus.subscribe(channel, ({ topic }) => subscriptions.renew(String(topic)))
  const timers = [setInterval(localSubscribers.sweep, sweepMilliseconds), setInterval(outbox.check, checkMilliseconds)]

  return {
    observer: {
      subscribed(topic, client) {
        if (topic === echo) localSubscribers.ignore(client)
        localSubscribers.subscribed(topic, client)
      },
      unsubscribed: localSubscribers.unsubscribed,
      disconnected: localSubscribers.disconnected,
      messageStored(message) {
        if (message.publisher !== clientId) outbox.add(message)
      },
    },
    open() {
      outbox.check()
      link.open()
    },
    status: link.status,
    async close() {
      for (const timer of timers) clearInterval(timer)
      droppedTopics.stop()
      inbox.close()
      await link.close()
      await Promise.all([subscriptions.close(), outbox.close()])
      await mailbox.idle()
    },
  }
}

/**
 * A topic that only this bridge subscribes to upstream. A client that subscribes to it here is a relay that reflects our own
 * subscriptions: two relays that follow each other would never end them.
 */
function echoTopic(clientId: string): string {
  return sha256(`latchkey bridge ${clientId}`).toString('hex')
}
