import { sql, type Kysely } from 'kysely'

const minute = 60_000
const hour = 60 * minute

/** What an operator may set of the limits on mail. */
export type MailLimits = {
  /** Between two mails of one kind to one address, in milliseconds; half a minute when left out. [R9.1.1] */
  readonly pause?: number
  /** How many one machine may ask for in an hour, for whatever addresses; twenty when left out. */
  readonly perClient?: number
}

export const usualMailLimits: Required<MailLimits> = { pause: minute / 2, perClient: 20 }

type Asked = { mailbox: Buffer; domain: Buffer; client: Buffer; project: string }

/** How many codes there may be for what in which time: they are counted in the database and survive every restart. */
const limits: readonly { of: keyof Asked; within: number; most: number }[] = [
  { of: 'mailbox', within: hour, most: 5 },
  { of: 'mailbox', within: 24 * hour, most: 10 },
  { of: 'domain', within: hour, most: 500 },
  { of: 'project', within: hour, most: 2_000 },
]

/**
 * Whether another code would be one too many.
 *
 * @returns the seconds to wait, at least 1; undefined when it may be sent
 */
export async function tooSoon(
  database: Kysely<unknown>,
  asked: Asked,
  now: number,
  { pause, perClient }: Required<MailLimits>,
): Promise<number | undefined> {
  const all: typeof limits = [
    { of: 'mailbox', within: pause, most: 1 },
    { of: 'client', within: hour, most: perClient },
    ...limits,
  ]
  const waits = await Promise.all(
    all.map(({ of, within, most }) => waitFor(database, of, asked[of], within, most, now)),
  )
  const longest = Math.max(...waits)
  return longest > 0 ? Math.ceil(longest / 1_000) : undefined
}

/** Milliseconds until the oldest of the codes that count leaves the window; 0 when there is room. */
async function waitFor(
  database: Kysely<unknown>,
  column: keyof Asked,
  value: Buffer | string,
  within: number,
  most: number,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ created_at: number }>`
    select created_at from auth_code
    where ${sql.ref(column)} = ${value} and created_at > ${now - within}
    order by created_at desc limit 1 offset ${most - 1}`.execute(database)
  const [row] = rows
  return row === undefined ? 0 : row.created_at + within - now
}
