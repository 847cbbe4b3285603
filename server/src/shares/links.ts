import { createHash, createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { usualMailLimits, type MailLimits } from '../auth/codeLimits.ts'
import { readEmail } from '../auth/emailAddress.ts'
import type { AskerFacts } from '../auth/linkPage.ts'
import type { Mailer } from '../auth/mailer.ts'
import { monotonic } from '../auth/monotonic.ts'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'

/** Who wants to use a new device, as far as anybody knows. */
export type LinkRequest = {
  readonly email: string
  /** The thumbprint of the frame's key, which is the device. */
  readonly key: string
  readonly client: string
  readonly origin: string
  readonly browser: string
}

/** New devices, approved by a link in a mail that the share store sends itself: the login service alone can add none. */
export type Links = {
  /**
   * Sends a link.
   *
   * @returns the id to ask for its state, and the two digits that the page behind the link asks for
   * @throws Problem 400 `email`, 429 `email`, 503 `mail`
   */
  send(request: LinkRequest): Promise<{ id: string; match: string }>
  /** What a link is about; undefined for one that is wrong, old or used. Looking at it approves nothing. */
  look(link: { id: string; secret: string }): Promise<AskerFacts | undefined>
  /**
   * Approves a device, once, by the digits that its own screen shows.
   *
   * @returns false for a wrong, old or used link, and for other digits; three tries
   */
  approve(answer: { id: string; secret: string; match: string }): Promise<boolean>
  /** How far it is, for the device that asked. */
  state(id: string, key: string): Promise<'waiting' | 'approved' | 'over'>
  /** The mailbox, as a keyed hash, that approved a device within the last fifteen minutes. */
  approvedBy(key: string): Promise<Buffer | undefined>
  /** The keyed hash of an address, by which its mailbox is compared. @throws Problem 400 `email` */
  mailboxOf(email: string): Buffer
}

const lifetime = 15 * 60_000
const hour = 60 * 60_000
const mostPerMailbox = 5
const triesPerLink = 3
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type LinksParts = {
  database: Kysely<unknown>
  clock: Clock
  mailer: Mailer
  pepper: Uint8Array
  limits?: MailLimits | undefined
  /** Where the page behind the links is. */
  page(): string
}

export function createLinks(parts: LinksParts): Links {
  const { database, mailer, pepper, page } = parts
  const limits = { ...usualMailLimits, ...parts.limits }
  const clock = monotonic(parts.clock)
  const hash = (what: string, text: string): Buffer => createHmac('sha256', pepper).update(`${what}\0${text}`).digest()
  const rowOf = async (id: string, secret: string): Promise<Row | undefined> => {
    if (!uuid.test(id)) return undefined
    const { rows } = await sql<Row>`
      select secret, origin, browser, created_at from share_link
      where id = ${id} and approved_at is null and tries < ${triesPerLink} and expires_at > ${clock.now()}`.execute(
      database,
    )
    const [row] = rows
    return row !== undefined && timingSafeEqual(row.secret, digest(secret)) ? row : undefined
  }

  return {
    async send({ email, key, client, origin, browser }) {
      const address = readEmail(email)
      const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')]
      const match = String(randomInt(10, 100))
      const [mailbox, from, now] = [hash('mailbox', address.index), hash('client', client), clock.now()]
      await database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${mailbox.readInt32BE()}, ${mailbox.readInt32BE(4)})`.execute(
          transaction,
        )
        await assertNotTooSoon(transaction, { mailbox, client: from }, now, limits)
        await sql`
          insert into share_link
            (id, secret, match, mailbox, client, key_thumbprint, origin, browser, created_at, expires_at)
          values (${id}, ${digest(secret)}, ${match}, ${mailbox}, ${from}, ${key}, ${origin}, ${browser}, ${now},
            ${now + lifetime})`.execute(transaction)
      })
      const url = `${page()}?${new URLSearchParams({ id, secret })}`
      try {
        await mailer.send({ to: address.send, ...linkMail(url, { origin, browser, at: now }) })
      } catch (cause) {
        await sql`delete from share_link where id = ${id}`.execute(database)
        throw new Problem(503, 'mail', 'The mail could not be sent. Try again in a moment.', { cause })
      }
      return { id, match }
    },
    async look({ id, secret }) {
      const row = await rowOf(id, secret)
      return row && { origin: row.origin, browser: row.browser, at: row.created_at }
    },
    async approve({ id, secret, match }) {
      if ((await rowOf(id, secret)) === undefined) return false
      // Counted before it is compared.
      const { rows } = await sql<{ approved_at: number | null }>`
        update share_link set tries = tries + 1,
          approved_at = case when match = ${match} then ${clock.now()}::bigint end
        where id = ${id} and approved_at is null and tries < ${triesPerLink}
        returning approved_at`.execute(database)
      return rows[0] !== undefined && rows[0].approved_at !== null
    },
    async state(id, key) {
      if (!uuid.test(id)) return 'over'
      const { rows } = await sql<{ approved_at: number | null }>`
        select approved_at from share_link
        where id = ${id} and key_thumbprint = ${key} and expires_at > ${clock.now()}
          and (approved_at is not null or tries < ${triesPerLink})`.execute(database)
      const [row] = rows
      return row === undefined ? 'over' : row.approved_at === null ? 'waiting' : 'approved'
    },
    async approvedBy(key) {
      const { rows } = await sql<{ mailbox: Buffer }>`
        select mailbox from share_link
        where key_thumbprint = ${key} and approved_at > ${clock.now() - lifetime}
        order by approved_at desc limit 1`.execute(database)
      return rows[0]?.mailbox
    },
    mailboxOf: (email) => hash('mailbox', readEmail(email).index),
  }
}

type Row = { secret: Buffer; origin: string; browser: string; created_at: number }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

async function assertNotTooSoon(
  database: Kysely<unknown>,
  { mailbox, client }: { mailbox: Buffer; client: Buffer },
  now: number,
  { pause, perClient }: Required<MailLimits>,
): Promise<void> {
  const { rows } = await sql<{ of_mailbox: number; of_client: number; latest: number | null }>`
    select count(*) filter (where mailbox = ${mailbox}) as of_mailbox,
      count(*) filter (where client = ${client}) as of_client,
      max(created_at) filter (where mailbox = ${mailbox}) as latest
    from share_link
    where created_at > ${now - hour} and (mailbox = ${mailbox} or client = ${client})`.execute(database)
  const [{ of_mailbox: ofMailbox, of_client: ofClient, latest } = { of_mailbox: 0, of_client: 0, latest: null }] = rows
  const rest = latest === null ? 0 : latest + pause - now
  const wait = ofMailbox >= mostPerMailbox || ofClient >= perClient ? hour : rest
  if (wait <= 0) return
  const seconds = Math.ceil(wait / 1_000)
  throw new Problem(429, 'email', `Please try again after ${seconds} seconds`, { retryAfter: seconds })
}

function linkMail(url: string, { origin, browser, at }: AskerFacts): { subject: string; text: string } {
  return {
    subject: 'Is this you, on a new device?',
    text: [
      'Somebody wants to use your wallet in a browser that has not been used for it before:',
      '',
      `on ${origin}`,
      `with ${browser}, at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      '',
      'If that is you, open this page and enter the two digits that the other window shows:',
      '',
      url,
      '',
      'It can be used once, for fifteen minutes. If it was not you, do nothing.',
    ].join('\n'),
  }
}
