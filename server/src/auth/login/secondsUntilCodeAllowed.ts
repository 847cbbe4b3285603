import type { Kysely } from 'kysely'
import type { MailLimits } from '../../custody/mail/mailLimits.ts'
import { windowWaitMs } from '../../custody/windowWaitMs.ts'

const hourMs = 60 * 60_000

/** The keyed hashes that a code is counted by. */
export type CodeCounters = { mailbox: Buffer; domain: Buffer; client: Buffer; project: string }

type CodeLimit = { column: keyof CodeCounters; withinMs: number; max: number }

/** Codes are counted in the database, so a restart resets nothing. */
const codeLimits: readonly CodeLimit[] = [
  { column: 'mailbox', withinMs: hourMs, max: 5 },
  { column: 'mailbox', withinMs: 24 * hourMs, max: 10 },
  { column: 'domain', withinMs: hourMs, max: 500 },
  { column: 'project', withinMs: hourMs, max: 2_000 },
]

/**
 * Returns the seconds until another code may be sent, at least 1. Returns `undefined` if it may be sent now.
 *
 * @param now milliseconds since the epoch
 */
export async function secondsUntilCodeAllowed(
  database: Kysely<unknown>,
  counters: CodeCounters,
  now: number,
  { intervalMs, perClientPerHour }: Required<MailLimits>,
): Promise<number | undefined> {
  const limits: readonly CodeLimit[] = [
    { column: 'mailbox', withinMs: intervalMs, max: 1 },
    { column: 'client', withinMs: hourMs, max: perClientPerHour },
    ...codeLimits,
  ]
  const waits = await Promise.all(
    limits.map(({ column, withinMs, max }) =>
      windowWaitMs(
        database,
        { table: 'auth_code', time: 'created_at', column, value: counters[column] },
        {
          withinMs,
          max,
          now,
        },
      ),
    ),
  )
  const longest = Math.max(...waits)
  return longest > 0 ? Math.ceil(longest / 1_000) : undefined
}
