import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createMonotonicClock } from '../../custody/createMonotonicClock.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { createKeyedHash, type KeyedHash } from '../../custody/keyedHash.ts'
import { lockHash } from '../../custody/lockHash.ts'
import { parseEmailAddress, type EmailAddress } from '../../custody/mail/emailAddress.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { defaultMailLimits, type MailLimits } from '../../custody/mail/mailLimits.ts'
import { createUnsentRows, type UnsentRows } from '../../custody/mail/unsentRows.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import { tryAgainLater } from '../../custody/requests/tryAgainLater.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { networkPrefix } from '../../custody/requests/source/networkPrefix.ts'
import { sweepRows } from '../../custody/sweepRows.ts'
import { lapsedMailTurn } from '../../custody/mail/takeMailTurn.ts'
import { checkCodeLimits } from './checkCodeLimits.ts'
import type { UserDevices } from './users.ts'
import type { Locale } from '../../messages/generated/index.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { codeMail, type MailText } from '../../messages/mails.ts'

/** The purpose of a one-time code. It is accepted for this purpose only. */
export type CodePurpose = 'login' | 'update-primary' | 'update-secondary' | 'step-up-export' | 'step-up-delete'

/** A request for a one-time code. */
export type CodeRequest = {
  readonly email: string
  readonly purpose: CodePurpose
  /** The thumbprint of the frame's key (RFC 7638). No other frame can use the code. */
  readonly key: string
  readonly project: string
  /** The network address of the client, for limits only. */
  readonly client: string
  /** Shown in the mail, which is in the language of the request. */
  readonly requester: { readonly origin: string; readonly browser: string; readonly locale: Locale }
  /** The address that the login is about to move to. Needed for `update-primary`. */
  readonly newEmail?: string
}

/** The redemption of a one-time code. */
export type CodeRedemption = { id: string; email: string; code: string; purpose: CodePurpose; key: string }

/** One-time codes that are sent by mail. */
export type Codes = {
  /**
   * Sends a new code and voids the earlier ones of the same frame.
   *
   * @returns the id that the code is redeemed under. It has the same form whether or not an account exists. [A-05]
   * @throws Problem 400 `email`; 429 `email` with the seconds to wait; 503 `mail` if the mail could not be sent, which does
   *   not count as a code
   */
  send(request: CodeRequest): Promise<{ id: string }>
  /**
   * Redeems a code, once, for the address that it was sent to.
   *
   * @returns the keyed hash of the mailbox, and the address
   * @throws Problem 401 `code` if the code is wrong, void, used or expired, or belongs to another frame
   */
  redeem(redemption: CodeRedemption): Promise<{ mailbox: Buffer; email: string }>
  /** Deletes codes that no limit counts any longer. */
  sweep(): Promise<void>
}

const digits = 6
/** The lifetime of a code. The mails and the modal state it in minutes. */
export const codeLifetimeMs = 10 * 60_000
const maxTries = 3
/** The longest window of the limits. */
const countedMs = 24 * 60 * 60_000

export type CodesOptions = {
  database: Kysely<unknown>
  clock: Clock
  mailer: Mailer
  places: Places
  /** 32 secret bytes that are not in the database in plain form. */
  pepper: Uint8Array
  limits?: MailLimits | undefined
  devices: Pick<UserDevices, 'isProvenDeviceOfMailbox'>
}

type CodesContext = Omit<CodesOptions, 'pepper' | 'limits'> & {
  hash: KeyedHash
  limits: Required<MailLimits>
  unsent: UnsentRows
}

/** Creates the one-time codes of the auth service. */
export function createCodes({ pepper, limits, ...options }: CodesOptions): Codes {
  const context: CodesContext = {
    ...options,
    clock: createMonotonicClock(options.clock),
    hash: createKeyedHash(pepper),
    limits: { ...defaultMailLimits, ...limits },
    unsent: createUnsentRows(options.database, 'auth_code'),
  }
  return {
    send: (request) => sendCode(context, request),
    redeem: (redemption) => redeemCode(context, redemption),
    async sweep() {
      const { database, clock } = context
      await sweepRows(database, { table: 'auth_code', column: 'created_at', upTo: clock.now() - countedMs })
      await sweepRows(database, { table: 'auth_mail_turn', ...lapsedMailTurn(clock.now()) })
    },
  }
}

async function sendCode(context: CodesContext, request: CodeRequest): Promise<{ id: string }> {
  const { database, clock, mailer, unsent } = context
  const address = parseEmailAddress(request.email)
  const { id, code, mailbox } = await insertCode(context, request, address)
  const mail = await describeCode(context, request, code)
  await sendRequiredMail(mailer, { to: address.send, ...mail }).catch(async (error: unknown) => {
    await unsent.delete(id)
    throw error
  })
  await sql`
    update auth_code set void_at = ${clock.now()}
    where mailbox = ${mailbox} and purpose = ${request.purpose} and key_thumbprint = ${request.key} and id <> ${id}
      and created_at <= (select created_at from auth_code where id = ${id})
      and used_at is null and void_at is null`.execute(database)
  return { id }
}

async function describeCode({ clock, places }: CodesContext, request: CodeRequest, code: string): Promise<MailText> {
  const { requester, client, purpose, newEmail = '' } = request
  const words = await loadServerWords(requester.locale)
  const facts = { ...requester, place: places.find(client), at: clock.now() }
  return codeMail(words, code, facts, purpose === 'update-primary' ? { purpose, newEmail } : { purpose })
}

async function insertCode(context: CodesContext, request: CodeRequest, { index, domain }: EmailAddress) {
  const { database, clock, hash, limits } = context
  const { purpose, key, project } = request
  const id = randomUUID()
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const mailbox = hash('mailbox', index)
  const counters = {
    mailbox,
    domain: hash('domain', domain),
    client: hash('client', request.client),
    network: hash('network', networkPrefix(request.client)),
    project,
    key,
    isKnown: await context.devices.isProvenDeviceOfMailbox(mailbox, key),
  }
  const now = clock.now()
  const decision = await database.transaction().execute(async (transaction) => {
    // Concurrent requests for one mailbox are counted one after the other, in all processes.
    await lockHash(transaction, mailbox)
    const decided = await checkCodeLimits(transaction, counters, now, limits)
    if ('waitMs' in decided) return decided
    await sql`
      insert into auth_code
        (id, purpose, mailbox, domain, client, network, project, known, key_thumbprint, code, created_at, expires_at, tries)
      values (${id}, ${purpose}, ${mailbox}, ${counters.domain}, ${counters.client}, ${counters.network}, ${project}, ${counters.isKnown}, ${key},
        ${hash('code', `${id}${code}`)}, ${now}, ${now + codeLifetimeMs}, ${maxTries - decided.guesses})`.execute(
      transaction,
    )
    return decided
  })
  // A place in the queue stays stored, so the transaction must not fail.
  if ('waitMs' in decision) throw tryAgainLater('email', Math.ceil(decision.waitMs / 1_000))
  return { id, code, mailbox }
}

async function redeemCode(
  { database, clock, hash }: CodesContext,
  { id, email, code, purpose, key }: CodeRedemption,
): Promise<{ mailbox: Buffer; email: string }> {
  const { index, send } = parseEmailAddress(email)
  const mailbox = hash('mailbox', index)
  if (!isUuid(id)) throw createWrongCodeProblem()
  // A try is counted before the comparison, so concurrent guesses cannot exceed the limit. [A-01]
  const tried = await sql<{ code: Buffer }>`
    update auth_code set tries = tries + 1
    where id = ${id} and mailbox = ${mailbox} and purpose = ${purpose} and key_thumbprint = ${key} and tries < ${maxTries}
      and used_at is null and void_at is null and expires_at > ${clock.now()}
    returning code`.execute(database)
  const [row] = tried.rows
  if (row === undefined || !timingSafeEqual(row.code, hash('code', `${id}${code}`))) throw createWrongCodeProblem()
  const used = await sql`
    update auth_code set used_at = ${clock.now()} where id = ${id} and used_at is null returning id`.execute(database)
  if (used.rows.length !== 1) throw createWrongCodeProblem()
  return { mailbox, email: send }
}

/** The same problem for every reason, so that a guesser learns nothing. */
function createWrongCodeProblem(): Problem {
  return new Problem(401, 'code', 'This code is wrong or has expired. Check the latest mail, or request another code.')
}
