import { hash } from 'node:crypto'
import type { Database } from '../kit/database.ts'

/** Notes who has which message. */
export type Receipts = {
  /** Notes that a client has a message; settles when that is written down. */
  add(sequence: number, client: string): Promise<void>
  /** Settles when everything noted so far is written down. */
  written(): Promise<void>
}

/** How long receipts are gathered, in milliseconds. One that is lost costs a repeated delivery, which clients drop. */
const gathering = 25
/** How many are written at once. */
const groupSize = 1_000
/** How many are kept for when the database is back. */
const mostNoted = 50_000

/** Receipts need not survive the loss of the machine, so their commit does not wait for the disk. */
const insertReceipts = `
  insert into relay_receipt (sequence, receiver)
  select sequence, receiver from unnest($1::bigint[], $2::bigint[]) as receipt (sequence, receiver)
  where set_config('synchronous_commit', 'off', true) is not null
  on conflict do nothing`

type Receipt = { sequence: number; client: string }

/** Makes the notebook of one mailbox. */
export function createReceipts({ database }: { database: Pick<Database, 'run'> }): Receipts {
  let noted: Receipt[] = []
  let writing: Promise<void> | undefined
  let writeNow = (): void => {}

  async function write(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gathering)
      writeNow = (): void => {
        clearTimeout(timer)
        resolve()
      }
    })
    const group = noted
    noted = []
    writing = undefined
    for (let start = 0; start < group.length; start += groupSize) {
      await insert(group.slice(start, start + groupSize)).catch((error: unknown) => {
        // Written with the next ones, when the database is back: else all of it would be delivered once more.
        noted = [...group.slice(start), ...noted].slice(-mostNoted)
        throw error
      })
    }
  }

  async function insert(receipts: readonly Receipt[]): Promise<void> {
    const clients = new Set(receipts.map(({ client }) => client))
    const receivers = new Map([...clients].map((client) => [client, receiverOf(client)]))
    await database.run('relay: insert receipts', insertReceipts, [
      receipts.map(({ sequence }) => sequence),
      receipts.map(({ client }) => receivers.get(client)),
    ])
  }

  return {
    add(sequence, client) {
      noted.push({ sequence, client })
      writing ??= write()
      return writing
    },
    async written() {
      writeNow()
      await writing
    },
  }
}

/** A client as receipts name it: the first 64 bits of its id's SHA-256, which take a seventh of the room. */
export function receiverOf(client: string): string {
  return hash('sha256', client, 'buffer').readBigInt64BE().toString()
}
