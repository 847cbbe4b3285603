import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createMonotonicClock } from '../createMonotonicClock.ts'
import { sweepRows } from '../sweepRows.ts'
import { computeFarcasterNonce, type FarcasterCommitment } from './computeFarcasterNonce.ts'
import type { FarcasterCheck } from './farcasterCheck.ts'

/** A signed message, and what its nonce commits to. */
export type FarcasterLogin = FarcasterCommitment & { readonly message: string; readonly signature: string }

/** Logins with a Farcaster account at one service. Each is for the key of one frame, lasts ten minutes, and is used once. */
export type FarcasterLogins = {
  /** Returns a challenge for a frame, as base64url. The nonce of its message has to commit to it. */
  begin(key: string): Promise<string>
  /**
   * Verifies a message, and uses up the challenge of this service.
   *
   * @throws Problem 404 `challenge` if the challenge is unknown, expired, used, or belongs to another frame; 401 `identity` if the
   *   message is invalid; 503 `chain`, after which the request can be repeated
   */
  verify(login: FarcasterLogin): Promise<{ fid: bigint }>
  sweep(): Promise<void>
}

const lifetimeMs = 10 * 60_000

export type FarcasterLoginsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  check: FarcasterCheck
  /** The service, which has a table and a challenge of its own. */
  service: 'auth' | 'shares'
}

const tables = { auth: 'auth_farcaster_login', shares: 'share_farcaster_login' } as const

/**
 * Creates the Farcaster logins of a service. Neither service opens the channel in which the user approves: the frame does, at a
 * relay, so no service can have a nonce of its own signed.
 */
export function createFarcasterLogins({
  database,
  check,
  service,
  ...options
}: FarcasterLoginsDependencies): FarcasterLogins {
  const clock = createMonotonicClock(options.clock)
  const table = tables[service]

  /** Of two concurrent requests, one succeeds. */
  async function consumeChallenge(challenge: string, key: string): Promise<void> {
    const { rows } = await sql`
      update ${sql.table(table)} set used_at = ${clock.now()}
      where ${isOpen(challenge, key)} returning challenge`.execute(database)
    if (rows.length === 0) throw challengeOver()
  }
  const isOpen = (challenge: string, key: string) => sql`
    challenge = ${Buffer.from(challenge, 'base64url')} and key_thumbprint = ${key} and used_at is null
      and expires_at > ${clock.now()}`

  return {
    async begin(key) {
      const challenge = randomBytes(32)
      await sql`
        insert into ${sql.table(table)} (challenge, key_thumbprint, expires_at)
        values (${challenge}, ${key}, ${clock.now() + lifetimeMs})`.execute(database)
      return challenge.toString('base64url')
    },
    async verify({ message, signature, ...commitment }) {
      const challenge = service === 'auth' ? commitment.authChallenge : commitment.sharesChallenge
      // The chain is asked for known challenges only.
      const { rows } = await sql`
        select from ${sql.table(table)} where ${isOpen(challenge, commitment.key)}`.execute(database)
      if (rows.length === 0) throw challengeOver()
      const account = await check({ message, signature, nonce: computeFarcasterNonce(commitment) })
      await consumeChallenge(challenge, commitment.key)
      return account
    },
    sweep: () => sweepRows(database, { table, column: 'expires_at', upTo: clock.now() }),
  }
}

function challengeOver(): Problem {
  return new Problem(404, 'challenge', 'This login has ended. Start again.')
}
