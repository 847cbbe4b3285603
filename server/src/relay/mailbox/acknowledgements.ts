import { hash } from 'node:crypto'
import type { Database } from '../../kit/database/database.ts'

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

/** Acknowledgements need not survive the loss of the machine, so their commit does not wait for the disk. */
const insertStatement = `
  insert into relay_acknowledgement (sequence, receiver)
  select sequence, receiver from unnest($1::bigint[], $2::bigint[]) as receipt (sequence, receiver)
  where set_config('synchronous_commit', 'off', true) is not null
  on conflict do nothing`

type Acknowledgement = { sequence: number; client: string }

/** Creates the acknowledgements of one mailbox. */
export function createAcknowledgements({ database }: { database: Pick<Database, 'run'> }): Acknowledgements {
  let pending: Acknowledgement[] = []
  let writing: Promise<void> | undefined
  let writeNow = (): void => {}

  async function write(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs)
      writeNow = (): void => {
        clearTimeout(timer)
        resolve()
      }
    })
    const group = pending
    pending = []
    writing = undefined
    for (let start = 0; start < group.length; start += rowsPerInsert) {
      await insert(group.slice(start, start + rowsPerInsert)).catch((error: unknown) => {
        // They are written with the next group, when the database is back. Otherwise all messages would be redelivered.
        pending = [...group.slice(start), ...pending].slice(-maxPending)
        throw error
      })
    }
  }

  async function insert(group: readonly Acknowledgement[]): Promise<void> {
    const clients = new Set(group.map(({ client }) => client))
    const receivers = new Map([...clients].map((client) => [client, hashReceiver(client)]))
    await database.run('relay: insert acknowledgements', insertStatement, [
      group.map(({ sequence }) => sequence),
      group.map(({ client }) => receivers.get(client)),
    ])
  }

  return {
    add(sequence, client) {
      pending.push({ sequence, client })
      writing ??= write()
      return writing
    },
    async flushed() {
      writeNow()
      await writing
    },
  }
}

/** Shortens a client id for receipts: the first 64 bits of its SHA-256, a seventh of its size. */
export function hashReceiver(client: string): string {
  return hash('sha256', client, 'buffer').readBigInt64BE().toString()
}
