import type { LatchkeyEvent } from './events.ts'
import type { Latchkey } from './latchkey.ts'

/** The levels of a log, from the least to the most important one. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** An entry of a log. Fields are limited to what identifies no person: no address, hash, message or key. */
export type LogEntry = {
  /** Time in ISO 8601. */
  readonly time: string
  readonly level: LogLevel
  /** The type of the event. */
  readonly event: LatchkeyEvent['type']
  readonly fields: Readonly<Record<string, string | boolean>>
}

/** The options of {@link recordLog}. */
export type LogOptions = {
  /** The least important level to record. Defaults to `info`. */
  level?: LogLevel
  /** The size of the buffer in bytes. The oldest lines are dropped. Defaults to 1,024,000. */
  capacity?: number
  /** Receives each entry as well, for example to send it to the app's own server. What it throws is ignored. */
  sink?: (entry: LogEntry) => void
}

/** A running log. */
export type EventLog = {
  /** Returns the recorded entries as lines of JSON, oldest first. */
  lines(): readonly string[]
  /** Stops recording. The lines remain. */
  stop(): void
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
const defaultCapacity = 1_024_000
const longestField = 200

/** The fields of events that may be logged. Accounts, hashes and messages identify a person or may contain a secret. */
const loggedFields = ['connectorId', 'namespace', 'chainId', 'code', 'during', 'by', 'reason', 'status', 'restored']

const debugEvents: readonly string[] = ['login-screen', 'namespace-change']
const warnEvents: readonly string[] = ['problem', 'network-unsupported', 'login-not-allowed']

/**
 * Records the events of an instance in memory, so that users can attach them to a report of a problem. Nothing is sent.
 *
 * @param options the level, the size of the buffer, and a sink of the app
 * @returns the recorded lines, and a function that stops
 * @throws RangeError if the capacity is not a positive integer
 * @example
 * const log = recordLog(latchkey, { level: 'warn', sink: (entry) => console.warn(entry) })
 * log.lines()
 */
export function recordLog(
  latchkey: Latchkey,
  { level = 'info', capacity = defaultCapacity, sink }: LogOptions = {},
): EventLog {
  if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError('capacity must be a positive integer.')
  const encoder = new TextEncoder()
  const kept: { line: string; bytes: number }[] = []
  let size = 0

  function record(event: LatchkeyEvent): void {
    const entry = toLogEntry(event, latchkey.internal.clock.now())
    if (levels.indexOf(entry.level) < levels.indexOf(level)) return
    const line = JSON.stringify(entry)
    const bytes = encoder.encode(`${line}\n`).length
    kept.push({ line, bytes })
    size += bytes
    while (size > capacity) size -= kept.shift()?.bytes ?? size
    try {
      sink?.(entry)
    } catch {
      // A broken sink must not break the event's other listeners.
    }
  }

  const stop = latchkey.events.subscribe(record)
  return { lines: () => kept.map(({ line }) => line), stop }
}

function toLogEntry(event: LatchkeyEvent, now: number): LogEntry {
  const fields: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(event)) {
    if (!loggedFields.includes(name)) continue
    if (typeof value === 'boolean') fields[name] = value
    if (typeof value === 'string') fields[name] = value.slice(0, longestField)
  }
  return { time: new Date(now).toISOString(), level: levelOf(event), event: event.type, fields }
}

function levelOf({ type }: LatchkeyEvent): LogLevel {
  if (type.endsWith('-error')) return 'error'
  if (warnEvents.includes(type)) return 'warn'
  return debugEvents.includes(type) ? 'debug' : 'info'
}
