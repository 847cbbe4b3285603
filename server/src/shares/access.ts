import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import type { Who } from '../auth/who.ts'
import { Problem } from '../kit/problem.ts'
import type { Links } from './links.ts'
import type { RecoveryStore } from './recoveryStore.ts'

/** Who may touch what is kept for a user. */
export type ShareAccess = {
  /**
   * Lets in a device that brought a part of this user's key itself, or that was approved by mail within fifteen minutes.
   * The login alone is not enough: its service could make one.
   *
   * @returns the user and the key
   * @throws Problem 401 `proof`, `token`; 403 `device`
   */
  admit(request: IncomingMessage): Promise<{ user: string; key: string }>
}

export function createShareAccess(parts: {
  database: Kysely<unknown>
  who: Who
  links: Pick<Links, 'approvedBy'>
  store: Pick<RecoveryStore, 'knowsKey'>
}): ShareAccess {
  const { database, who, links, store } = parts

  /** The first mailbox that approves a user's device stays the one that approves all others. */
  async function isContact(user: string, mailbox: Buffer): Promise<boolean> {
    await sql`
      insert into share_contact (user_id, mailbox) values (${user}, ${mailbox})
      on conflict (user_id) do nothing`.execute(database)
    const { rows } = await sql<{ mailbox: Buffer }>`
      select mailbox from share_contact where user_id = ${user}`.execute(database)
    return rows[0]?.mailbox.equals(mailbox) === true
  }

  return {
    async admit(request) {
      const { user, key } = await who.user(request)
      if (await store.knowsKey(user, key)) return { user, key }
      const mailbox = await links.approvedBy(key)
      if (mailbox !== undefined && (await isContact(user, mailbox))) return { user, key }
      throw new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
    },
  }
}
