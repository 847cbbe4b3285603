import { sql, type Kysely } from 'kysely'

/** The table of the places in the queues. Each service has its own. */
export type MailTurnTable = 'auth_mail_turn' | 'share_mail_turn'

const minuteMs = 60_000
/** Time between two mails to one address beyond its free budget. */
const slotMs = 10 * minuteMs
/** A place lapses if the request is not repeated in time. */
const graceMs = 30 * minuteMs
const maxPlaces = 36

/**
 * Takes a place in the queue of a mailbox, for mails to strangers beyond the free budget. A limit alone would let an attacker
 * lock others out by using it up. In the queue each network has one place, so the owner waits ten minutes for each network of
 * the attacker, and then gets the mail. Call it in a transaction that has locked the mailbox.
 *
 * @param network keyed hash of the requester's network
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, after which the request has to be repeated; 0 if it is the requester's turn, which uses the
 *   place up
 */
export async function takeMailTurn(
  transaction: Kysely<unknown>,
  table: MailTurnTable,
  { mailbox, network, now }: { mailbox: Buffer; network: Buffer; now: number },
): Promise<number> {
  await sql`
    delete from ${sql.table(table)} where mailbox = ${mailbox} and turn_at <= ${now - graceMs}`.execute(transaction)
  const { rows } = await sql<{ turn_at: number; is_own: boolean }>`
    select turn_at, network = ${network} as is_own from ${sql.table(table)} where mailbox = ${mailbox}`.execute(
    transaction,
  )
  const own = rows.find(({ is_own: isOwn }) => isOwn)
  if (own !== undefined && own.turn_at > now) return own.turn_at - now
  if (own !== undefined) {
    await sql`delete from ${sql.table(table)} where mailbox = ${mailbox} and network = ${network}`.execute(transaction)
    return 0
  }
  const turnAt = Math.max(now, ...rows.map((row) => row.turn_at)) + slotMs
  if (rows.length < maxPlaces) {
    await sql`
      insert into ${sql.table(table)} (mailbox, network, turn_at) values (${mailbox}, ${network}, ${turnAt})`.execute(
      transaction,
    )
  }
  return turnAt - now
}

/** The condition of places that have lapsed, for the sweep. */
export function lapsedMailTurn(now: number): { column: 'turn_at'; upTo: number } {
  return { column: 'turn_at', upTo: now - graceMs }
}
