import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Audit } from '../audit.ts'

/** Accounts that are to go. Three days lie between, for who did not ask for it himself. */
export type Deletions = {
  /** @returns when it happens, and the secret of the link that cancels; asked again, the time stays */
  ask(user: string): Promise<{ at: number; secret: string }>
  /** When the user's account goes; undefined when it stays. */
  at(user: string): Promise<number | undefined>
  cancel(user: string): Promise<void>
  /** Whether a link is of a deletion that is still to come. */
  look(link: { id: string; secret: string }): Promise<boolean>
  /** @returns false when there is nothing to cancel any more */
  cancelBy(link: { id: string; secret: string }): Promise<boolean>
  /** Deletes what is due: first the keys that everything is sealed under, so that no backup opens, then the rows. */
  sweep(): Promise<void>
}

const waitMs = 72 * 60 * 60_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function createDeletions(parts: {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  audit: Audit
}): Deletions {
  const { database, clock, secrets, audit } = parts

  async function cancel(user: string): Promise<boolean> {
    const { rows } = await sql`
      delete from auth_deletion where user_id = ${user} and at > ${clock.now()} returning user_id`.execute(database)
    if (rows.length > 0) await audit.note('deletion cancelled', { user })
    return rows.length > 0
  }
  async function look({ id, secret }: { id: string; secret: string }): Promise<boolean> {
    if (!uuid.test(id)) return false
    const { rows } = await sql`
      select from auth_deletion
      where user_id = ${id} and secret = ${digest(secret)} and at > ${clock.now()}`.execute(database)
    return rows.length > 0
  }

  return {
    async ask(user) {
      const secret = randomBytes(32).toString('base64url')
      const { rows } = await sql<{ at: number }>`
        insert into auth_deletion (user_id, secret, at) values (${user}, ${digest(secret)}, ${clock.now() + waitMs})
        on conflict (user_id) do update set secret = excluded.secret returning at`.execute(database)
      await audit.note('deletion asked', { user })
      return { at: rows[0]?.at ?? clock.now() + waitMs, secret }
    },
    async at(user) {
      const { rows } = await sql<{ at: number }>`
        select at from auth_deletion where user_id = ${user}`.execute(database)
      return rows[0]?.at
    },
    cancel: async (user) => void (await cancel(user)),
    look,
    cancelBy: async (link) => (await look(link)) && cancel(link.id),
    async sweep() {
      const { rows } = await sql<{ user: string }>`
        select user_id as user from auth_deletion where at <= ${clock.now()} limit 100`.execute(database)
      for (const { user } of rows) {
        await secrets.destroy(user)
        await sql`delete from auth_session where user_id = ${user}`.execute(database)
        // Everything else hangs on this row.
        await sql`delete from auth_user where id = ${user}`.execute(database)
        await audit.note('deleted', { user })
      }
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
