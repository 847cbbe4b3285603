import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../kit/database/database.ts'
import { usageMarkLock } from '../../schema/createUsageMark.ts'
import { countChanges } from './readUsage.ts'

/** Records the clients that have received a message. */
export type Acknowledgements = {
  /** Resolves when the acknowledgement is written. */
  add(sequence: number, client: string): Promise<void>
  /** Writes everything that was added, and resolves when it is written. */
  flushed(): Promise<void>
}

/** Acknowledgements are gathered this long. A lost one costs a repeated delivery, which clients ignore. */
const gatherMs = 25
const rowsPerInsert = 1_000
/** The maximum held in memory while the database is unavailable. */
const maxPending = 50_000
const maxReceivers = 10_000

/**
 * Inserts acknowledgements of stored messages. The first one of a message ends its place in the mailbox, so it is
 * subtracted from the counters if they contain it. The lock keeps the message from being deleted in the meantime;
 * otherwise its acknowledgement would stay forever. The lock of the mark comes first in all statements, so that they
 * never wait for each other. Acknowledgements need not survive the loss of the machine, so their commit does not wait for
 * the disk.
 */
const insertStatement = `
  with held as materialized (
    select pg_advisory_xact_lock_shared(${usageMarkLock})
  ), receipt as (
    select distinct sequence, receiver
    from held cross join unnest($1::bigint[], $2::bigint[]) as receipt (sequence, receiver)
    where set_config('synchronous_commit', 'off', true) is not null
  ), message as (
    select sequence, topic, publisher, bytes, expires_at from held cross join relay_message
    where sequence = any($1::bigint[]) order by sequence for key share of relay_message
  ), first as (
    insert into relay_acknowledgement (sequence, receiver, is_first)
    select distinct on (sequence) sequence, receiver, true from receipt join message using (sequence)
    order by sequence, receiver
    on conflict do nothing returning sequence, receiver
  ), others as (
    insert into relay_acknowledgement (sequence, receiver)
    select sequence, receiver from receipt join message using (sequence)
    where (sequence, receiver) not in (select sequence, receiver from first) order by sequence, receiver
    on conflict do nothing
  ), changed as (
    select message.* from first join message using (sequence) where sequence <= (select relay_counted_until())
  )
  ${countChanges('-')}`

type Acknowledgement = { sequence: number; client: string }

/** Creates the acknowledgements of one mailbox. */
export function createAcknowledgements({ database }: { database: Pick<Database, 'run'> }): Acknowledgements {
  let pending: Acknowledgement[] = []
  /** The next write, which still gathers, and the one that runs. A slow database must not get more than one at a time. */
  let next: Promise<void> | undefined
  let running: Promise<void> | undefined
  let writeNow = (): void => {}
  const findReceiver = createReceivers()

  async function gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs)
      writeNow = (): void => {
        clearTimeout(timer)
        resolve()
      }
    })
    await running?.catch(() => undefined)
  }

  async function write(): Promise<void> {
    await gather()
    const group = pending
    pending = []
    running = next
    next = undefined
    try {
      for (let start = 0; start < group.length; start += rowsPerInsert) {
        await insert(group.slice(start, start + rowsPerInsert)).catch((error: unknown) => {
          // They are written with the next group, when the database is back. Otherwise all messages would be redelivered.
          pending = [...group.slice(start), ...pending].slice(-maxPending)
          throw error
        })
      }
    } finally {
      running = undefined
    }
  }

  async function insert(group: readonly Acknowledgement[]): Promise<void> {
    const receivers = group.map(({ client }) => findReceiver(client))
    await database.run('relay: insert acknowledgements', insertStatement, [
      formatIntegers(group.map(({ sequence }) => sequence)),
      formatIntegers(receivers),
    ])
  }

  return {
    add(sequence, client) {
      pending.push({ sequence, client })
      // A write that fails puts its group back, so the limit is checked there as well.
      if (pending.length > maxPending) pending.shift()
      next ??= write()
      return next
    },
    async flushed() {
      writeNow()
      await (next ?? running)
    },
  }
}

/** Creates a function that remembers the hashes of the clients that acknowledged last. Each acknowledges in most groups. */
function createReceivers(): (client: string) => string {
  const receivers = new LRUCache<string, string>({ max: maxReceivers })
  return (client) => {
    const known = receivers.get(client)
    if (known !== undefined) return known
    const receiver = hashReceiver(client)
    receivers.set(client, receiver)
    return receiver
  }
}

/** Formats a `bigint[]`. The driver would look for characters to escape in each number. */
function formatIntegers(values: readonly (number | string)[]): string {
  return `{${values.join(',')}}`
}

/** Shortens a client id for receipts: the first 64 bits of its SHA-256, a seventh of its size. */
export function hashReceiver(client: string): string {
  return hash('sha256', client, 'buffer').readBigInt64BE().toString()
}
