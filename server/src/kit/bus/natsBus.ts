import type { Msg } from '@nats-io/transport-node'
import type { FastifyBaseLogger } from 'fastify'
import { connectNats, type Nats } from '../nats/connectNats.ts'
import { createBusListeners, type Bus, type BusMessage } from './bus.ts'

export type NatsBusOptions = {
  /** `nats://host:port,host:port`, or `tls://…`. */
  url: string
  /** Starts every subject, so that other programs can use the same NATS. */
  name: string
  log: FastifyBaseLogger
}

/**
 * Connects the bus of several server processes over the publish/subscribe of NATS, which stores nothing. Listeners of this
 * process are called directly. A message that could not be sent while NATS was unreachable is not sent later. All processes are
 * notified of the gap instead, and read the missed messages from the mailbox.
 *
 * @example const bus = await connectNatsBus({ url: 'nats://127.0.0.1:4222', name: 'latchkey', log })
 */
export async function connectNatsBus({ url, name, log }: NatsBusOptions): Promise<Bus> {
  /** On this subject, a process announces that some of its messages were not sent. */
  const gapSubject = `${name}-bus-gap`
  /** Dots, stars and angle brackets have a meaning in subjects. */
  const toSubject = (channel: string): string =>
    `${name}-bus.${encodeURIComponent(channel).replaceAll('.', '%2E').replaceAll('*', '%2A')}`
  const nats = await connectNats({ url, log, noEcho: true })
  const { connection } = nats
  const listeners = createBusListeners()
  const subscriptions = createNatsSubscriptions(nats, toSubject, listeners.emit)
  const gapListeners = new Set<() => void>()
  const notifyGap = (): void => gapListeners.forEach((listener) => listener())
  let hasGap = false
  connection.subscribe(gapSubject, { callback: notifyGap })
  nats.onReconnect(() => {
    // The client has subscribed again. What was published meanwhile is missing.
    notifyGap()
    if (hasGap) connection.publish(gapSubject)
    hasGap = false
  })

  return {
    spansProcesses: true,
    isReachable: nats.isConnected,
    publish(channel, message) {
      listeners.emit(channel, message)
      // The client would keep messages in memory, in any number, and send them later.
      if (nats.isConnected()) connection.publish(toSubject(channel), JSON.stringify(message))
      else hasGap = true
    },
    subscribe(channel, listener) {
      const { isFirst } = listeners.add(channel, listener)
      return {
        ready: isFirst ? subscriptions.add(channel) : subscriptions.pending(channel),
        stop() {
          if (listeners.remove(channel, listener).isLast) subscriptions.remove(channel)
        },
      }
    },
    onGap: (listener) => void gapListeners.add(listener),
    async close() {
      listeners.clear()
      gapListeners.clear()
      await nats.close()
    },
  }
}

type Subscriptions = {
  /** Subscribes to a channel. Resolves when the server has confirmed it. */
  add(channel: string): Promise<void>
  /** The subscription of a channel that the server has not confirmed yet. */
  pending(channel: string): Promise<void> | undefined
  remove(channel: string): void
}

function createNatsSubscriptions(
  { connection, isConnected }: Nats,
  toSubject: (channel: string) => string,
  emit: (channel: string, message: BusMessage) => void,
): Subscriptions {
  const active = new Map<string, { unsubscribe(): void }>()
  const pending = new Map<string, Promise<void>>()
  let flushing: Promise<void> | undefined

  /** Subscriptions of one turn of the event loop share a round trip. */
  async function confirm(): Promise<void> {
    flushing ??= new Promise(setImmediate).then(() => {
      flushing = undefined
      // The return of the connection is a gap, so there is nothing to wait for.
      return isConnected() ? connection.flush().catch(() => undefined) : undefined
    })
    await flushing
  }

  return {
    add(channel) {
      const callback = (_error: Error | null, message: Msg): void => {
        // Only processes of this server publish on these subjects.
        emit(channel, JSON.parse(message.string()) as BusMessage)
      }
      active.set(channel, connection.subscribe(toSubject(channel), { callback }))
      const confirmed = confirm().finally(() => {
        if (pending.get(channel) === confirmed) pending.delete(channel)
      })
      pending.set(channel, confirmed)
      return confirmed
    },
    pending: (channel) => pending.get(channel),
    remove(channel) {
      active.get(channel)?.unsubscribe()
      active.delete(channel)
    },
  }
}
