import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { AccessTokens } from './accessTokens.ts'

/** What a logged-in frame holds. The refresh token is told once. */
export type SessionTokens = {
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** How somebody logged in, and when: risky actions want it strong and fresh. */
export type Login = { readonly user: string; readonly key: string; readonly methods: readonly string[] }

/** Sessions of frames. Each belongs to the frame's key: a token without it opens nothing. */
export type Sessions = {
  begin(login: Login): Promise<SessionTokens>
  /**
   * Trades a refresh token for the next one.
   *
   * A token that was traded before ends the whole session, for two have it then; the same frame may ask once more within
   * ten seconds, for answers get lost.
   *
   * @throws Problem 401 `token`
   */
  refresh(refreshToken: string, key: string): Promise<SessionTokens>
  end(refreshToken: string): Promise<void>
  /** Ends all sessions of a user, but the one of the given key when there is one. */
  endAll(user: string, except?: string): Promise<void>
  /** Ends the sessions of one device of a user. */
  endKey(user: string, key: string): Promise<void>
  /** Whether a session goes on: a token lives for minutes longer than its session. */
  isLive(session: string): Promise<boolean>
}

const slidingMs = 14 * 86_400_000
const hardMs = 90 * 86_400_000
const graceMs = 10_000

type Row = {
  session: string
  user: string
  key: string
  methods: string[]
  begun_at: number
  expires_at: number
  traded_at: number | null
  ended_at: number | null
}

export function createSessions(parts: { database: Kysely<unknown>; clock: Clock; tokens: AccessTokens }): Sessions {
  const { database, clock, tokens } = parts

  async function issue(login: Login, session: string, begunAt: number): Promise<SessionTokens> {
    const refreshToken = randomBytes(32).toString('base64url')
    const now = clock.now()
    const expiresAt = Math.min(now + slidingMs, begunAt + hardMs)
    await sql`
      insert into auth_refresh (token, session, created_at, expires_at)
      values (${hashOf(refreshToken)}, ${session}, ${now}, ${expiresAt})`.execute(database)
    const accessToken = await tokens.sign({ ...login, session, begunAt })
    return { accessToken, refreshToken, expiresAt }
  }

  async function endSession(session: string): Promise<void> {
    await sql`
      update auth_session set ended_at = ${clock.now()} where id = ${session} and ended_at is null`.execute(database)
  }

  return {
    async begin(login) {
      const session = randomUUID()
      const now = clock.now()
      await sql`
        insert into auth_session (id, user_id, key_thumbprint, methods, begun_at)
        values (${session}, ${login.user}, ${login.key}, ${[...login.methods]}::text[], ${now})`.execute(database)
      return issue(login, session, now)
    },
    async refresh(refreshToken, key) {
      const now = clock.now()
      const token = hashOf(refreshToken)
      const traded = await sql<{ token: Buffer }>`
        update auth_refresh set traded_at = ${now}
        where token = ${token} and traded_at is null and expires_at > ${now}
          and session in (select id from auth_session where key_thumbprint = ${key} and ended_at is null)
        returning token`.execute(database)
      const { rows } = await sql<Row>`
        select session, user_id as user, key_thumbprint as key, methods, begun_at, expires_at, traded_at, ended_at
        from auth_refresh join auth_session on auth_session.id = session
        where token = ${token}`.execute(database)
      const [row] = rows
      if (row === undefined || row.ended_at !== null || row.expires_at <= now) throw refused()
      const isAgain = row.traded_at !== null && now - row.traded_at <= graceMs && row.key === key
      if (traded.rows.length === 0 && !isAgain) {
        await endSession(row.session)
        throw refused()
      }
      return issue({ user: row.user, key, methods: row.methods }, row.session, row.begun_at)
    },
    async end(refreshToken) {
      const { rows } = await sql<{ session: string }>`
        select session from auth_refresh where token = ${hashOf(refreshToken)}`.execute(database)
      const [row] = rows
      if (row !== undefined) await endSession(row.session)
    },
    async endKey(user, key) {
      await sql`
        update auth_session set ended_at = ${clock.now()}
        where user_id = ${user} and ended_at is null and key_thumbprint = ${key}`.execute(database)
    },
    async isLive(session) {
      const { rows } = await sql`
        select from auth_session where id = ${session} and ended_at is null`.execute(database)
      return rows.length > 0
    },
    async endAll(user, except) {
      await sql`
        update auth_session set ended_at = ${clock.now()}
        where user_id = ${user} and ended_at is null and key_thumbprint is distinct from ${except ?? null}`.execute(
        database,
      )
    },
  }
}

/** The database knows no token that anybody could use. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function refused(): Problem {
  return new Problem(401, 'token', 'This session is over. Log in again.')
}
