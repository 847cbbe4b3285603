import { sql, type Kysely } from 'kysely'

/** The table of the places in the queues. Each service has its own. */
export type MailTurnTable = 'auth_mail_turn' | 'share_mail_turn'

const minuteMs = 60_000
/** Time between two mails to one address beyond its free budget. */
const slotMs = 10 * minuteMs
/** A place lapses if the request is not repeated in time. */
const graceMs = 30 * minuteMs
/** A network that got a mail counts as served for a day. */
const servedMs = 24 * 60 * minuteMs
/** A bound for the table. An attacker needs as many networks to fill a queue. */
const maxPlaces = 500

type Turn = { network: Buffer; turn_at: number; served_at: number | null }

/**
 * Takes a place in the queue of a mailbox, for mails to strangers beyond the free budget. A limit alone would let an attacker
 * lock others out by using it up. In the queue each network has one place, and a network that got no mail within a day comes
 * before those that did. So the owner waits ten minutes for each network of the attacker that was not served yet, at most, and
 * then gets the mail. Call it in a transaction that has locked the mailbox.
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
  const { rows } = await sql<Turn>`
    select network, turn_at, served_at from ${sql.table(table)}
    where mailbox = ${mailbox} and turn_at > ${now - servedMs} order by turn_at`.execute(transaction)
  const queue = rows.filter((turn) => isWaiting(turn, now))
  const own = rows.find((turn) => turn.network.equals(network))
  const place = queue.find((turn) => turn === own)
  if (place !== undefined && place.turn_at > now) return place.turn_at - now
  const store = (turn: Turn) => storeTurn(transaction, table, { mailbox, turn })
  if (place !== undefined) {
    await store({ network, turn_at: now, served_at: now })
    return 0
  }
  const end = Math.max(now, ...queue.map((turn) => turn.turn_at)) + slotMs
  const wasServed = own !== undefined && isServed(own, now)
  const ahead = wasServed ? undefined : queue.find((turn) => turn.turn_at > now && isServed(turn, now))
  if (ahead !== undefined) {
    await store({ network, turn_at: ahead.turn_at, served_at: null })
    await store({ ...ahead, turn_at: end })
    return ahead.turn_at - now
  }
  if (queue.length >= maxPlaces) return end - now
  await store({ network, turn_at: end, served_at: wasServed ? own.served_at : null })
  return end - now
}

const isServed = ({ served_at: servedAt }: Turn, now: number): boolean => servedAt !== null && servedAt > now - servedMs

/** A place that was used has the time of its use. */
function isWaiting({ turn_at: turnAt, served_at: servedAt }: Turn, now: number): boolean {
  return turnAt > now - graceMs && turnAt !== servedAt
}

async function storeTurn(
  transaction: Kysely<unknown>,
  table: MailTurnTable,
  { mailbox, turn: { network, turn_at: turnAt, served_at: servedAt } }: { mailbox: Buffer; turn: Turn },
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (mailbox, network, turn_at, served_at)
    values (${mailbox}, ${network}, ${turnAt}, ${servedAt})
    on conflict (mailbox, network) do update set turn_at = excluded.turn_at, served_at = excluded.served_at`.execute(
    transaction,
  )
}

/** The condition of places that no queue needs, for the sweep. */
export function lapsedMailTurn(now: number): { column: 'turn_at'; upTo: number } {
  return { column: 'turn_at', upTo: now - servedMs }
}
