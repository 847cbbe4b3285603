import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../../kit/bus.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Intake } from '../intake.ts'
import type { Mailbox } from '../mailbox.ts'
import type { RelayTap } from '../tap.ts'
import type { Upstream } from './config.ts'
import { createFollowing } from './following.ts'
import { forward } from './forward.ts'
import type { Identity } from './identity.ts'
import { createInbox } from './inbox.ts'
import { createLine, type LineStatus } from './line.ts'
import { createListeners } from './listeners.ts'
import { createOutbox } from './outbox.ts'

export type BridgeParts = {
  upstream: Upstream
  identity: Identity
  mailbox: Pick<Mailbox, 'unread' | 'acknowledge' | 'idle'>
  intake: Intake
  bus: Bus
  clock: Clock
  log: FastifyBaseLogger
}

/** Carries topics between this relay and another one, upstream. */
export type Bridge = {
  /** What the bridge has to know of this relay. */
  readonly tap: RelayTap
  /** Begins to connect, and goes on until the bridge is closed. */
  open(): void
  status(): LineStatus
  /** Ends the connection and waits for what is under way. */
  close(): Promise<void>
}

const sweepMilliseconds = 30_000
const checkMilliseconds = 60_000
/** Where processes of this relay hear on which topic one of them stopped listening upstream. */
const channel = 'relay/bridge/dropped'

/**
 * Makes the bridge. It is one client of the other relay, whatever the number of our processes, and one of this relay: a
 * client is never given back what it published, so nothing goes in circles.
 */
export function createBridge({ upstream, identity, mailbox, intake, bus, clock, log }: BridgeParts): Bridge {
  const { clientId } = identity
  const echo = echoTopic(clientId)
  const line = createLine({
    upstream,
    identity,
    clock,
    log,
    greeting: echo,
    connected() {
      following.resume()
      outbox.resume()
    },
    received: (request) => inbox.receive(request),
  })
  const dropped = (topic: string): void => bus.publish(channel, { topic })
  const following = createFollowing({ clientId, line, log, dropped })
  const outbox = createOutbox({ clientId, mailbox, forward: (message) => forward(message, { line, clock, log }), log })
  const inbox = createInbox({ clientId, intake, clock, log, retry: following.redeliver })
  const listeners = createListeners({
    clock,
    linger: upstream.lingerSeconds * 1000,
    wanted: following.follow,
    unwanted: following.drop,
  })
  listeners.ignore(clientId)
  // Where a client has one subscription for all its connections, another process of ours has just lost its own.
  const hearing = bus.subscribe(channel, ({ topic }) => following.renew(String(topic)))
  const timers = [setInterval(listeners.sweep, sweepMilliseconds), setInterval(outbox.check, checkMilliseconds)]

  return {
    tap: {
      subscribed(topic, client) {
        if (topic === echo) listeners.ignore(client)
        listeners.subscribed(topic, client)
      },
      unsubscribed: listeners.unsubscribed,
      left: listeners.left,
      accepted(message) {
        if (message.publisher !== clientId) outbox.add(message)
      },
    },
    open() {
      outbox.check()
      line.open()
    },
    status: line.status,
    async close() {
      for (const timer of timers) clearInterval(timer)
      hearing.stop()
      inbox.close()
      await line.close()
      await Promise.all([following.close(), outbox.close()])
      await mailbox.idle()
    },
  }
}

/**
 * A topic on which only we listen upstream. Whoever listens on it here is a relay through which our own subscriptions
 * come back: two relays that follow each other would never let go of a topic.
 */
function echoTopic(clientId: string): string {
  return createHash('sha256').update(`latchkey bridge ${clientId}`).digest('hex')
}
