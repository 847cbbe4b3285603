import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'

/** The devices that brought a part of a user's key themselves. */
export type Devices = {
  /** Notes a device; the one that made the wallet is its founder. */
  remember(user: string, key: string, facts: { isFounder: boolean }, within?: Kysely<unknown>): Promise<void>
  knows(user: string, key: string): Promise<boolean>
  /**
   * Whether a device may change who can get at the key: it made the wallet, or is known for a day. Who has just taken over
   * a mailbox has no such device.
   */
  isSeasoned(user: string, key: string): Promise<boolean>
  /** Neither what it brought nor a link that approved it counts any more. */
  forget(user: string, key: string): Promise<void>
  /** Forgets those that were not seen for ninety days. */
  sweep(): Promise<void>
}

const day = 24 * 60 * 60_000
const unseenMs = 90 * day

export function createDevices({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Devices {
  return {
    async remember(user, key, { isFounder }, within = database) {
      const now = clock.now()
      await sql`
        insert into share_device (user_id, key_thumbprint, since, seen_at, founder)
        values (${user}, ${key}, ${now}, ${now}, ${isFounder})
        on conflict (user_id, key_thumbprint) do update set seen_at = excluded.seen_at`.execute(within)
    },
    async knows(user, key) {
      const { rows } = await sql`
        update share_device set seen_at = ${clock.now()}
        where user_id = ${user} and key_thumbprint = ${key} returning user_id`.execute(database)
      return rows.length > 0
    },
    async isSeasoned(user, key) {
      const { rows } = await sql`
        select from share_device
        where user_id = ${user} and key_thumbprint = ${key}
          and (founder or since <= ${clock.now() - day})`.execute(database)
      return rows.length > 0
    },
    async forget(user, key) {
      await sql`delete from share_device where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
      await sql`
        update share_link set approved_at = 0
        where key_thumbprint = ${key} and approved_at is not null`.execute(database)
    },
    async sweep() {
      await sql`delete from share_device where seen_at <= ${clock.now() - unseenMs}`.execute(database)
    },
  }
}
