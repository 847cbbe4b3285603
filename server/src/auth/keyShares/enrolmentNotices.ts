import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/describeRequest.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { linkMail } from '../../messages/mails.ts'
import type { LinkSecret } from '../account/deletions.ts'
import type { Users } from '../login/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AuthShares, ShareOwner } from './authShares.ts'

/**
 * Notices to the owner about new devices, whatever they logged in with. The link of a notice removes the device within
 * three days. For the first of them the device can do nothing that lasts, see `RiskChecks` [C-05] [C-07].
 */
export type EnrolmentNotices = {
  /**
   * Notifies the owner before a device is enrolled, unless it is the first one, or an established one that enrols again.
   *
   * @throws Problem 503 `mail`: a device is not enrolled without a notice to its owner
   */
  notify(owner: ShareOwner, setId: Uint8Array, request: IncomingMessage): Promise<void>
  /** True if the link can still remove its device. */
  canRemove(link: LinkSecret): Promise<boolean>
  /** Removes the device of a link and ends its sessions. @returns false if that is not possible any more */
  remove(link: LinkSecret): Promise<boolean>
}

const lifetimeMs = 72 * 60 * 60_000

export type EnrolmentNoticesDependencies = DescribeRequestDependencies & {
  database: Kysely<unknown>
  users: Pick<Users, 'find' | 'isEstablishedDevice' | 'forgetDevice'>
  shares: Pick<AuthShares, 'revoke'>
  sessions: Pick<Sessions, 'endDevice'>
  mailer: Mailer
  auditLog: AuditLog
  /** The address of the page that removes a device. */
  page(): string
}

/** Creates the notices of the auth service. */
export function createEnrolmentNotices(dependencies: EnrolmentNoticesDependencies): EnrolmentNotices {
  const { users, shares, sessions, auditLog } = dependencies
  return {
    notify: (owner, setId, request) => notifyOwner(dependencies, owner, setId, request),
    canRemove: async (link) => (await findEnrolment(dependencies, link)) !== undefined,
    async remove(link) {
      const enrolment = await findEnrolment(dependencies, link)
      if (enrolment === undefined) return false
      const { user, setId } = enrolment
      const key = await shares.revoke(user, setId)
      if (key === undefined) return false
      await users.forgetDevice(user, key)
      await sessions.endDevice(user, key)
      await auditLog.record('device revoked', { user, about: key })
      return true
    },
  }
}

async function notifyOwner(
  dependencies: EnrolmentNoticesDependencies,
  { user, key }: ShareOwner,
  setId: Uint8Array,
  request: IncomingMessage,
): Promise<void> {
  const { database, users, mailer, page } = dependencies
  if (await users.isEstablishedDevice(user, key)) return
  const secret = randomBytes(32).toString('base64url')
  const { rows } = await sql`
    update auth_share set notice = ${sha256(secret)}
    where user_id = ${user} and set_id = ${Buffer.from(setId)} and key_thumbprint = ${key} and live_at is null
      and exists (select from auth_wallet where auth_wallet.user_id = auth_share.user_id)
    returning set_id`.execute(database)
  if (rows.length === 0) return
  const { email } = (await users.find(user)) ?? {}
  if (email === undefined) return
  const link = `${page()}?${new URLSearchParams({ id: user, secret })}`
  const { words, facts } = await describeRequest(request, dependencies)
  await sendRequiredMail(mailer, { to: email, ...linkMail(words, 'newDeviceMail', link, facts) })
}

async function findEnrolment(
  { database, clock }: EnrolmentNoticesDependencies,
  { id, secret }: LinkSecret,
): Promise<{ user: string; setId: Buffer } | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<{ user: string; setId: Buffer }>`
    select user_id as user, set_id as "setId" from auth_share
    where user_id = ${id} and notice = ${sha256(secret)}
      and created_at > ${clock.now() - lifetimeMs}`.execute(database)
  return rows[0]
}
