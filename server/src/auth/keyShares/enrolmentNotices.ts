import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { isUuid } from '../../custody/isUuid.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/source/describeRequest.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { linkMail } from '../../messages/mails.ts'
import type { LinkSecret } from '../account/deletions.ts'
import type { Users } from '../login/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AuthShares, ShareOwner } from './authShares.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'

/**
 * Notices to the owner about new devices, whatever they logged in with. The link of a notice removes the device within
 * three days. For the first of them the device can do nothing that lasts, see `RiskChecks` [C-05] [C-07].
 */
export type EnrolmentNotices = {
  /**
   * Notifies the owner once before a device gets a share or is enrolled, unless it is the first one, or an established one that
   * enrols again.
   *
   * @throws Problem 503 `mail`: a device gets nothing without a notice to its owner
   */
  notify(owner: ShareOwner, request: IncomingMessage): Promise<void>
  /** True if the link can still remove its device. */
  canRemove(link: LinkSecret): Promise<boolean>
  /** Removes the device of a link and ends its sessions. @returns false if that is no longer possible */
  remove(link: LinkSecret): Promise<boolean>
}

const lifetimeMs = 72 * 60 * 60_000

export type EnrolmentNoticesDependencies = DescribeRequestDependencies & {
  database: Kysely<unknown>
  users: Pick<Users, 'find' | 'isEstablishedDevice' | 'forgetDevice'>
  shares: Pick<AuthShares, 'revokeKey'>
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
    notify: (owner, request) => notifyOwner(dependencies, owner, request),
    canRemove: async (link) => (await findDevice(dependencies, link)) !== undefined,
    async remove(link) {
      const device = await findDevice(dependencies, link)
      if (device === undefined) return false
      const { user, key } = device
      await shares.revokeKey(device)
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
  request: IncomingMessage,
): Promise<void> {
  const { database, clock, users, mailer, page } = dependencies
  if (await users.isEstablishedDevice(user, key)) return
  const secret = randomBytes(32).toString('base64url')
  const { rows } = await sql`
    update auth_key set notice = ${sha256(secret)}, notice_at = ${clock.now()}
    where user_id = ${user} and key_thumbprint = ${key}
      and (notice_at is null or notice_at <= ${clock.now() - lifetimeMs})
      and exists (select from auth_wallet where auth_wallet.user_id = auth_key.user_id)
    returning user_id`.execute(database)
  if (rows.length === 0) return
  const { email } = (await users.find(user)) ?? {}
  if (email === undefined) return
  const { words, facts } = await describeRequest(request, dependencies)
  const link = formatActionLink(page(), { id: user, secret }, facts)
  const mail = { to: email, ...linkMail(words, 'newDeviceMail', link, facts) }
  await sendRequiredMail(mailer, mail).catch(async (error: unknown) => {
    await sql`
      update auth_key set notice = null, notice_at = null
      where user_id = ${user} and key_thumbprint = ${key} and notice = ${sha256(secret)}`.execute(database)
    throw error
  })
}

async function findDevice(
  { database, clock }: EnrolmentNoticesDependencies,
  { id, secret }: LinkSecret,
): Promise<ShareOwner | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ShareOwner>`
    select user_id as user, key_thumbprint as key from auth_key
    where user_id = ${id} and notice = ${sha256(secret)}
      and notice_at > ${clock.now() - lifetimeMs}`.execute(database)
  return rows[0]
}
