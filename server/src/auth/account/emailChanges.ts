import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { parseEmailAddress } from '../../custody/mail/emailAddress.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { CodeRequest, Codes } from '../login/codes.ts'
import { createTakenProblem, type SealedAddress, type Users } from '../login/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { LinkSecret } from './deletions.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { linkMail } from '../../messages/mails.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'

/** The source of a request for a code. */
export type CodeRequester = Pick<CodeRequest, 'project' | 'client' | 'requester'>
/** The user and the frame's key that a change belongs to. */
export type EmailChangeOwner = { readonly user: string; readonly key: string }
export type StartedEmailChange = { id: string; action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }

/**
 * Changes of an account's address. A code from the current address comes first, then one from the new address. The previous
 * address is notified and can revert the change for three days.
 */
export type EmailChanges = {
  /** @throws Problem 400, 429 `email`, 503 `mail` */
  start(owner: EmailChangeOwner, email: string, requester: CodeRequester): Promise<StartedEmailChange>
  /**
   * Redeems the code of the current address and sends one to the new address.
   *
   * @throws Problem 401 `code`, 404 `id`, 429, 503
   */
  confirmPrimary(owner: EmailChangeOwner, code: { id: string; code: string }, requester: CodeRequester): Promise<void>
  /**
   * Redeems the code of the new address and changes the address.
   *
   * @throws Problem 401 `code`, 404 `id`, 409 `email` if another wallet has the address, 503 `mail`
   */
  confirmSecondary(
    owner: EmailChangeOwner,
    code: { id: string; code: string },
    requester: CodeRequester,
  ): Promise<{ email: string }>
  /** True if the link can still revert its change. */
  canRevert(link: LinkSecret): Promise<boolean>
  /** Reverts a change by the link that was sent to the previous address. @returns false if that is no longer possible */
  revert(link: LinkSecret): Promise<boolean>
  /** Deletes changes that can no longer be completed or reverted. */
  sweep(): Promise<void>
}

const lifetimeMs = 20 * 60_000
const revertMs = 72 * 60 * 60_000

type ChangeRow = Pick<
  TableRow<'auth_email_change'>,
  | 'id'
  | 'user_id'
  | 'email'
  | 'primary_code'
  | 'primary_at'
  | 'secondary_code'
  | 'old_email'
  | 'old_mailbox'
  | 'done_at'
>
const columns = sql.raw('id, user_id, email, primary_code, primary_at, secondary_code, old_email, old_mailbox, done_at')

export type EmailChangesDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  codes: Pick<Codes, 'send' | 'redeem'>
  users: Users
  sessions: Pick<Sessions, 'endAll'>
  mailer: Mailer
  auditLog: Pick<AuditLog, 'record'>
  places: Places
  /** The address of the page that reverts a change. */
  page(): string
}

/** Creates the address changes of the auth service. */
export function createEmailChanges(dependencies: EmailChangesDependencies): EmailChanges {
  return {
    start: (owner, email, requester) => startChange(dependencies, owner, email, requester),
    confirmPrimary: (owner, code, requester) => confirmPrimary(dependencies, owner, code, requester),
    confirmSecondary: (owner, code, requester) => confirmSecondary(dependencies, owner, code, requester),
    canRevert: async (link) => (await findRevertible(dependencies, dependencies.database, link)) !== undefined,
    revert: (link) => revertChange(dependencies, link),
    async sweep() {
      const { database, clock } = dependencies
      await sql`
        delete from auth_email_change
        where created_at <= ${clock.now() - lifetimeMs} and coalesce(revert_until, 0) <= ${clock.now()}`.execute(
        database,
      )
    },
  }
}

async function startChange(
  dependencies: EmailChangesDependencies,
  owner: EmailChangeOwner,
  email: string,
  requester: CodeRequester,
): Promise<StartedEmailChange> {
  const { database, clock, secrets, codes, users } = dependencies
  const { user, key } = owner
  const address = parseEmailAddress(email)
  const current = await users.find(user)
  if (current === undefined) throw changeOver()
  if (current.email !== undefined && parseEmailAddress(current.email).index === address.index) {
    throw new Problem(400, 'email', 'You already use this address.')
  }
  const id = randomUUID()
  const sealed = await secrets.seal(emailLocation(id, user), Buffer.from(address.send))
  await sql`
    insert into auth_email_change (id, user_id, key_thumbprint, email, created_at)
    values (${id}, ${user}, ${key}, ${sealed}, ${clock.now()})`.execute(database)
  if (current.email === undefined || !(await users.hasMailbox(user))) {
    await sendSecondaryCode(dependencies, owner, { id, email: address.send }, requester)
    return { id, action: 'VERIFY_SECONDARY_OTP' }
  }
  const code = await codes.send({
    ...requester,
    email: current.email,
    purpose: 'update-primary',
    key,
    newEmail: address.send,
  })
  await sql`update auth_email_change set primary_code = ${code.id} where id = ${id}`.execute(database)
  return { id, action: 'VERIFY_PRIMARY_OTP' }
}

async function confirmPrimary(
  dependencies: EmailChangesDependencies,
  owner: EmailChangeOwner,
  { id, code }: { id: string; code: string },
  requester: CodeRequester,
): Promise<void> {
  const { database, clock, secrets, codes, users } = dependencies
  const row = await findPendingChange(dependencies, owner, id)
  if (row.primary_at === null) {
    const { email = '' } = (await users.find(owner.user)) ?? {}
    await codes.redeem({ id: row.primary_code ?? '', email, code, purpose: 'update-primary', key: owner.key })
    await sql`update auth_email_change set primary_at = ${clock.now()} where id = ${id}`.execute(database)
  }
  await sendSecondaryCode(dependencies, owner, { id, email: await openEmail(secrets, row) }, requester)
}

async function sendSecondaryCode(
  { database, codes }: EmailChangesDependencies,
  { key }: EmailChangeOwner,
  { id, email }: { id: string; email: string },
  requester: CodeRequester,
): Promise<void> {
  const code = await codes.send({ ...requester, email, purpose: 'update-secondary', key })
  await sql`update auth_email_change set secondary_code = ${code.id} where id = ${id}`.execute(database)
}

async function confirmSecondary(
  dependencies: EmailChangesDependencies,
  owner: EmailChangeOwner,
  { id, code }: { id: string; code: string },
  requester: CodeRequester,
): Promise<{ email: string }> {
  const { database, clock, secrets, codes, users, auditLog } = dependencies
  const { user, key } = owner
  const row = await findPendingChange(dependencies, owner, id)
  const previous = await findPreviousAddress(dependencies, user)
  const needsPrimary = previous?.mailbox !== undefined
  if (row.secondary_code === null || (needsPrimary && row.primary_at === null)) throw changeOver()
  const email = await openEmail(secrets, row)
  const redemption = { id: row.secondary_code, email, code, purpose: 'update-secondary', key } as const
  const { mailbox } = await codes.redeem(redemption)
  await assertFreeMailbox(database, user, mailbox)
  // If the previous address cannot be notified, the change does not happen. Its link is of no use before the change.
  if (previous !== undefined) await notifyPreviousAddress(dependencies, { id, user, previous }, requester)
  const next = { mailbox, email: await users.sealEmail(user, email) }
  await database.transaction().execute(async (transaction) => {
    const current = await lockMailbox(transaction, user)
    // Another change came first. The notice names an address that is no longer the present one.
    if (current === undefined || !isSameMailbox(current.mailbox, previous?.mailbox)) throw changeOver()
    await users.changeMailbox(transaction, user, next)
    await sql`
      update auth_email_change set done_at = ${clock.now()} where id = ${id} and done_at is null`.execute(transaction)
  })
  await auditLog.record('email changed', { user, key })
  return { email }
}

/** Locks the user until the transaction ends. A user without a mailbox logs in at a provider. */
async function lockMailbox(
  transaction: Transaction<unknown>,
  user: string,
): Promise<{ mailbox: Buffer | null } | undefined> {
  const { rows } = await sql<{ mailbox: Buffer | null }>`
    select mailbox from auth_user where id = ${user} for update`.execute(transaction)
  return rows[0]
}

function isSameMailbox(one: Buffer | null, other: Buffer | undefined): boolean {
  return one === null || other === undefined ? one === null && other === undefined : one.equals(other)
}

/** @throws Problem 409 `email`. The transaction of the change checks again: this prevents a notice of a change that fails. */
async function assertFreeMailbox(database: Kysely<unknown>, user: string, mailbox: Buffer): Promise<void> {
  const { rows } = await sql`select from auth_user where mailbox = ${mailbox} and id <> ${user}`.execute(database)
  if (rows.length > 0) throw createTakenProblem()
}

/** The address to notify. A user who logs in at a provider has one for mail only. */
async function findPreviousAddress(
  { users }: EmailChangesDependencies,
  user: string,
): Promise<PreviousAddress | undefined> {
  const [found, withMailbox] = await Promise.all([users.find(user), users.findMailbox(user)])
  return withMailbox ?? (found?.email === undefined ? undefined : { email: found.email })
}

type PreviousAddress = { mailbox?: Buffer; email: string }

/** Stores what the link needs, and sends it. The link is valid once the change is done. */
async function notifyPreviousAddress(
  { database, clock, secrets, mailer, page, places }: EmailChangesDependencies,
  { id, user, previous: { mailbox, email: to } }: { id: string; user: string; previous: PreviousAddress },
  { client, requester: { browser, locale } }: CodeRequester,
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const sealed = await secrets.seal(previousEmailLocation(id, user), Buffer.from(to))
  await sql`
    update auth_email_change set secret = ${sha256(secret)}, revert_until = ${clock.now() + revertMs},
      old_email = ${sealed}, old_mailbox = ${mailbox ?? null}
    where id = ${id}`.execute(database)
  const facts = { browser, place: places.find(client), at: clock.now() }
  const link = formatActionLink(page(), { id, secret }, facts)
  await sendRequiredMail(mailer, { to, ...linkMail(await loadServerWords(locale), 'emailChangedMail', link, facts) })
}

async function revertChange(dependencies: EmailChangesDependencies, link: LinkSecret): Promise<boolean> {
  const { database, secrets, users, auditLog } = dependencies
  const found = await findRevertible(dependencies, database, link)
  if (found === undefined || found.old_email === null) return false
  const { id, user_id: user, old_mailbox: mailbox } = found
  const email = (await secrets.open(previousEmailLocation(id, user), found.old_email)).toString()
  const previous = { mailbox: mailbox ?? undefined, email: await users.sealEmail(user, email) }
  // One transaction: a link that was used and restored nothing would be lost, and with it the account.
  const isReverted = await database.transaction().execute(async (transaction) => {
    if ((await lockMailbox(transaction, user)) === undefined) return false
    const row = await findRevertible(dependencies, transaction, link)
    if (row === undefined) return false
    await restoreAddress(dependencies, transaction, { user, previous })
    await markReverted(dependencies, transaction, row)
    return true
  })
  if (isReverted) await auditLog.record('email change reverted', { user })
  return isReverted
}

/** A thief who changed the address twice got a link at the address in between. It must not undo this. */
async function markReverted(
  { clock }: EmailChangesDependencies,
  transaction: Transaction<unknown>,
  { id, user_id: user, done_at: doneAt }: ChangeRow,
): Promise<void> {
  await sql`
    update auth_email_change set reverted_at = ${clock.now()}
    where (id = ${id} or (user_id = ${user} and done_at >= ${doneAt})) and reverted_at is null`.execute(transaction)
}

/** Restores the previous address and ends all sessions, because the attacker may be logged in anywhere. */
async function restoreAddress(
  { users, sessions }: EmailChangesDependencies,
  transaction: Transaction<unknown>,
  { user, previous }: { user: string; previous: SealedAddress },
): Promise<void> {
  const mailbox = previous.mailbox === undefined ? null : Buffer.from(previous.mailbox)
  // A login with the address in the meantime created another user, perhaps with a wallet. A thief could do that to keep the
  // address. It loses the address, and is deleted unless it has a wallet, which its open sessions can still empty.
  const { rows } = await sql<{ id: string }>`
    update auth_user set mailbox = null where mailbox = ${mailbox}::bytea and id <> ${user} returning id`.execute(
    transaction,
  )
  await sql`
    delete from auth_user
    where id = any(${rows.map((row) => row.id)}::uuid[])
      and not exists (select from auth_wallet where auth_wallet.user_id = auth_user.id)`.execute(transaction)
  await users.changeMailbox(transaction, user, previous)
  await sessions.endAll(user, undefined, transaction)
}

async function findPendingChange(
  { database, clock }: EmailChangesDependencies,
  { user, key }: EmailChangeOwner,
  id: string,
): Promise<ChangeRow> {
  if (!isUuid(id)) throw changeOver()
  const { rows } = await sql<ChangeRow>`
    select ${columns} from auth_email_change
    where id = ${id} and user_id = ${user} and key_thumbprint = ${key} and done_at is null
      and created_at > ${clock.now() - lifetimeMs}`.execute(database)
  const [row] = rows
  if (row === undefined) throw changeOver()
  return row
}

async function findRevertible(
  { clock }: EmailChangesDependencies,
  database: Kysely<unknown>,
  { id, secret }: LinkSecret,
): Promise<ChangeRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ChangeRow>`
    select ${columns} from auth_email_change
    where id = ${id} and secret = ${sha256(secret)} and revert_until > ${clock.now()} and reverted_at is null
      and done_at is not null`.execute(database)
  return rows[0]
}

const emailLocation = (row: string, user: string) => ({ table: 'auth_email_change', row, owner: user })
const previousEmailLocation = (id: string, user: string) => emailLocation(`${id}/old`, user)

async function openEmail(secrets: Secrets, { id, user_id: user, email }: ChangeRow): Promise<string> {
  return (await secrets.open(emailLocation(id, user), email)).toString()
}

function changeOver(): Problem {
  return new Problem(404, 'id', 'This change has expired. Start again.')
}
