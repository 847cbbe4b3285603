import pg from 'pg'
import { pause } from '../runtime/pause.ts'

/** A connection that waits for notifications. */
export type ChangeListener = { close(): Promise<void> }

const retryMs = 2_000
const connectTimeoutMs = 5_000

/**
 * Listens for notifications of PostgreSQL (`NOTIFY channel`) on a connection of its own, which is opened again whenever it
 * breaks. It also calls back each time it is open, because earlier notifications may have been missed. Poolers that share
 * connections per transaction pass no notifications on, so callers also poll.
 *
 * @param channel an identifier in lower case
 */
export function listenForChanges(url: string, channel: string, onChange: () => void): ChangeListener {
  const closing = new AbortController()
  const { signal } = closing
  let current: pg.Client | undefined

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true })
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.once('error', () => resolve())
    })
    // A connection may report several errors; without a listener they would end the process.
    client.on('error', () => undefined)
    client.on('notification', onChange)
    current = client
    try {
      // `connect` never settles if the client is ended before it is connected.
      await Promise.race([client.connect(), ended])
      if (signal.aborted) return
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      onChange()
      await ended
    } catch {
      // The database is unreachable. The pool reports it.
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      await listenOnce()
      await pause(retryMs, signal)
    }
  }

  const listening = keepListening()
  return {
    async close() {
      closing.abort()
      await current?.end().catch(() => undefined)
      await listening
    },
  }
}
