import type { Span, Tracing } from '../../kit/tracing/tracing.ts'
import { RelayError } from '../errors.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createClientSession, type ClientSession, type ClientSessionDependencies } from './clientSession.ts'

/** Opens the session of one connected client, which is traced if traces are on. */
export function openClientSession(
  dependencies: ClientSessionDependencies & { tracing?: Tracing | undefined },
): ClientSession {
  const { tracing } = dependencies
  if (tracing === undefined) return createClientSession(dependencies)
  return traceSession(createClientSession({ ...dependencies, push: tracePush(dependencies.push, tracing) }), tracing)
}

/**
 * Traces the messages that a client publishes: `relay publish` from the request to the broadcast, which follows the response, and
 * `relay store` in it. A span has the tag of a message and its outcome, but no topic, client or content.
 */
function traceSession(session: ClientSession, tracing: Tracing): ClientSession {
  const spans = new WeakMap<RelayMessage, Span>()
  return {
    ...session,
    async publish(message) {
      const attributes = { 'messaging.system': 'walletconnect', 'latchkey.relay.tag': message.tag }
      const span = tracing.start('relay publish', { kind: 'server', attributes })
      if (!span.isRecorded) return session.publish(message)
      const store = tracing.within(span, () => tracing.start('relay store'))
      try {
        const stored = await tracing.within(store, () => session.publish(message))
        store.end()
        if (stored === undefined) endWith(span, 'duplicate')
        else spans.set(stored, span)
        return stored
      } catch (error) {
        const isFault = !(error instanceof RelayError) || error.data === 'StorageError'
        store.end(isFault)
        endWith(span, error instanceof RelayError ? (error.data ?? 'TooManyRequests') : 'Unknown', isFault)
        throw error
      }
    },
    broadcast(message) {
      const span = message && spans.get(message)
      if (message === undefined || span === undefined) return session.broadcast(message)
      session.broadcast({ ...message, traceparent: span.traceparent })
      endWith(span, 'stored')
    },
  }
}

function endWith(span: Span, outcome: string, failed = false): void {
  span.set({ 'latchkey.relay.outcome': outcome })
  span.end(failed)
}

/** Traces the deliveries of broadcast messages, as a part of the trace of their publish. Other processes continue it. */
function tracePush(push: ClientSessionDependencies['push'], tracing: Tracing): ClientSessionDependencies['push'] {
  return (subscriptionId, message) => {
    const { traceparent: parent } = message
    if (parent === undefined) return push(subscriptionId, message)
    const span = tracing.start('relay deliver', { kind: 'consumer', parent })
    const isSent = push(subscriptionId, message)
    span.set({ 'latchkey.relay.tag': message.tag, 'latchkey.relay.sent': isSent })
    span.end()
    return isSent
  }
}
