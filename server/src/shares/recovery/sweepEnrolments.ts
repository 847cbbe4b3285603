import { sql, type Kysely } from 'kysely'

const dayMs = 86_400_000
const draftMs = dayMs
/** An enrolment that no device used for so long may be deleted. */
export const unusedMs = 90 * dayMs

/**
 * Deletes drafts after a day, and live enrolments that were not used for ninety days once an enrolment replaces them.
 *
 * Only the enrolment of a device that proved to have the wallet open replaces others: a newer one replaces any, and an older one
 * those without such a proof. Otherwise the thief of a login could enrol junk, and the owner's recovery share would be deleted. [C-08]
 *
 * The enrolment of a known device stays at any age, because a device is revoked by its enrolment.
 *
 * @param now milliseconds since the epoch
 */
export async function sweepEnrolments(database: Kysely<unknown>, now: number): Promise<void> {
  await sql`
    delete from share_set
    where (live_at is null and created_at <= ${now - draftMs})
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from share_set as other
        where other.user_id = share_set.user_id and other.set_id <> share_set.set_id
          and other.live_at is not null and other.proven_at is not null
          and (share_set.proven_at is null or other.used_at > share_set.used_at)
      ) and not exists (
        select from share_device
        where share_device.user_id = share_set.user_id and share_device.key_thumbprint = share_set.key_thumbprint
      ))`.execute(database)
  await sql`
    delete from share_wrap
    where live_at is null and not exists (
      select from share_set
      where share_set.user_id = share_wrap.user_id and share_set.set_id = share_wrap.set_id)`.execute(database)
}
