import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { isUuid } from '../../custody/isUuid.ts'
import type { RequestDetails } from '../../custody/pages/confirmationForm.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { createLoginExpiredProblem } from './createLoginExpiredProblem.ts'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import { drawDigits } from '../../custody/drawDigits.ts'
import { createKeyedHash } from '../../custody/keyedHash.ts'
import { lockHash } from '../../custody/lockHash.ts'
import { networkPrefix } from '../../custody/requests/source/networkPrefix.ts'
import type { ProviderAccount } from '../../custody/identity/providerAccount.ts'
import type { SocialProvider } from '../../custody/identity/socialProviders.ts'

/** A request for a login at a provider. */
export type SocialLoginRequest = {
  readonly provider: SocialProvider
  /** The browser that began it and its approximate place, for the confirmation page. */
  readonly browser: string
  readonly place?: string | undefined
  /** The network address of that browser. */
  readonly client: string
  /** The thumbprint of the frame's key. */
  readonly key: string
  readonly origin: string
  /** Computed by the frame. The provider's ID token repeats it. */
  readonly nonce: string
  /** The share store's own login, for a device that the share store may not know. */
  readonly next?: NextLogin | undefined
}

/** A login that follows this one in the same window. */
export type NextLogin = {
  readonly uri: string
  /** True if it follows for enrolled devices too. */
  readonly always: boolean
}

/** A login whose response has arrived. */
export type ClaimedLogin = {
  readonly id: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The thumbprint of the frame's key. */
  readonly key: string
  readonly next?: NextLogin | undefined
}

/** The result of entering confirmation digits, and the address that the window goes on to. */
export type Confirmation = { readonly state: 'done' | 'wrong' | 'over'; readonly next?: string | undefined }

/** The account of a login, and whether its window goes on to the share store's login. */
export type RedeemedLogin = { readonly account: ProviderAccount; readonly continues: boolean }

/**
 * Logins at providers. Each is for one frame, lasts ten minutes, and accepts one response.
 *
 * The response may come from another person's browser: an attacker begins a login and lures a victim to its link. So the
 * frame that began it gets the account only with the secret of the callback page, which that page hands to frames in its own
 * browser, or after the confirmation digits were entered on the page.
 */
export type SocialLogins = {
  begin(request: SocialLoginRequest): Promise<{ id: string; state: string; verifier: string; match: string }>
  /** Claims the login that a response belongs to, once. Returns `undefined` if there is none at that provider. */
  claim(provider: SocialProvider, state: string): Promise<ClaimedLogin | undefined>
  /**
   * Stores the account until its page has handed over the secret, or the confirmation digits were entered there.
   *
   * @param next the address that the window goes on to
   * @returns the secret of the callback page, and the request that it shows
   */
  hold(id: string, account: ProviderAccount, next?: string): Promise<{ secret: string; request: RequestDetails }>
  /**
   * Checks the confirmation digits. Three tries. The login ends if another one that was begun in the same network has the same
   * digits: the user may have opened the link of an attacker, and entered the digits of their own login.
   *
   * @param input.client the network address of the browser that enters the digits
   */
  confirm(input: { id: string; secret: string; match: string; client: string }): Promise<Confirmation>
  findRequest(page: { id: string; secret: string }): Promise<RequestDetails | undefined>
  /** Stores the reason of a failure, as a sentence for the user. */
  fail(id: string, sentence: string): Promise<void>
  /**
   * Returns the account, once, to the frame that began the login.
   *
   * @param secret the secret of the callback page, if the page handed it over
   * @returns undefined until there is a result that the user confirmed
   * @throws Problem 404 `id` if the login is over, used, or belongs to another frame; 401 `login` if it failed
   */
  redeem(id: string, key: string, secret?: string): Promise<RedeemedLogin | undefined>
  sweep(): Promise<void>
}

const lifetimeMs = 10 * 60_000
const redeemMs = 60_000
const maxTries = 3
const maxStateLength = 128

export type SocialLoginsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  pepper: Uint8Array
}

type LoginContext = Pick<SocialLoginsDependencies, 'database' | 'clock'> & {
  sealed: SealedColumns
  hashNetwork(client: string): Buffer
}
type ClaimedRow = Pick<TableRow<'auth_social'>, 'id' | 'secrets' | 'key_thumbprint'>
type HeldRow = Pick<TableRow<'auth_social'>, 'origin' | 'browser' | 'created_at' | 'secrets'>
type LoginSecrets = {
  state: string
  nonce: string
  verifier: string
  next?: NextLogin | undefined
  place?: string | undefined
}
/** The columns that are stored sealed. */
type SealedColumns = {
  seal(column: 'secrets' | 'account', id: string, value: object): Promise<Buffer>
  open(column: 'secrets' | 'account', id: string, sealed: Buffer): Promise<unknown>
}

/** Creates the logins at providers. */
export function createSocialLogins({ database, secrets, pepper, ...options }: SocialLoginsDependencies): SocialLogins {
  const clock = createMonotonicClock(options.clock)
  const location = (column: string, id: string) => ({ table: `auth_social.${column}`, row: id, owner: 'service' })
  const sealed: SealedColumns = {
    seal: (column, id, value) => secrets.seal(location(column, id), Buffer.from(JSON.stringify(value))),
    open: async (column, id, bytes) => JSON.parse((await secrets.open(location(column, id), bytes)).toString()),
  }
  const hash = createKeyedHash(pepper)
  const hashNetwork = (client: string): Buffer => hash('network', networkPrefix(client))
  const context = { database, clock, sealed, hashNetwork }

  return {
    ...loginStart(context),
    ...loginResult(context),
    ...loginConfirmation(context),
    async sweep() {
      await sql`delete from auth_social where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

function loginStart({ database, clock, sealed, hashNetwork }: LoginContext): Pick<SocialLogins, 'begin' | 'claim'> {
  return {
    async begin({ provider, key, origin, browser, place, client, nonce, next }) {
      const id = randomUUID()
      const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
      const [now, network] = [clock.now(), hashNetwork(client)]
      const hidden = await sealed.seal('secrets', id, { state, nonce, verifier, next, place } satisfies LoginSecrets)
      const match = await database.transaction().execute(async (transaction) => {
        await lockHash(transaction, network)
        const digits = await drawLoginDigits(transaction, network, now)
        await sql`
          insert into auth_social
            (id, provider, state, key_thumbprint, origin, browser, network, secrets, match, created_at, expires_at)
          values (${id}, ${provider}, ${sha256(state)}, ${key}, ${origin}, ${browser}, ${network}, ${hidden}, ${digits},
            ${now}, ${now + lifetimeMs})`.execute(transaction)
        return digits
      })
      return { id, state, verifier, match }
    },
    async claim(provider, state) {
      if (state.length > maxStateLength) return undefined
      const now = clock.now()
      const { rows } = await sql<ClaimedRow>`
        update auth_social set used_at = ${now}
        where provider = ${provider} and state = ${sha256(state)} and used_at is null and expires_at > ${now}
        returning id, secrets, key_thumbprint`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      // Only this module writes the column, and the value is authenticated.
      const { place: _, ...opened } = (await sealed.open('secrets', row.id, row.secrets)) as LoginSecrets
      return { id: row.id, key: row.key_thumbprint, ...opened }
    },
  }
}

/**
 * Draws digits that no other open login of the network has. A network with many logins gets equal ones, because a refusal would
 * let a neighbour lock others out. `confirm` then accepts neither.
 */
async function drawLoginDigits(transaction: Kysely<unknown>, network: Buffer, now: number): Promise<string> {
  const { rows } = await sql<{ match: string }>`
    select match from auth_social where network = ${network} and expires_at > ${now} and redeemed_at is null`.execute(
    transaction,
  )
  return drawDigits(rows.map((row) => row.match)) ?? drawDigits([]) ?? ''
}

function loginResult({ database, clock, sealed }: LoginContext): Pick<SocialLogins, 'fail' | 'redeem'> {
  return {
    async fail(id, sentence) {
      await sql`
        update auth_social set problem = ${sentence}, done_at = ${clock.now()} where id = ${id}`.execute(database)
    },
    async redeem(id, key, secret) {
      if (!isUuid(id)) throw createLoginExpiredProblem()
      const now = clock.now()
      if (secret !== undefined) {
        await sql`
          update auth_social set done_at = ${now}
          where id = ${id} and key_thumbprint = ${key} and page = ${sha256(secret)} and done_at is null
            and tries < ${maxTries} and expires_at > ${now}`.execute(database)
      }
      const { rows } = await sql<{ account: Buffer | null; problem: string | null; next: string | null }>`
        update auth_social set redeemed_at = ${now}, account = null
        where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and done_at > ${now - redeemMs}
        returning (select account from auth_social as before where before.id = auth_social.id) as account, problem, next`.execute(
        database,
      )
      const [row] = rows
      if (row !== undefined) {
        if (row.account === null) throw new Problem(401, 'login', row.problem ?? 'The login failed. Try again.')
        const account = (await sealed.open('account', id, row.account)) as ProviderAccount
        return { account, continues: row.next !== null }
      }
      // The login may complete between the two statements, so a completed one counts as pending here.
      const pending = await sql`
        select from auth_social
        where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and tries < ${maxTries}
          and (done_at is null or done_at > ${now - redeemMs}) and expires_at > ${now}`.execute(database)
      if (pending.rows.length === 0) throw createLoginExpiredProblem()
      return undefined
    },
  }
}

function loginConfirmation({
  database,
  clock,
  sealed,
  hashNetwork,
}: LoginContext): Pick<SocialLogins, 'hold' | 'findRequest' | 'confirm'> {
  async function findRequest({ id, secret }: { id: string; secret: string }): Promise<RequestDetails | undefined> {
    if (!isUuid(id)) return undefined
    const { rows } = await sql<HeldRow>`
      select origin, browser, created_at, secrets from auth_social
      where id = ${id} and page = ${sha256(secret)} and done_at is null and tries < ${maxTries}
        and expires_at > ${clock.now()}`.execute(database)
    const [row] = rows
    if (row === undefined) return undefined
    const { place } = (await sealed.open('secrets', id, row.secrets)) as LoginSecrets
    return { origin: row.origin, browser: row.browser, place, at: row.created_at }
  }

  return {
    findRequest,
    async hold(id, account, next) {
      const secret = randomBytes(32).toString('base64url')
      const sealedAccount = await sealed.seal('account', id, account)
      await sql`
        update auth_social set account = ${sealedAccount}, next = ${next ?? null}, page = ${sha256(secret)}
        where id = ${id}`.execute(database)
      const request = await findRequest({ id, secret })
      if (request === undefined) throw new Error('The login was held but cannot be read.')
      return { secret, request }
    },
    async confirm({ id, secret, match, client }) {
      if ((await findRequest({ id, secret })) === undefined) return { state: 'over' }
      const now = clock.now()
      // A try is counted before the comparison, so concurrent guesses cannot exceed the limit.
      const { rows } = await sql<{ done_at: number | null; tries: number; next: string | null }>`
        with ambiguous as (
          select from auth_social where network = ${hashNetwork(client)} and match = ${match} and id <> ${id}
            and expires_at > ${now} and redeemed_at is null limit 1)
        update auth_social set
          tries = case when match = ${match} and exists (select from ambiguous) then ${maxTries} else tries + 1 end,
          done_at = case when match = ${match} and not exists (select from ambiguous) then ${now}::bigint end
        where id = ${id} and page = ${sha256(secret)} and done_at is null and tries < ${maxTries}
        returning done_at, tries, next`.execute(database)
      const [row] = rows
      if (row === undefined) return { state: 'over' }
      if (row.done_at !== null) return { state: 'done', next: row.next ?? undefined }
      return { state: row.tries < maxTries ? 'wrong' : 'over' }
    },
  }
}
