import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { AskerFacts } from '../linkPage.ts'
import { monotonic } from '../monotonic.ts'
import type { Person } from './person.ts'
import type { SocialName } from './providers.ts'

/** Who wants to log in, as far as anybody knows. */
export type SocialAsker = {
  readonly provider: SocialName
  /** The thumbprint of the frame's key. */
  readonly key: string
  readonly origin: string
  readonly browser: string
  readonly client: string
  /** Made by the frame; a provider's token repeats it. */
  readonly nonce: string
}

/** An attempt whose answer came back. */
export type TakenLogin = {
  readonly id: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Whether the answer came from where the login began: from another place, somebody may have been lured there. */
  isSamePlace(place: { client: string; browser: string }): boolean
}

/** Attempts to log in at providers: each for one frame, ten minutes, one answer. */
export type SocialLogins = {
  begin(asker: SocialAsker): Promise<{ id: string; state: string; verifier: string; match: string }>
  /** Takes the attempt that an answer belongs to, once; undefined when there is none at that provider. */
  take(provider: SocialName, state: string): Promise<TakenLogin | undefined>
  /** Keeps who it was, for the frame to fetch within a minute. */
  finish(id: string, person: Person): Promise<void>
  /**
   * Keeps who it was until the digits of the other window were entered.
   *
   * @returns what the page needs to be believed
   */
  hold(id: string, person: Person): Promise<{ secret: string; facts: AskerFacts }>
  /** Enters the digits; three tries. */
  confirm(answer: { id: string; secret: string; match: string }): Promise<'done' | 'wrong' | 'over'>
  look(page: { id: string; secret: string }): Promise<AskerFacts | undefined>
  /** Keeps why it failed, in a sentence for people. */
  fail(id: string, sentence: string): Promise<void>
  /**
   * Hands over who it was, once, to the frame that asked.
   *
   * @returns undefined while nothing came back
   * @throws Problem 404 `id` when it is over, used, or of another frame; 401 `login` when it failed
   */
  redeem(id: string, key: string): Promise<Person | undefined>
  sweep(): Promise<void>
}

const lifetime = 10 * 60_000
const ticketMs = 60_000
const mostTries = 3
const longestState = 128
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type SocialLoginsParts = { database: Kysely<unknown>; clock: Clock; secrets: Secrets }

type Parts = SocialLoginsParts & { sealed: Sealed }
type Taken = { id: string; secrets: Buffer; client: Buffer; browser: string }
type Held = { origin: string; browser: string; created_at: number }
type LoginSecrets = { state: string; nonce: string; verifier: string }
/** What rows keep that nobody may read there. */
type Sealed = {
  seal(column: 'secrets' | 'answer', id: string, value: object): Promise<Buffer>
  open(column: 'secrets' | 'answer', id: string, sealed: Buffer): Promise<unknown>
}

export function createSocialLogins({ database, secrets, ...given }: SocialLoginsParts): SocialLogins {
  const clock = monotonic(given.clock)
  const placeOf = (column: string, id: string) => ({ table: `auth_social.${column}`, row: id, owner: 'service' })
  const sealed: Sealed = {
    seal: (column, id, value) => secrets.seal(placeOf(column, id), Buffer.from(JSON.stringify(value))),
    open: async (column, id, bytes) => JSON.parse((await secrets.open(placeOf(column, id), bytes)).toString()),
  }
  const parts = { database, clock, secrets, sealed }

  return {
    ...beginning(parts),
    ...ending(parts),
    ...holding(parts),
    async sweep() {
      await sql`delete from auth_social where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

function beginning({ database, clock, sealed }: Parts): Pick<SocialLogins, 'begin' | 'take'> {
  return {
    async begin({ provider, key, origin, browser, client, nonce }) {
      const id = randomUUID()
      const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
      const match = String(randomInt(10, 100))
      const now = clock.now()
      const hidden = await sealed.seal('secrets', id, { state, nonce, verifier })
      await sql`
        insert into auth_social
          (id, provider, state, key_thumbprint, origin, browser, client, secrets, match, created_at, expires_at)
        values (${id}, ${provider}, ${digest(state)}, ${key}, ${origin}, ${browser}, ${digest(client)}, ${hidden},
          ${match}, ${now}, ${now + lifetime})`.execute(database)
      return { id, state, verifier, match }
    },
    async take(provider, state) {
      if (state.length > longestState) return undefined
      const now = clock.now()
      const { rows } = await sql<Taken>`
        update auth_social set used_at = ${now}
        where provider = ${provider} and state = ${digest(state)} and used_at is null and expires_at > ${now}
        returning id, secrets, client, browser`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      // We wrote it, and it opened: nobody else could have written another.
      const opened = (await sealed.open('secrets', row.id, row.secrets)) as LoginSecrets
      return {
        id: row.id,
        ...opened,
        isSamePlace: ({ client, browser }) => digest(client).equals(row.client) && browser === row.browser,
      }
    },
  }
}

function ending({ database, clock, sealed }: Parts): Pick<SocialLogins, 'finish' | 'fail' | 'redeem'> {
  return {
    async finish(id, person) {
      const answer = await sealed.seal('answer', id, person)
      await sql`
        update auth_social set answer = ${answer}, done_at = ${clock.now()} where id = ${id}`.execute(database)
    },
    async fail(id, sentence) {
      await sql`
        update auth_social set problem = ${sentence}, done_at = ${clock.now()} where id = ${id}`.execute(database)
    },
    async redeem(id, key) {
      if (!uuid.test(id)) throw isOver()
      const now = clock.now()
      const { rows } = await sql<{ answer: Buffer | null; problem: string | null }>`
        update auth_social set redeemed_at = ${now}, answer = null
        where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and done_at > ${now - ticketMs}
        returning (select answer from auth_social as before where before.id = auth_social.id) as answer, problem`.execute(
        database,
      )
      const [row] = rows
      if (row !== undefined) {
        if (row.answer === null) throw new Problem(401, 'login', row.problem ?? 'The login failed. Try again.')
        return (await sealed.open('answer', id, row.answer)) as Person
      }
      // It may have been done between the two statements: that is no reason to say that it is over.
      const waiting = await sql`
        select from auth_social
        where id = ${id} and key_thumbprint = ${key} and redeemed_at is null and tries < ${mostTries}
          and (done_at is null or done_at > ${now - ticketMs}) and expires_at > ${now}`.execute(database)
      if (waiting.rows.length === 0) throw isOver()
      return undefined
    },
  }
}

function holding({ database, clock, sealed }: Parts): Pick<SocialLogins, 'hold' | 'look' | 'confirm'> {
  async function look({ id, secret }: { id: string; secret: string }): Promise<AskerFacts | undefined> {
    if (!uuid.test(id)) return undefined
    const { rows } = await sql<Held>`
      select origin, browser, created_at from auth_social
      where id = ${id} and page = ${digest(secret)} and done_at is null and tries < ${mostTries}
        and expires_at > ${clock.now()}`.execute(database)
    const [row] = rows
    return row && { origin: row.origin, browser: row.browser, at: row.created_at }
  }

  return {
    look,
    async hold(id, person) {
      const secret = randomBytes(32).toString('base64url')
      const answer = await sealed.seal('answer', id, person)
      await sql`
        update auth_social set answer = ${answer}, page = ${digest(secret)} where id = ${id}`.execute(database)
      const facts = await look({ id, secret })
      if (facts === undefined) throw new Error('The login that was just held is not there.')
      return { secret, facts }
    },
    async confirm({ id, secret, match }) {
      if ((await look({ id, secret })) === undefined) return 'over'
      // Counted before it is compared.
      const { rows } = await sql<{ done_at: number | null; tries: number }>`
        update auth_social set tries = tries + 1, done_at = case when match = ${match} then ${clock.now()}::bigint end
        where id = ${id} and page = ${digest(secret)} and done_at is null and tries < ${mostTries}
        returning done_at, tries`.execute(database)
      const [row] = rows
      if (row === undefined) return 'over'
      if (row.done_at !== null) return 'done'
      return row.tries < mostTries ? 'wrong' : 'over'
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function isOver(): Problem {
  return new Problem(404, 'id', 'This login is over. Begin again.')
}
