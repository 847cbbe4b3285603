import { sql, type Kysely } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import { unusedMs } from './sweepEnrolments.ts'

/** A user, and the thumbprint of the key of a device. */
type Device = { readonly user: string; readonly key: string }

const maxDevices = 25
const maxDraftsPerDevice = 25

/**
 * Refuses an enrolment beyond the maximum number of devices. Only live enrolments of other devices count: drafts cost nothing, and a
 * thief's drafts would lock the owner's devices out. Unused enrolments of unknown devices don't count either: some stay at any age.
 *
 * @param now milliseconds since the epoch
 * @throws Problem 429 `walletId`
 */
export async function assertRoomForDevice(
  database: Kysely<unknown>,
  { user, key }: Device,
  now: number,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct key_thumbprint) as count from share_set
    where user_id = ${user} and live_at is not null and key_thumbprint <> ${key}
      and (used_at > ${now - unusedMs} or exists (
        select from share_device
        where share_device.user_id = share_set.user_id and share_device.key_thumbprint = share_set.key_thumbprint
      ))`.execute(database)
  if ((rows[0]?.count ?? 0) < maxDevices) return
  throw new Problem(429, 'walletId', 'This wallet is on too many devices. Remove one first.')
}

/** Deletes the oldest drafts of a device, so that one more fits. A device completes its latest draft. */
export async function makeRoomForDraft(database: Kysely<unknown>, { user, key }: Device): Promise<void> {
  const { rows } = await sql<{ id: Buffer }>`
    delete from share_set
    where user_id = ${user} and set_id in (
      select set_id from share_set
      where user_id = ${user} and key_thumbprint = ${key} and live_at is null
      order by created_at desc, set_id offset ${maxDraftsPerDevice - 1})
    returning set_id as id`.execute(database)
  if (rows.length === 0) return
  await sql`
    delete from share_wrap
    where user_id = ${user} and live_at is null and set_id = any(${rows.map(({ id }) => id)}::bytea[])`.execute(
    database,
  )
}
