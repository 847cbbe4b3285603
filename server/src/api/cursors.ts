import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { Problem } from '../kit/problem.ts'

/** Writes where a page of a list ended, so that nobody can write such a place himself, or use one with another list. */
export type Cursors = {
  /** @param list what is listed, of whom, and where: all that the next page has to have in common with this one */
  seal(list: string, place: string | null): string | null
  /**
   * The place that a cursor names; none when there is no cursor.
   *
   * @throws Problem 400 `cursor` when it was not given out here for this list
   */
  open(list: string, cursor: string | undefined): string | undefined
}

const macBytes = 16
/** What a cursor may be long, as it stands in a query. */
export const cursorLength = 1_024

/** Makes cursors that are signed with a secret. */
export function createCursors(secret: Uint8Array): Cursors {
  const macOf = (list: string, place: Buffer): Buffer =>
    createHmac('sha256', secret).update(`${list}\n`).update(place).digest().subarray(0, macBytes)

  return {
    seal(list, text) {
      if (text === null) return null
      const place = Buffer.from(text)
      return Buffer.concat([macOf(list, place), place]).toString('base64url')
    },
    open(list, cursor) {
      if (cursor === undefined || cursor === '') return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      const [mac, place] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)]
      // A text that leads to the same bytes by another way was not written here either.
      const isOurs = bytes.toString('base64url') === cursor && mac.length === macBytes
      if (!isOurs || !timingSafeEqual(mac, macOf(list, place))) {
        throw new Problem(400, 'cursor', 'This cursor was not given out here for this list.')
      }
      return place.toString()
    },
  }
}

/** The secret that all processes on this database share; the first one draws it. */
export async function readApiSecret(database: Kysely<unknown>): Promise<Uint8Array> {
  await sql`insert into api_secret (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from api_secret`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The secret of the data service could not be kept in the database.')
  return row.secret
}
