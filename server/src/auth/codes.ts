import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import { tooSoon, usualMailLimits, type MailLimits } from './codeLimits.ts'
import { readEmail } from './emailAddress.ts'
import type { Mailer } from './mailer.ts'
import { monotonic } from './monotonic.ts'

/** What a code is good for; one that was sent for something else is not taken. */
export type CodePurpose = 'login' | 'update-primary' | 'update-secondary' | 'step-up'

/** Who asks for a code, as far as anybody knows. */
export type CodeRequest = {
  readonly email: string
  readonly purpose: CodePurpose
  /** The JWK thumbprint (RFC 7638) of the frame's key: no other frame can use the code. */
  readonly key: string
  readonly project: string
  /** The address of the client, for limits only. */
  readonly client: string
  /** What the mail says of who asked. */
  readonly asker: { readonly origin: string; readonly browser: string }
}

/** Codes that are sent by mail. */
export type Codes = {
  /**
   * Sends a new code; the ones before are void.
   *
   * @returns the id that the code is redeemed under, the same in form whether anybody has such an account
   * @throws Problem 400 `email`; 429 `email` with the seconds to wait; 503 `mail` when it could not be sent, which costs
   *   nobody an attempt.
   */
  send(request: CodeRequest): Promise<{ id: string }>
  /**
   * Redeems a code, once, for the address that it was sent to.
   *
   * @returns the keyed hash of the mailbox, and the address
   * @throws Problem 401 `code` for a wrong, void, used or old code, and for the code of another frame
   */
  redeem(answer: {
    id: string
    email: string
    code: string
    purpose: CodePurpose
    key: string
  }): Promise<{ mailbox: Buffer; email: string }>
}

const digits = 6
const lifetime = 10 * 60_000
const triesPerCode = 3
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * @param pepper 32 secret bytes from outside of the database
 */
export function createCodes(parts: {
  database: Kysely<unknown>
  clock: Clock
  mailer: Mailer
  pepper: Uint8Array
  limits?: MailLimits | undefined
}): Codes {
  const { database, mailer, pepper } = parts
  const limits = { ...usualMailLimits, ...parts.limits }
  const clock = monotonic(parts.clock)
  const hash = (what: string, text: string): Buffer => createHmac('sha256', pepper).update(`${what}\0${text}`).digest()

  async function note(request: CodeRequest, { index, domain }: { index: string; domain: string }) {
    const id = randomUUID()
    const code = String(randomInt(10 ** digits)).padStart(digits, '0')
    const mailbox = hash('mailbox', index)
    const now = clock.now()
    const asked = { mailbox, domain: hash('domain', domain), client: hash('client', request.client) }
    await database.transaction().execute(async (transaction) => {
      // Whoever asks for one mailbox at the same moment is counted one after the other, in all processes.
      await sql`select pg_advisory_xact_lock(${mailbox.readInt32BE()}, ${mailbox.readInt32BE(4)})`.execute(transaction)
      const wait = await tooSoon(transaction, { ...asked, project: request.project }, now, limits)
      if (wait !== undefined) {
        throw new Problem(429, 'email', `Please try again after ${wait} seconds`, { retryAfter: wait })
      }
      await sql`
        insert into auth_code
          (id, purpose, mailbox, domain, client, project, key_thumbprint, code, created_at, expires_at)
        values (${id}, ${request.purpose}, ${mailbox}, ${asked.domain}, ${asked.client}, ${request.project},
          ${request.key}, ${hash('code', `${id}${code}`)}, ${now}, ${now + lifetime})`.execute(transaction)
    })
    return { id, code, mailbox }
  }

  return {
    async send(request) {
      const address = readEmail(request.email)
      const { id, code, mailbox } = await note(request, address)
      try {
        await mailer.send({ to: address.send, ...codeMail(code, request.asker, clock.now()) })
      } catch (cause) {
        await sql`delete from auth_code where id = ${id}`.execute(database)
        throw new Problem(503, 'mail', 'The mail could not be sent. Try again in a moment.', { cause })
      }
      await sql`
        update auth_code set void_at = ${clock.now()}
        where mailbox = ${mailbox} and purpose = ${request.purpose} and id <> ${id}
          and created_at <= (select created_at from auth_code where id = ${id})
          and used_at is null and void_at is null`.execute(database)
      return { id }
    },
    async redeem({ id, email, code, purpose, key }) {
      const { index, send } = readEmail(email)
      const mailbox = hash('mailbox', index)
      if (!uuid.test(id)) throw wrongCode()
      // Each try is counted before it is compared: a hundred at once are still three.
      const tried = await sql<{ code: Buffer }>`
        update auth_code set tries = tries + 1
        where id = ${id} and mailbox = ${mailbox} and purpose = ${purpose} and key_thumbprint = ${key} and tries < ${triesPerCode}
          and used_at is null and void_at is null and expires_at > ${clock.now()}
        returning code`.execute(database)
      const [row] = tried.rows
      if (row === undefined || !timingSafeEqual(row.code, hash('code', `${id}${code}`))) throw wrongCode()
      const used = await sql`
        update auth_code set used_at = ${clock.now()} where id = ${id} and used_at is null returning id`.execute(
        database,
      )
      if (used.rows.length !== 1) throw wrongCode()
      return { mailbox, email: send }
    },
  }
}

/** The same for every reason: who guesses learns nothing. */
function wrongCode(): Problem {
  return new Problem(401, 'code', 'This code is wrong or too old. Look at the newest mail, or ask for another code.')
}

/** No link to log in with, and who asked: somebody who did not must be able to tell. */
function codeMail(
  code: string,
  { origin, browser }: CodeRequest['asker'],
  now: number,
): { subject: string; text: string } {
  const at = new Date(now).toISOString().slice(0, 16).replace('T', ' ')
  return {
    subject: `${code} is your code`,
    text: [
      `Your code is ${code}. It is good for ten minutes, in the window where you asked for it.`,
      '',
      `It was asked for on ${origin}`,
      `with ${browser}, at ${at} UTC.`,
      '',
      'If that was not you, do nothing: without this code nobody gets in. Never tell it to anybody.',
    ].join('\n'),
  }
}
