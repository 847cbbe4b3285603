import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Audit } from '../audit.ts'
import type { CodeRequest, Codes } from '../codes.ts'
import { readEmail } from '../emailAddress.ts'
import type { Mailer } from '../mailer.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'

type Asker = Pick<CodeRequest, 'project' | 'client' | 'asker'>
type Caller = { readonly user: string; readonly key: string }

/**
 * Another address for an account: first a code of the one in use, then one of the new one. The one before is told, and may
 * take it back for three days.
 */
export type EmailChanges = {
  /** @throws Problem 400, 429 `email`, 503 `mail` */
  begin(
    caller: Caller,
    email: string,
    asker: Asker,
  ): Promise<{ id: string; action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }>
  /** Redeems the code of the address in use, and sends the other one. @throws Problem 401 `code`, 404 `id`, 429, 503 */
  primary(caller: Caller, answer: { id: string; code: string }, asker: Asker): Promise<void>
  /** @throws Problem 401 `code`, 404 `id`, 409 `email` when another wallet has it, 503 `mail` */
  secondary(caller: Caller, answer: { id: string; code: string }): Promise<{ email: string }>
  look(link: { id: string; secret: string }): Promise<boolean>
  /** Takes a change back: by the link that the address before was sent. @returns false when that is over */
  revert(link: { id: string; secret: string }): Promise<boolean>
}

const lifetime = 20 * 60_000
const revertMs = 72 * 60 * 60_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Row = {
  id: string
  user_id: string
  email: Buffer
  primary_code: string | null
  primary_at: number | null
  secondary_code: string | null
  old_email: Buffer | null
  old_mailbox: Buffer | null
}

export type EmailChangesParts = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  codes: Codes
  users: Users
  sessions: Sessions
  mailer: Mailer
  audit: Audit
  /** Where the page behind the link is. */
  page(): string
}

export function createEmailChanges(parts: EmailChangesParts): EmailChanges {
  const { database, clock, secrets, codes, users, mailer, audit, page } = parts
  const place = (row: string, user: string) => ({ table: 'auth_email_change', row, owner: user })
  const emailOf = async ({ id, user_id: user, email }: Row): Promise<string> =>
    (await secrets.open(place(id, user), email)).toString()

  async function underWay({ user, key }: Caller, id: string): Promise<Row> {
    if (!uuid.test(id)) throw unknown()
    const { rows } = await sql<Row>`
      select id, user_id, email, primary_code, primary_at, secondary_code, old_email, old_mailbox from auth_email_change
      where id = ${id} and user_id = ${user} and key_thumbprint = ${key} and done_at is null
        and created_at > ${clock.now() - lifetime}`.execute(database)
    const [row] = rows
    if (row === undefined) throw unknown()
    return row
  }

  async function sendSecondary(caller: Caller, id: string, email: string, asker: Asker): Promise<void> {
    const code = await codes.send({ ...asker, email, purpose: 'update-secondary', key: caller.key })
    await sql`update auth_email_change set secondary_code = ${code.id} where id = ${id}`.execute(database)
  }

  async function tellOld(to: string, id: string): Promise<void> {
    const secret = randomBytes(32).toString('base64url')
    await sql`
      update auth_email_change set secret = ${digest(secret)}, revert_until = ${clock.now() + revertMs}
      where id = ${id}`.execute(database)
    await mailer.send({ to, ...changeMail(`${page()}?${new URLSearchParams({ id, secret })}`) })
  }

  return {
    async begin(caller, email, asker) {
      const { user, key } = caller
      const address = readEmail(email)
      const present = await users.find(user)
      if (present === undefined) throw unknown()
      if (present.email !== undefined && readEmail(present.email).index === address.index) {
        throw new Problem(400, 'email', 'This is the address that you use already.')
      }
      const id = randomUUID()
      const sealed = await secrets.seal(place(id, user), Buffer.from(address.send))
      await sql`
        insert into auth_email_change (id, user_id, key_thumbprint, email, created_at)
        values (${id}, ${user}, ${key}, ${sealed}, ${clock.now()})`.execute(database)
      if (present.email === undefined || !(await users.hasMailbox(user))) {
        await sendSecondary(caller, id, address.send, asker)
        return { id, action: 'VERIFY_SECONDARY_OTP' }
      }
      const code = await codes.send({ ...asker, email: present.email, purpose: 'update-primary', key })
      await sql`update auth_email_change set primary_code = ${code.id} where id = ${id}`.execute(database)
      return { id, action: 'VERIFY_PRIMARY_OTP' }
    },
    async primary(caller, { id, code }, asker) {
      const row = await underWay(caller, id)
      if (row.primary_at === null) {
        const { email = '' } = (await users.find(caller.user)) ?? {}
        await codes.redeem({ id: row.primary_code ?? '', email, code, purpose: 'update-primary', key: caller.key })
        await sql`update auth_email_change set primary_at = ${clock.now()} where id = ${id}`.execute(database)
      }
      await sendSecondary(caller, id, await emailOf(row), asker)
    },
    async secondary(caller, { id, code }) {
      const row = await underWay(caller, id)
      const { user, key } = caller
      const needsPrimary = await users.hasMailbox(user)
      if (row.secondary_code === null || (needsPrimary && row.primary_at === null)) throw unknown()
      const email = await emailOf(row)
      const proven = await codes.redeem({ id: row.secondary_code, email, code, purpose: 'update-secondary', key })
      const before = await users.mailboxOf(user)
      await users.moveTo(user, proven.mailbox, email)
      try {
        if (before !== undefined) await tellOld(before.email, id)
      } catch (cause) {
        // Who had the address must be told: without that, nothing is changed.
        if (before !== undefined) await users.moveTo(user, before.mailbox, before.email)
        throw new Problem(503, 'mail', 'The mail could not be sent. Try again in a moment.', { cause })
      }
      const old = before && (await secrets.seal(place(`${id}/old`, user), Buffer.from(before.email)))
      await sql`
        update auth_email_change set done_at = ${clock.now()}, old_email = ${old ?? null},
          old_mailbox = ${before?.mailbox ?? null} where id = ${id}`.execute(database)
      await audit.note('email changed', { user, key })
      return { email }
    },
    look: async (link) => (await toRevert(database, link, clock.now())) !== undefined,
    async revert(link) {
      const row = await toRevert(database, link, clock.now())
      if (row === undefined || row.old_email === null || row.old_mailbox === null) return false
      const { rows } = await sql`
        update auth_email_change set reverted_at = ${clock.now()}
        where id = ${row.id} and reverted_at is null returning id`.execute(database)
      if (rows.length === 0) return false
      const email = (await secrets.open(place(`${row.id}/old`, row.user_id), row.old_email)).toString()
      await undo(parts, row, email)
      await audit.note('email change taken back', { user: row.user_id })
      return true
    },
  }
}

/** Gives the address back, and throws everybody out: who changed it may be logged in anywhere. */
async function undo({ database, users, sessions }: EmailChangesParts, row: Row, email: string): Promise<void> {
  const { user_id: user, old_mailbox: mailbox } = row
  if (mailbox === null) return
  // Whoever logged in with the address meanwhile and has no wallet is nobody.
  await sql`
    delete from auth_user
    where mailbox = ${mailbox} and id <> ${user}
      and not exists (select from auth_wallet where auth_wallet.user_id = auth_user.id)`.execute(database)
  await users.moveTo(user, mailbox, email)
  await sessions.endAll(user)
}

async function toRevert(
  database: Kysely<unknown>,
  { id, secret }: { id: string; secret: string },
  now: number,
): Promise<Row | undefined> {
  if (!uuid.test(id)) return undefined
  const { rows } = await sql<Row>`
    select id, user_id, email, primary_code, primary_at, secondary_code, old_email, old_mailbox from auth_email_change
    where id = ${id} and secret = ${digest(secret)} and revert_until > ${now} and reverted_at is null
      and done_at is not null`.execute(database)
  return rows[0]
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function unknown(): Problem {
  return new Problem(404, 'id', 'This change is over. Begin again.')
}

/** The new address is not told: the mailbox may be somebody else's by now. */
function changeMail(url: string): { subject: string; text: string } {
  return {
    subject: 'Your wallet has another address now',
    text: [
      'The login of your wallet was moved from this address to another one. Codes come there from now on.',
      '',
      'If that was not you, take it back within three days. Whoever is logged in is logged out then:',
      '',
      url,
    ].join('\n'),
  }
}
