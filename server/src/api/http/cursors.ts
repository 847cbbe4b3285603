import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { TableRow } from '../../schema/tableRow.ts'
import { Problem } from '../../kit/http/problem.ts'

/** Signs cursors, so that clients cannot forge them or use them with another list. */
export type Cursors = {
  /**
   * Creates a cursor.
   *
   * @param list identifies the list: everything that the next page must have in common with this one
   */
  seal(list: string, place: string | null): string | null
  /**
   * Verifies a cursor and returns its position, or `undefined` without a cursor.
   *
   * @throws Problem 400 `cursor` if it was not created here for this list
   */
  open(list: string, cursor: string | undefined): string | undefined
}

const macBytes = 16
/** Maximum length of a cursor in a query. */
export const cursorLength = 1_024

/** Creates cursors that are signed with a secret (HMAC-SHA256). */
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
      // A different text with the same bytes was not created here.
      const isOurs = bytes.toString('base64url') === cursor && mac.length === macBytes
      if (!isOurs || !timingSafeEqual(mac, macOf(list, place))) {
        throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
      }
      return place.toString()
    },
  }
}

/** Loads the secret that all processes share. The first process creates it. */
export async function loadCursorSecret(database: Kysely<unknown>): Promise<Uint8Array> {
  await sql`insert into api_secret (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(database)
  const { rows } = await sql<Pick<TableRow<'api_secret'>, 'secret'>>`select secret from api_secret`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The secret of the data service could not be kept in the database.')
  return row.secret
}
