import type { Clock } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import { bytesToHex, randomBytes } from '../crypto/bytes.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { onBrowserWake } from './onBrowserWake.ts'
import {
  createReconnectingSocket,
  type ReconnectingSocket,
  type ReconnectingSocketOptions,
} from './reconnectingSocket.ts'
import {
  listRelayUrls,
  relayOrigin,
  type Relay,
  type RelayMessage,
  type RelayOptions,
  type SendOptions,
} from './relay.ts'
import { createRelayAddress } from './relayAddress.ts'
import { createRelayFailover } from './relayFailover.ts'
import { createTopicSubscriptions } from './topicSubscriptions.ts'
import { waitUntilOpen } from './waitUntilOpen.ts'

type RelayDependencies = RelayOptions & {
  /** Returns the client's Ed25519 seed. Called when the first connection opens. */
  seed(): Uint8Array
  clock: Clock
  /** The time for issuing tokens, in milliseconds. */
  now(): number
  /** Called once per message, even if the relay delivers it again. */
  onMessage(message: RelayMessage): void
}

/** Seconds. */
const requestTimeout = 60

/** Creates a relay client. It connects on first use. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { clock } = dependencies
  const origin = relayOrigin(dependencies.relayUrl)
  const subject = bytesToHex(randomBytes(32))
  let waiting = 0
  const socket = createRelaySocket(dependencies, subject, {
    isNeeded: () => subscriptions.hasTopics() || waiting > 0,
    onOpen: () => subscriptions.resubscribe(),
    onPush: (params) => subscriptions.receive(params),
  })
  const subscriptions = createTopicSubscriptions({ socket, clock, onMessage: dependencies.onMessage })

  /** Sends a request. With `subscribedTopic`, one that subscribes to that topic, too. */
  async function send(method: string, params: object, options: SendOptions = {}, subscribedTopic?: string) {
    const onSent = (): void => {
      // Not earlier: on the first connection this call subscribes; only later connections must resubscribe.
      if (subscribedTopic !== undefined) subscriptions.add(subscribedTopic)
      options.onSent?.()
    }
    await socket.request(method, params, { timeoutSeconds: options.timeoutSeconds ?? requestTimeout, onSent })
  }

  const relay: Relay = {
    status: socket.status,
    async ready(timeoutSeconds) {
      waiting += 1
      let isOpen = false
      try {
        await waitUntilOpen(socket, clock, origin, timeoutSeconds)
        isOpen = true
      } finally {
        waiting -= 1
        // The caller wanted an open connection and will use it: only a failed wait closes it.
        if (!isOpen) socket.openOrClose()
      }
    },
    subscribe: subscriptions.subscribe,
    unsubscribe: (topic) => runInBackground(subscriptions.unsubscribe(topic)),
    publish: (topic, message, properties, options) => send('irn_publish', { topic, message, ...properties }, options),
    proposeSession: (pairingTopic, sessionProposal, options) =>
      withFallback(
        send('wc_proposeSession', { pairingTopic, sessionProposal }, options, pairingTopic),
        ({ publishProposal }) => publishProposal(relay, pairingTopic, sessionProposal, options),
      ),
    approveSession: (approval, options) =>
      withFallback(send('wc_approveSession', approval, options, approval.sessionTopic), ({ publishApproval }) =>
        publishApproval(relay, approval, options),
      ),
    close() {
      subscriptions.clear()
      socket.close()
    },
  }
  return relay
}

function createRelaySocket(
  { clock, createSocket, now, projectId, relayUrl, seed }: RelayDependencies,
  subject: string,
  handlers: Pick<ReconnectingSocketOptions, 'isNeeded' | 'onOpen' | 'onPush'>,
): ReconnectingSocket {
  const addressOf = createRelayAddress({ projectId, seed, subject })
  return createReconnectingSocket({
    ...handlers,
    origin: relayOrigin(relayUrl),
    failover: createRelayFailover({ urls: listRelayUrls(relayUrl), addressOf, now }),
    createSocket: createSocket ?? ((url) => new WebSocket(url)),
    clock,
    onWake: onBrowserWake,
  })
}

/** Uses single messages if the relay lacks a call. Some relays report an unknown method, others an invalid request. */
async function withFallback(
  call: Promise<void>,
  fallback: (module: typeof import('./publishProposal.ts')) => Promise<void>,
): Promise<void> {
  try {
    await call
  } catch (error) {
    const code = isLatchkeyError(error, 'request/failed') ? error.context.code : undefined
    if (code !== -32_601 && code !== -32_600) throw error
    await fallback(await import('./publishProposal.ts'))
  }
}
