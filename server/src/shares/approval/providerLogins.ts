import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import type { SocialClient } from '../../custody/identity/socialClient.ts'
import type { SocialProvider } from '../../custody/identity/socialProviders.ts'
import { isUuid } from '../../custody/isUuid.ts'
import type { KeyedHash } from '../../custody/keyedHash.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { RequestFacts } from '../../messages/formatRequest.ts'

/** The share store's own login at a provider. */
export type ProviderLoginRequest = {
  readonly provider: SocialProvider
  /** The thumbprint of the frame's key. */
  readonly key: string
  /** The origin of the page that asks for the login. The last page shows it, as it does the browser and the place. */
  readonly origin: string
  readonly browser: string
  readonly place?: string | undefined
}

/** The code of a login, and the source of its request. */
export type FinishedProviderLogin = {
  readonly code: string
  readonly origin: string
  readonly request: RequestFacts | undefined
}

/**
 * The share store's own logins at providers. The auth service takes no part in them: client, callback, state, nonce and
 * verifier are the share store's.
 *
 * The auth service could still send a user's browser to a login that it began with a key of its own. Therefore a login
 * approves nothing by itself. Its last page passes a code to the frame in the same browser, and the frame redeems it for its own
 * login. The code of another login is worthless to that frame, and no other party sees it. [K-11]
 */
export type ProviderLogins = {
  /**
   * @returns the id of the login, and the provider's address for it
   * @throws Problem 400 `provider`, 502 `provider`
   */
  begin(request: ProviderLoginRequest): Promise<{ id: string; uri: string }>
  /**
   * Verifies a provider's response, once.
   *
   * @returns the code, and who asked for the login; `undefined` if no login waits for the response
   * @throws AuthorizationResponseError (of openid-client) if the user declined; Error for every other fault
   */
  finish(provider: SocialProvider, response: URLSearchParams): Promise<FinishedProviderLogin | undefined>
  /**
   * Redeems the code of a login, once. Three tries.
   *
   * @returns the account at the provider, as a keyed hash
   * @throws Problem 404 `id` if the login is over or belongs to another frame; 401 `code` if the code is wrong
   */
  redeem(login: { id: string; key: string; code: string }): Promise<Buffer>
  sweep(): Promise<void>
}

const lifetimeMs = 15 * 60_000
const codeDigits = 8
const maxTries = 3
const maxStateLength = 128

export type ProviderLoginsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  hash: KeyedHash
  /** The clients of the configured providers, with the share store's own registration. */
  clients: ReadonlyMap<SocialProvider, SocialClient>
  /** Returns the address that a provider sends its response to. */
  redirectUri(provider: SocialProvider): string
}

/** `request` is the source of the request. Logins that an earlier version began have none. */
type SealedLogin = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly request?: RequestFacts
}

const secretsLocation = (id: string) => ({ table: 'share_login', row: id, owner: 'service' })

/** Returns the keyed hash of an account at a provider. Only the subject identifies it. */
export function hashAccount(hash: KeyedHash, provider: string, subject: string): Buffer {
  return hash('identity', `${provider}\0${subject}`)
}

/** Creates the provider logins of the share store. */
export function createProviderLogins(options: ProviderLoginsDependencies): ProviderLogins {
  const dependencies = { ...options, clock: createMonotonicClock(options.clock) }
  const { database, clock } = dependencies
  return {
    begin: (request) => beginLogin(dependencies, request),
    finish: (provider, response) => finishLogin(dependencies, provider, response),
    redeem: (login) => redeemLogin(dependencies, login),
    async sweep() {
      await sql`delete from share_login where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

async function beginLogin(
  { database, clock, secrets, clients, redirectUri }: ProviderLoginsDependencies,
  { provider, key, origin, browser, place }: ProviderLoginRequest,
): Promise<{ id: string; uri: string }> {
  const client = clients.get(provider)
  if (client === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
  const [id, now] = [randomUUID(), clock.now()]
  const login = { state: createToken(), nonce: createToken(), verifier: createToken() }
  const uri = await client.begin({ ...login, redirectUri: redirectUri(provider) }).catch((cause: unknown) => {
    throw new Problem(502, 'provider', 'The provider can’t be reached. Try again in a moment, or log in another way.', {
      cause,
    })
  })
  const content = { ...login, request: { browser, place, at: now } } satisfies SealedLogin
  const sealed = await secrets.seal(secretsLocation(id), Buffer.from(JSON.stringify(content)))
  await sql`
    insert into share_login (id, provider, state, key_thumbprint, origin, secrets, expires_at)
    values (${id}, ${provider}, ${sha256(login.state)}, ${key}, ${origin}, ${sealed}, ${now + lifetimeMs})`.execute(
    database,
  )
  return { id, uri: uri.href }
}

async function finishLogin(
  { database, clock, secrets, hash, clients, redirectUri }: ProviderLoginsDependencies,
  provider: SocialProvider,
  response: URLSearchParams,
): Promise<FinishedProviderLogin | undefined> {
  const client = clients.get(provider)
  const state = response.get('state') ?? ''
  if (client === undefined || state.length > maxStateLength) return undefined
  const now = clock.now()
  const { rows } = await sql<{ id: string; secrets: Buffer; origin: string }>`
    update share_login set used_at = ${now}
    where provider = ${provider} and state = ${sha256(state)} and used_at is null and expires_at > ${now}
    returning id, secrets, origin`.execute(database)
  const [row] = rows
  if (row === undefined) return undefined
  // Only this module writes the column, and the value is authenticated.
  const sealed = JSON.parse((await secrets.open(secretsLocation(row.id), row.secrets)).toString()) as SealedLogin
  const { request, ...login } = sealed
  const { subject } = await client.finish(response, { ...login, redirectUri: redirectUri(provider) })
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  await sql`
    update share_login set contact = ${hashAccount(hash, provider, subject)}, code = ${hashCode(hash, row.id, code)}
    where id = ${row.id}`.execute(database)
  return { code, origin: row.origin, request }
}

async function redeemLogin(
  { database, clock, hash }: ProviderLoginsDependencies,
  { id, key, code }: { id: string; key: string; code: string },
): Promise<Buffer> {
  if (!isUuid(id)) throw createLoginExpiredProblem()
  // A try is counted before the comparison, so concurrent guesses cannot exceed the limit.
  const tried = await sql<{ contact: Buffer; code: Buffer }>`
    update share_login set tries = tries + 1
    where id = ${id} and key_thumbprint = ${key} and contact is not null and redeemed_at is null
      and tries < ${maxTries} and expires_at > ${clock.now()}
    returning contact, code`.execute(database)
  const [row] = tried.rows
  if (row === undefined) throw createLoginExpiredProblem()
  if (!timingSafeEqual(row.code, hashCode(hash, id, code))) {
    throw new Problem(401, 'code', 'This code is wrong. Check the other window, or log in again.')
  }
  const used = await sql`
    update share_login set redeemed_at = ${clock.now()} where id = ${id} and redeemed_at is null
    returning id`.execute(database)
  if (used.rows.length === 0) throw createLoginExpiredProblem()
  return row.contact
}

function hashCode(hash: KeyedHash, id: string, code: string): Buffer {
  return hash('provider code', `${id}\0${code}`)
}

function createToken(): string {
  return randomBytes(32).toString('base64url')
}

function createLoginExpiredProblem(): Problem {
  return new Problem(404, 'id', 'This login has expired. Start again.')
}
