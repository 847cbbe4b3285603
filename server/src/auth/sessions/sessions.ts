import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { isUuid } from '../../custody/isUuid.ts'
import { sessionEnded, type Login } from '../../custody/requests/verifyAccessToken.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { sweepRows } from '../../custody/sweepRows.ts'
import type { AccessTokens } from './accessTokens.ts'

/** The tokens of a logged-in frame. The refresh token is returned once. */
export type SessionTokens = {
  /** For the auth service. */
  readonly accessToken: string
  /** For the share store. */
  readonly sharesToken: string
  readonly refreshToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A device with a session, and the time of its latest login in milliseconds since the epoch. */
export type LoggedInDevice = { readonly key: string; readonly browser: string; readonly createdAt: number }

/** Sessions of frames. Each session is bound to the key of a frame: its tokens are useless without that key. */
export type Sessions = {
  /** @param browser for the list of the user's devices */
  begin(login: Login, browser?: string): Promise<SessionTokens>
  /** Lists the devices with a session that can still be continued, by their keys, the latest first, at most a hundred. */
  listDevices(user: string): Promise<readonly LoggedInDevice[]>
  /**
   * Exchanges a refresh token for new tokens.
   *
   * A token that was already exchanged ends the whole session, because two parties hold it then. The same frame may repeat
   * the request for ten seconds, because responses get lost.
   *
   * @throws Problem 401 `token`
   */
  refresh(refreshToken: string, key: string): Promise<SessionTokens>
  /** Idempotent. */
  end(refreshToken: string): Promise<void>
  /** Ends all sessions of a user, except those of the given key. @param within the transaction that it is part of */
  endAll(user: string, exceptKey?: string, within?: Kysely<unknown>): Promise<void>
  /** Ends the sessions of one device of a user. */
  endDevice(user: string, key: string): Promise<void>
  /** True while the session has not ended. An access token outlives its session by minutes. */
  isActive(session: string): Promise<boolean>
  /** Deletes expired refresh tokens, and sessions that ended or expired. */
  sweep(): Promise<void>
}

const slidingMs = 14 * 86_400_000
const absoluteMs = 90 * 86_400_000
const retryMs = 10_000
const maxListed = 100
/** Ended sessions are kept until the last access token has expired. */
const endedMs = 86_400_000

type RemovedRow = { removed_at: number | null }
/** Time of the last removal of a session's device. */
const removedAt = sql`(
  select at from auth_removed_device
  where auth_removed_device.user_id = auth_session.user_id
    and auth_removed_device.key_thumbprint = auth_session.key_thumbprint) as removed_at`
/** The share store forgets devices that were unused for ninety days. */
const removedMs = 100 * 86_400_000

type RefreshRow = Pick<TableRow<'auth_session'>, 'methods' | 'begun_at' | 'ended_at'> &
  Pick<TableRow<'auth_refresh'>, 'session' | 'expires_at' | 'traded_at'> &
  RemovedRow & { user: string; key: string }

export type SessionsDependencies = { database: Kysely<unknown>; clock: Clock; tokens: Pick<AccessTokens, 'sign'> }

/** Creates the sessions of the auth service. */
export function createAuthSessions(dependencies: SessionsDependencies): Sessions {
  const { database, clock } = dependencies
  return {
    async begin(login, browser = '') {
      const session = randomUUID()
      const now = clock.now()
      const { rows } = await sql<RemovedRow>`
        insert into auth_session (id, user_id, key_thumbprint, methods, begun_at, browser)
        values (${session}, ${login.user}, ${login.key}, ${[...login.methods]}::text[], ${now}, ${browser})
        returning ${removedAt}`.execute(database)
      return issueTokens(dependencies, login, { session, begunAt: now, removedAt: rows[0]?.removed_at ?? undefined })
    },
    async listDevices(user) {
      const now = clock.now()
      const { rows } = await sql<LoggedInDevice>`
        select key_thumbprint as key, max(begun_at) as "createdAt",
          (array_agg(browser order by begun_at desc))[1] as browser
        from auth_session
        where user_id = ${user} and ended_at is null and begun_at > ${now - absoluteMs}
          and exists (select from auth_refresh where session = auth_session.id and expires_at > ${now})
        group by key_thumbprint order by 2 desc limit ${maxListed}`.execute(database)
      return rows
    },
    refresh: (refreshToken, key) => refreshSession(dependencies, refreshToken, key),
    async end(refreshToken) {
      const { rows } = await sql<{ session: string }>`
        select session from auth_refresh where token = ${sha256(refreshToken)}`.execute(database)
      const [row] = rows
      if (row !== undefined) await endSession(dependencies, row.session)
    },
    async endDevice(user, key) {
      await sql`
        update auth_session set ended_at = ${clock.now()}
        where user_id = ${user} and ended_at is null and key_thumbprint = ${key}`.execute(database)
    },
    async isActive(session) {
      if (!isUuid(session)) return false
      const { rows } = await sql`
        select from auth_session where id = ${session} and ended_at is null`.execute(database)
      return rows.length > 0
    },
    async sweep() {
      const now = clock.now()
      await sweepRows(database, { table: 'auth_removed_device', column: 'at', upTo: now - removedMs })
      await sweepRows(database, { table: 'auth_refresh', column: 'expires_at', upTo: now })
      await sweepRows(database, { table: 'auth_session', column: 'ended_at', upTo: now - endedMs })
      await sweepRows(database, { table: 'auth_session', column: 'begun_at', upTo: now - absoluteMs - endedMs })
    },
    async endAll(user, exceptKey, within = database) {
      await sql`
        update auth_session set ended_at = ${clock.now()}
        where user_id = ${user} and ended_at is null and key_thumbprint is distinct from ${exceptKey ?? null}`.execute(
        within,
      )
    },
  }
}

/** The database stores hashes of refresh tokens, so a copy of it contains no usable token. */
async function issueTokens(
  { database, clock, tokens }: SessionsDependencies,
  login: Login,
  { session, begunAt, removedAt: removal }: { session: string; begunAt: number; removedAt: number | undefined },
): Promise<SessionTokens> {
  const refreshToken = randomBytes(32).toString('base64url')
  const now = clock.now()
  const expiresAt = Math.min(now + slidingMs, begunAt + absoluteMs)
  const claims = { ...login, session, begunAt, removedAt: removal }
  const [accessToken, sharesToken] = await Promise.all([
    tokens.sign(claims, 'auth'),
    tokens.sign(claims, 'shares'),
    sql`
      insert into auth_refresh (token, session, created_at, expires_at)
      values (${sha256(refreshToken)}, ${session}, ${now}, ${expiresAt})`.execute(database),
  ])
  return { accessToken, sharesToken, refreshToken, expiresAt }
}

async function refreshSession(
  dependencies: SessionsDependencies,
  refreshToken: string,
  key: string,
): Promise<SessionTokens> {
  const { database, clock } = dependencies
  const now = clock.now()
  const token = sha256(refreshToken)
  const exchanged = await sql<{ token: Buffer }>`
    update auth_refresh set traded_at = ${now}
    where token = ${token} and traded_at is null and expires_at > ${now}
      and session in (select id from auth_session where key_thumbprint = ${key} and ended_at is null)
    returning token`.execute(database)
  const { rows } = await sql<RefreshRow>`
    select session, user_id as user, key_thumbprint as key, methods, begun_at, expires_at, traded_at, ended_at,
      ${removedAt}
    from auth_refresh join auth_session on auth_session.id = session
    where token = ${token}`.execute(database)
  const [row] = rows
  if (row === undefined || row.ended_at !== null || row.expires_at <= now) throw sessionEnded()
  const isRetry = row.traded_at !== null && now - row.traded_at <= retryMs && row.key === key
  if (exchanged.rows.length === 0 && !isRetry) {
    await endSession(dependencies, row.session)
    throw sessionEnded()
  }
  const login = { user: row.user, key, methods: row.methods }
  const { session, begun_at: begunAt } = row
  return issueTokens(dependencies, login, { session, begunAt, removedAt: row.removed_at ?? undefined })
}

async function endSession({ database, clock }: SessionsDependencies, session: string): Promise<void> {
  await sql`
    update auth_session set ended_at = ${clock.now()} where id = ${session} and ended_at is null`.execute(database)
}
