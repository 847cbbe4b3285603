import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import { drawDigits } from '../../custody/drawDigits.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { createKeyedHash, type KeyedHash } from '../../custody/keyedHash.ts'
import { lockHash } from '../../custody/lockHash.ts'
import { parseEmailAddress } from '../../custody/mail/emailAddress.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { defaultMailLimits, networkFactor, type MailLimits } from '../../custody/mail/mailLimits.ts'
import type { RequestDetails } from '../../custody/pages/confirmationForm.ts'
import { createUnsentRows, type UnsentRows } from '../../custody/mail/unsentRows.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import { lapsedMailTurn, takeMailTurn } from '../../custody/mail/takeMailTurn.ts'
import { networkPrefix } from '../../custody/requests/source/networkPrefix.ts'
import { sweepRows } from '../../custody/sweepRows.ts'
import { tryAgainLater } from '../../custody/requests/tryAgainLater.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { Locale } from '../../messages/generated/index.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { linkMail } from '../../messages/mails.ts'

/** A link approves a new device, or confirms that a mailbox becomes the contact of the device's wallet. */
export type LinkPurpose = 'device' | 'contact'

/** A request to approve a device, or to confirm the next contact of its wallet. */
export type ApprovalRequest = {
  /** Default: `device`. */
  readonly purpose?: LinkPurpose
  readonly email: string
  /** The thumbprint of the frame's key, which identifies the device. */
  readonly key: string
  readonly client: string
  readonly origin: string
  readonly browser: string
  /** The language of the mail. */
  readonly locale: Locale
}

/**
 * Approvals by a link that the share store mails itself. The auth service alone can approve no device, and can give no wallet to
 * a mailbox.
 */
export type ApprovalLinks = {
  /**
   * Sends a link.
   *
   * @returns the id of the request, and the two confirmation digits that the page of the link asks for. No other open link of
   *   the mailbox has the same ones.
   * @throws Problem 400 `email`, 429 `email`, 503 `mail`
   */
  send(request: ApprovalRequest): Promise<{ id: string; match: string }>
  /** Returns the request of a link, or `undefined` if the link is wrong, expired or used. Approves nothing. */
  findRequest(link: { id: string; secret: string }): Promise<LinkDetails | undefined>
  /**
   * Approves a request, once, by the confirmation digits that its own screen shows. Three tries.
   *
   * @returns false if the link is wrong, expired or used, or if the digits are wrong
   */
  approve(input: { id: string; secret: string; match: string }): Promise<boolean>
  /** Returns the state of a request to the device that made it. */
  getState(id: string, key: string): Promise<'waiting' | 'approved' | 'over'>
  /** Returns the mailbox that approved a device for this purpose within the last fifteen minutes, as a keyed hash. */
  findApproval(key: string, purpose?: LinkPurpose): Promise<Buffer | undefined>
  /** Returns the keyed hash of an address, for comparing mailboxes. @throws Problem 400 `email` */
  hashMailbox(email: string): Buffer
  /** Deletes links that neither a limit nor an approval still needs. */
  sweep(): Promise<void>
}

/** The request of a link, as its page shows it. */
export type LinkDetails = RequestDetails & { readonly purpose: LinkPurpose }

const lifetimeMs = 15 * 60_000
const hourMs = 60 * 60_000
const maxPerMailbox = 5
const maxTries = 3

export type ApprovalLinksDependencies = {
  database: Kysely<unknown>
  clock: Clock
  mailer: Mailer
  places: Places
  pepper: Uint8Array
  limits?: MailLimits | undefined
  /** The address of the page of the links. */
  page(): string
}

type LinkContext = Omit<ApprovalLinksDependencies, 'pepper' | 'limits'> & {
  hash: KeyedHash
  limits: Required<MailLimits>
  unsent: UnsentRows
}

/** Creates the approval links of the share store. */
export function createApprovalLinks({ pepper, limits, ...dependencies }: ApprovalLinksDependencies): ApprovalLinks {
  const { database } = dependencies
  const clock = createMonotonicClock(dependencies.clock)
  const hash = createKeyedHash(pepper)
  const unsent = createUnsentRows(database, 'share_link')
  const context = { ...dependencies, clock, hash, limits: { ...defaultMailLimits, ...limits }, unsent }
  return {
    send: (request) => sendLink(context, request),
    async findRequest(link) {
      const row = await findOpenLink(context, link)
      if (row === undefined) return undefined
      const { origin, browser, place, created_at: at } = row
      // The column contains only what `sendLink` stored.
      return { origin, browser, place, at, purpose: row.purpose as LinkPurpose }
    },
    approve: (input) => approveDevice(context, input),
    async getState(id, key) {
      if (!isUuid(id)) return 'over'
      const { rows } = await sql<{ approved_at: number | null }>`
        select approved_at from share_link
        where id = ${id} and key_thumbprint = ${key} and expires_at > ${clock.now()}
          and (approved_at is not null or tries < ${maxTries})`.execute(database)
      const [row] = rows
      if (row === undefined) return 'over'
      return row.approved_at === null ? 'waiting' : 'approved'
    },
    async findApproval(key, purpose = 'device') {
      const { rows } = await sql<{ mailbox: Buffer }>`
        select mailbox from share_link
        where key_thumbprint = ${key} and purpose = ${purpose} and approved_at > ${clock.now() - lifetimeMs}
        order by approved_at desc limit 1`.execute(database)
      return rows[0]?.mailbox
    },
    hashMailbox: (email) => hash('mailbox', parseEmailAddress(email).index),
    async sweep() {
      await sweepRows(database, { table: 'share_link', column: 'created_at', upTo: clock.now() - hourMs })
      await sweepRows(database, { table: 'share_mail_turn', ...lapsedMailTurn(clock.now()) })
    },
  }
}

const linkMails = { device: 'approvalMail', contact: 'contactConfirmationMail' } as const

async function sendLink(
  { database, clock, mailer, hash, limits, page, places, unsent }: LinkContext,
  { purpose = 'device', email, key, client, origin, browser, locale }: ApprovalRequest,
): Promise<{ id: string; match: string }> {
  const address = parseEmailAddress(email)
  const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')]
  const counters = {
    mailbox: hash('mailbox', address.index),
    client: hash('client', client),
    network: hash('network', networkPrefix(client)),
  }
  const now = clock.now()
  const facts = { origin, browser, place: places.find(client), at: now }
  const { waitMs, match = '' } = await database.transaction().execute(async (transaction) => {
    await lockHash(transaction, counters.mailbox)
    const wait = await linkWaitMs(transaction, counters, now, limits)
    if (wait > 0) return { waitMs: wait }
    const digits = await drawLinkDigits(transaction, counters.mailbox, now)
    if (digits === undefined) return { waitMs: lifetimeMs }
    await sql`
      insert into share_link
        (id, purpose, secret, match, mailbox, client, network, key_thumbprint, origin, browser, place, created_at, expires_at)
      values (${id}, ${purpose}, ${sha256(secret)}, ${digits}, ${counters.mailbox}, ${counters.client}, ${counters.network}, ${key}, ${origin}, ${browser},
        ${facts.place}, ${now}, ${now + lifetimeMs})`.execute(transaction)
    return { waitMs: 0, match: digits }
  })
  // A place in the queue stays stored, so the transaction must not fail.
  if (waitMs > 0) throw tryAgainLater('email', Math.ceil(waitMs / 1_000))
  const url = `${page()}?${new URLSearchParams({ id, secret })}`
  const mail = linkMail(await loadServerWords(locale), linkMails[purpose], url, facts)
  await sendRequiredMail(mailer, { to: address.send, ...mail }).catch(async (error: unknown) => {
    await unsent.delete(id)
    throw error
  })
  return { id, match }
}

/**
 * Draws digits that no other link of the mailbox has until it expires, even one that is used up: its request may still be on a
 * screen. A user who opens the link of an attacker and enters the digits of their own request thus approves nothing. [K-11]
 */
async function drawLinkDigits(transaction: Kysely<unknown>, mailbox: Buffer, now: number): Promise<string | undefined> {
  const { rows } = await sql<{ match: string }>`
    select match from share_link where mailbox = ${mailbox} and created_at > ${now - hourMs} and expires_at > ${now}`.execute(
    transaction,
  )
  return drawDigits(rows.map((row) => row.match))
}

async function approveDevice(
  context: LinkContext,
  { id, secret, match }: { id: string; secret: string; match: string },
): Promise<boolean> {
  const { database, clock } = context
  if ((await findOpenLink(context, { id, secret })) === undefined) return false
  // A try is counted before the comparison, so concurrent guesses cannot exceed the limit.
  const { rows } = await sql<{ approved_at: number | null }>`
    update share_link set tries = tries + 1,
      approved_at = case when match = ${match} then ${clock.now()}::bigint end
    where id = ${id} and approved_at is null and tries < ${maxTries}
    returning approved_at`.execute(database)
  return rows[0] !== undefined && rows[0].approved_at !== null
}

type LinkRow = Pick<TableRow<'share_link'>, 'purpose' | 'secret' | 'origin' | 'browser' | 'place' | 'created_at'>

async function findOpenLink(
  { database, clock }: LinkContext,
  { id, secret }: { id: string; secret: string },
): Promise<LinkRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<LinkRow>`
    select purpose, secret, origin, browser, place, created_at from share_link
    where id = ${id} and approved_at is null and tries < ${maxTries} and expires_at > ${clock.now()}`.execute(database)
  const [row] = rows
  return row !== undefined && timingSafeEqual(row.secret, sha256(secret)) ? row : undefined
}

/**
 * Returns the milliseconds until another link may be sent, 0 if it may be sent now. A client that uses up its own limit, or whose
 * network does, waits an hour. Once others have used up the budget of the mailbox, requests wait in a queue.
 */
async function linkWaitMs(
  transaction: Kysely<unknown>,
  counters: { mailbox: Buffer; client: Buffer; network: Buffer },
  now: number,
  { intervalMs, perClientPerHour }: Required<MailLimits>,
): Promise<number> {
  const { mailbox, client, network } = counters
  const { rows } = await sql<{
    of_mailbox: number
    of_client: number
    of_network: number
    of_both: number
    latest: number | null
  }>`
    select count(*) filter (where mailbox = ${mailbox}) as of_mailbox,
      count(*) filter (where client = ${client}) as of_client,
      count(*) filter (where network = ${network}) as of_network,
      count(*) filter (where mailbox = ${mailbox} and client = ${client}) as of_both,
      max(created_at) filter (where mailbox = ${mailbox}) as latest
    from share_link
    where created_at > ${now - hourMs} and (mailbox = ${mailbox} or client = ${client} or network = ${network})`.execute(
    transaction,
  )
  const [counts = { of_mailbox: 0, of_client: 0, of_network: 0, of_both: 0, latest: null }] = rows
  if (counts.of_both >= maxPerMailbox || counts.of_client >= perClientPerHour) return hourMs
  if (counts.of_network >= perClientPerHour * networkFactor) return hourMs
  const restOfInterval = counts.latest === null ? 0 : counts.latest + intervalMs - now
  if (restOfInterval > 0 || counts.of_mailbox < maxPerMailbox) return Math.max(0, restOfInterval)
  return takeMailTurn(transaction, 'share_mail_turn', { ...counters, now })
}
