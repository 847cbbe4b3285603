import { hkdfSync, randomBytes } from 'node:crypto'
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { sql, type Kysely, type Transaction } from 'kysely'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import { tryAgainLater } from '../../custody/requests/tryAgainLater.ts'
import { windowWaitMs } from '../../custody/windowWaitMs.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/**
 * An oblivious pseudorandom function over passwords that the service cannot see (RFC 9497, ristretto255-SHA512, OPRF mode).
 * Each user has a key. Every guess of a password needs an evaluation here, and evaluations are limited. [K-09]
 */
export type PasswordOprf = {
  /**
   * Counts an attempt and evaluates a blinded password.
   *
   * @param guesser the user, and if the device has proven more than a login. Both kinds of devices have attempts of their own, so
   *   that the thief of one code can't use up those of the owner's devices.
   * @param blinded a group element of 32 bytes
   * @param version of the service's secret; the latest if omitted
   * @throws Problem 400 `blinded`, `version`; 429 `password` with the seconds to wait
   */
  evaluate(guesser: Guesser, blinded: Uint8Array, version?: number): Promise<{ evaluated: Uint8Array; version: number }>
  /** Resets the failures of a user's device, which has proven to hold the wallet: the last password was right. */
  resetFailures(guesser: Guesser): Promise<void>
  sweep(): Promise<void>
}

/** A user, and the kind of the device that enters a password. */
export type Guesser = { readonly user: string; readonly isProven: boolean }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const limits = [
  { withinMs: minuteMs, max: 5 },
  { withinMs: dayMs, max: 20 },
] as const
/** After this many attempts without success, the user has to wait a day. */
const maxFailures = 100
const secretBytes = 32
const firstVersion = 1

export type PasswordOprfDependencies = { database: Kysely<unknown>; clock: Clock; secrets: Secrets }

/** Creates the password function of the auth service. */
export function createPasswordOprf({ database, secrets, ...options }: PasswordOprfDependencies): PasswordOprf {
  const clock = createMonotonicClock(options.clock)
  return {
    async evaluate(guesser, blinded, version) {
      const { user } = guesser
      await countAttempt(database, guesser, clock.now())
      const { secret, version: used } = await openSecret({ database, secrets }, version)
      const seed = Buffer.from(hkdfSync('sha256', secret, user, 'latchkey/oprf/1', 32))
      const { secretKey } = suite.oprf.deriveKeyPair(seed, Buffer.from('latchkey'))
      seed.fill(0)
      secret.fill(0)
      try {
        return { evaluated: suite.oprf.blindEvaluate(secretKey, Uint8Array.from(blinded)), version: used }
      } catch {
        throw new Problem(400, 'blinded', 'This is not a blinded password.')
      } finally {
        secretKey.fill(0)
      }
    },
    async resetFailures({ user, isProven }) {
      await sql`update auth_oprf set failures = 0 where user_id = ${user} and proven = ${isProven}`.execute(database)
    },
    async sweep() {
      await sql`delete from auth_oprf_try where at <= ${clock.now() - dayMs}`.execute(database)
    },
  }
}

/** Counts an attempt before anything is computed. Concurrent attempts of a user are counted one after the other. */
async function countAttempt(database: Kysely<unknown>, guesser: Guesser, now: number): Promise<void> {
  const { user, isProven } = guesser
  const waitMs = await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Pick<TableRow<'auth_oprf'>, 'failures' | 'paused_until'>>`
      insert into auth_oprf (user_id, proven, failures, paused_until) values (${user}, ${isProven}, 0, 0)
      on conflict (user_id, proven) do update set user_id = excluded.user_id
      returning failures, paused_until`.execute(transaction)
    const { failures = 0, paused_until: pausedUntil = 0 } = rows[0] ?? {}
    if (pausedUntil > now) return pausedUntil - now
    if (failures >= maxFailures) return pauseUser(transaction, guesser, now)
    const also = { proven: isProven }
    const counted = { table: 'auth_oprf_try', time: 'at', column: 'user_id', value: user, also }
    const waits = await Promise.all(limits.map((limit) => windowWaitMs(transaction, counted, { ...limit, now })))
    const longest = Math.max(...waits)
    if (longest > 0) return longest
    await sql`
      insert into auth_oprf_try (user_id, proven, at) values (${user}, ${isProven}, ${now})`.execute(transaction)
    await sql`
      update auth_oprf set failures = failures + 1 where user_id = ${user} and proven = ${isProven}`.execute(
      transaction,
    )
    return 0
  })
  if (waitMs > 0) throw tryAgainLater('password', Math.ceil(waitMs / 1_000))
}

async function pauseUser(transaction: Transaction<unknown>, { user, isProven }: Guesser, now: number): Promise<number> {
  await sql`
    update auth_oprf set failures = 0, paused_until = ${now + dayMs}
    where user_id = ${user} and proven = ${isProven}`.execute(transaction)
  return dayMs
}

const secretLocation = (version: number) => ({
  table: 'auth_oprf_secret',
  row: String(version),
  owner: 'service',
})

/** Opens the service's secret, and creates the first version if there is none. */
async function openSecret(
  { database, secrets }: Pick<PasswordOprfDependencies, 'database' | 'secrets'>,
  version: number | undefined,
): Promise<{ version: number; secret: Buffer }> {
  const condition = version === undefined ? sql`` : sql`where version = ${version}`
  const { rows } = await sql<TableRow<'auth_oprf_secret'>>`
    select version, secret from auth_oprf_secret ${condition} order by version desc limit 1`.execute(database)
  const [row] = rows
  if (row !== undefined) {
    return { version: row.version, secret: await secrets.open(secretLocation(row.version), row.secret) }
  }
  if (version !== undefined) throw new Problem(400, 'version', 'There is no such version.')
  const sealed = await secrets.seal(secretLocation(firstVersion), randomBytes(secretBytes))
  await sql`
    insert into auth_oprf_secret (version, secret) values (${firstVersion}, ${sealed})
    on conflict do nothing`.execute(database)
  return openSecret({ database, secrets }, firstVersion)
}
