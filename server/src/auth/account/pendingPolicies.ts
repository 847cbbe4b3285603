import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/source/describeRequest.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { policyMail } from '../../messages/mails.ts'
import type { Users } from '../login/users.ts'
import type { LinkSecret } from './deletions.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'

/** Looser signing policies that take effect after a day. The wallet applies one only if this service still has it then. */
export type PendingPolicies = {
  /**
   * Mails the owner a link that stops the stored change. A change that its owner can't be notified of is deleted.
   *
   * @throws Problem 503 `mail`
   */
  notify(user: string, request: IncomingMessage): Promise<void>
  /** True if the link can still stop its change. */
  canStop(link: LinkSecret): Promise<boolean>
  /** @returns false if there is nothing left to stop */
  stop(link: LinkSecret): Promise<boolean>
}

export type PendingPoliciesDependencies = DescribeRequestDependencies & {
  database: Kysely<unknown>
  clock: Clock
  users: Pick<Users, 'find'>
  mailer: Mailer
  auditLog: Pick<AuditLog, 'record'>
  /** The address of the page that stops a change. */
  page(): string
}

const waitMs = 24 * 60 * 60_000

/** Creates the pending policies of the auth service. */
export function createPendingPolicies(dependencies: PendingPoliciesDependencies): PendingPolicies {
  const { database, auditLog } = dependencies
  async function canStop({ id, secret }: LinkSecret): Promise<boolean> {
    if (!isUuid(id)) return false
    const { rows } = await sql`
      select from auth_policy
      where user_id = ${id} and kind = 'pending' and secret = ${sha256(secret)}`.execute(database)
    return rows.length > 0
  }
  return {
    canStop,
    async stop(link) {
      if (!(await canStop(link)) || !(await deletePending(database, link.id))) return false
      await auditLog.record('policy changed', { user: link.id, about: 'stopped' })
      return true
    },
    async notify(user, request) {
      await sendStopLink(dependencies, user, request).catch(async (error: unknown) => {
        await deletePending(database, user)
        throw error
      })
      await auditLog.record('policy changed', { user, raw: request, about: 'requested' })
    },
  }
}

async function deletePending(database: Kysely<unknown>, user: string): Promise<boolean> {
  const { rows } = await sql`
    delete from auth_policy where user_id = ${user} and kind = 'pending' returning kind`.execute(database)
  return rows.length > 0
}

async function sendStopLink(
  dependencies: PendingPoliciesDependencies,
  user: string,
  request: IncomingMessage,
): Promise<void> {
  const { database, clock, users, mailer, page } = dependencies
  const secret = randomBytes(32).toString('base64url')
  await sql`
    update auth_policy set secret = ${sha256(secret)}
    where user_id = ${user} and kind = 'pending'`.execute(database)
  const { email } = (await users.find(user)) ?? {}
  // Some accounts of identity providers have no address. Their owner sees the change on the account page.
  if (email === undefined) return
  const { words, facts } = await describeRequest(request, dependencies)
  const link = formatActionLink(page(), { id: user, secret }, facts)
  await sendRequiredMail(mailer, { to: email, ...policyMail(words, link, clock.now() + waitMs, facts) })
}
