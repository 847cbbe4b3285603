import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { RequestFacts } from '../../messages/formatRequest.ts'
import { locales } from '../../messages/generated/index.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { deletionMail } from '../../messages/mails.ts'
import type { Users } from '../login/users.ts'

/** Second notices of deletions that wait for thirty days, for owners who missed the first mail. */
export type DeletionReminders = {
  /** Sends the notices that are due, once each. A mail that can't be sent is tried again at the next sweep. */
  sweep(): Promise<void>
}

export type DeletionRemindersDependencies = {
  database: Kysely<unknown>
  clock: Clock
  users: Pick<Users, 'find'>
  mailer: Mailer
  /** The address of the page that cancels a deletion. */
  cancelPage(): string
}

const dayMs = 24 * 60 * 60_000
/** Time between the notice and the deletion. */
const noticeMs = 3 * dayMs
const mostPerSweep = 100

type DueDeletion = { user: string; at: number; request: string }

/** The request for a deletion, as it is stored for the second notice. */
export type DeletionRequest = Pick<RequestFacts, 'browser' | 'place' | 'at'> & { readonly locale: string }

/** Creates the second notices of deletions. */
export function createDeletionReminders(dependencies: DeletionRemindersDependencies): DeletionReminders {
  const { database, clock } = dependencies
  return {
    async sweep() {
      const now = clock.now()
      // A deletion with a proof waits as long as the notice, so its first mail is enough.
      const { rows } = await sql<DueDeletion>`
        select user_id as user, at, request from auth_deletion
        where not proven and at > ${now} and at <= ${now + noticeMs} and reminder is null and request is not null
        order by at limit ${mostPerSweep}`.execute(database)
      for (const row of rows) await remindOwner(dependencies, row)
    },
  }
}

async function remindOwner(
  { database, users, mailer, cancelPage }: DeletionRemindersDependencies,
  { user, at, request }: DueDeletion,
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const reminder = sha256(secret)
  // Another process may send it at the same time.
  const { rows } = await sql`
    update auth_deletion set reminder = ${reminder} where user_id = ${user} and at = ${at} and reminder is null
    returning user_id`.execute(database)
  const { email } = (await users.find(user)) ?? {}
  if (rows.length === 0 || email === undefined) return
  // Only `schedule` writes the column.
  const { locale, ...facts } = JSON.parse(request) as DeletionRequest
  const words = await loadServerWords(locales.find((each) => each === locale) ?? 'en')
  const link = formatActionLink(cancelPage(), { id: user, secret }, facts)
  const mail = { to: email, ...deletionMail(words, link, at, facts, 'second') }
  await sendRequiredMail(mailer, mail).catch(async () => {
    await sql`
      update auth_deletion set reminder = null where user_id = ${user} and reminder = ${reminder}`.execute(database)
  })
}
