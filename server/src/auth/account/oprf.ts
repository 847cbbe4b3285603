import { hkdfSync, randomBytes } from 'node:crypto'
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { monotonic } from '../monotonic.ts'

/**
 * The auth service's word on passwords that it cannot see (RFC 9497, ristretto255-SHA512, OPRF mode). Each user has a key
 * of his own. Whoever guesses has to ask here for each guess, and is counted.
 */
export type PasswordOprf = {
  /**
   * @param version of the secret; the newest when left out
   * @throws Problem 400 `blinded`, `version`; 429 `password` with the seconds to wait
   */
  evaluate(user: string, blinded: Uint8Array, version?: number): Promise<{ evaluated: Uint8Array; version: number }>
  /** A guess was right: a device was set up after it. */
  succeeded(user: string): Promise<void>
  sweep(): Promise<void>
}

const minute = 60_000
const day = 24 * 60 * minute
const limits = [
  { within: minute, most: 5 },
  { within: day, most: 20 },
] as const
/** So many without one that was right, and nobody may try for a day. */
const mostFailures = 100
const secretBytes = 32
const firstVersion = 1

export function createPasswordOprf(parts: { database: Kysely<unknown>; clock: Clock; secrets: Secrets }): PasswordOprf {
  const { database, secrets } = parts
  const clock = monotonic(parts.clock)
  const place = (version: number) => ({ table: 'auth_oprf_secret', row: String(version), owner: 'service' })

  async function secretOf(version: number | undefined): Promise<{ version: number; secret: Buffer }> {
    const which = version === undefined ? sql`` : sql`where version = ${version}`
    const { rows } = await sql<{ version: number; secret: Buffer }>`
      select version, secret from auth_oprf_secret ${which} order by version desc limit 1`.execute(database)
    const [row] = rows
    if (row !== undefined) return { version: row.version, secret: await secrets.open(place(row.version), row.secret) }
    if (version !== undefined) throw new Problem(400, 'version', 'There is no such version.')
    const sealed = await secrets.seal(place(firstVersion), randomBytes(secretBytes))
    await sql`
      insert into auth_oprf_secret (version, secret) values (${firstVersion}, ${sealed})
      on conflict do nothing`.execute(database)
    return secretOf(firstVersion)
  }

  /** Counted before anything is computed, one after the other: a hundred at once are still five. */
  async function count(user: string): Promise<void> {
    const now = clock.now()
    const wait = await database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ failures: number; paused_until: number }>`
        insert into auth_oprf (user_id, failures, paused_until) values (${user}, 0, 0)
        on conflict (user_id) do update set user_id = excluded.user_id
        returning failures, paused_until`.execute(transaction)
      const { failures = 0, paused_until: pausedUntil = 0 } = rows[0] ?? {}
      if (pausedUntil > now) return pausedUntil - now
      if (failures >= mostFailures) {
        await sql`
          update auth_oprf set failures = 0, paused_until = ${now + day} where user_id = ${user}`.execute(transaction)
        return day
      }
      const waits = await Promise.all(limits.map(({ within, most }) => waitFor(transaction, user, within, most, now)))
      if (Math.max(...waits) > 0) return Math.max(...waits)
      await sql`insert into auth_oprf_try (user_id, at) values (${user}, ${now})`.execute(transaction)
      await sql`update auth_oprf set failures = failures + 1 where user_id = ${user}`.execute(transaction)
      return 0
    })
    if (wait <= 0) return
    const seconds = Math.ceil(wait / 1_000)
    throw new Problem(429, 'password', `Please try again after ${seconds} seconds`, { retryAfter: seconds })
  }

  return {
    async evaluate(user, blinded, version) {
      await count(user)
      const { secret, version: used } = await secretOf(version)
      const seed = Buffer.from(hkdfSync('sha256', secret, user, 'latchkey/oprf/1', 32))
      const { secretKey } = suite.oprf.deriveKeyPair(seed, Buffer.from('latchkey'))
      seed.fill(0)
      secret.fill(0)
      try {
        return { evaluated: suite.oprf.blindEvaluate(secretKey, Uint8Array.from(blinded)), version: used }
      } catch {
        throw new Problem(400, 'blinded', 'This is no blinded password.')
      } finally {
        secretKey.fill(0)
      }
    },
    async succeeded(user) {
      await sql`update auth_oprf set failures = 0 where user_id = ${user}`.execute(database)
    },
    async sweep() {
      await sql`delete from auth_oprf_try where at <= ${clock.now() - day}`.execute(database)
    },
  }
}

/** Milliseconds until the oldest of the guesses that count leaves the window; 0 when there is room. */
async function waitFor(
  from: Kysely<unknown>,
  user: string,
  within: number,
  most: number,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select at from auth_oprf_try where user_id = ${user} and at > ${now - within}
    order by at desc limit 1 offset ${most - 1}`.execute(from)
  const [row] = rows
  return row === undefined ? 0 : row.at + within - now
}
