import { sql, type Kysely, type RawBuilder } from 'kysely'

const dayMs = 86_400_000
const draftMs = dayMs
const unusedMs = 90 * dayMs

/**
 * Deletes drafts after a day, and live shares that were not used for ninety days.
 *
 * Drafts of a first wallet or of the next epoch may be live at the share store. They stay until an enrolment that both
 * services have committed replaces them. The latest enrolment that both have committed also stays, because the share store
 * does not learn which enrolments are used and keeps its latest. Otherwise the two services could keep different
 * enrolments, and a new device would find no matching pair of shares.
 *
 * Only an enrolment of a proven device replaces others: the thief of one code can commit junk, even twice. So the latest share
 * of a proven device stays at any age. [C-08]
 *
 * @param now milliseconds since the epoch
 */
export async function deleteUnusedShares(database: Kysely<unknown>, now: number): Promise<void> {
  await sql`
    delete from auth_share
    where (live_at is null and created_at <= ${now - draftMs} and exists (
        select from auth_wallet
        where auth_wallet.user_id = auth_share.user_id and auth_share.epoch <= auth_wallet.epoch
          and (auth_wallet.wallet_id <> auth_share.wallet_id or exists (
            select from auth_share as other
            where other.user_id = auth_share.user_id and other.settled_at is not null and ${isOfProvenDevice('other')}))))
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from auth_share as newer
        where newer.user_id = auth_share.user_id and newer.settled_at is not null and newer.live_at > auth_share.live_at
          and ${isOfProvenDevice('newer')}
      ))`.execute(database)
}

/** The condition that the device of a share created the wallet, or proved that it opened it or that the share store approved it. */
function isOfProvenDevice(share: string): RawBuilder<unknown> {
  const [user, key] = [sql.ref(`${share}.user_id`), sql.ref(`${share}.key_thumbprint`)]
  return sql`(
    exists (select from auth_wallet where auth_wallet.user_id = ${user} and founder = ${key})
    or exists (
      select from auth_key
      where auth_key.user_id = ${user} and auth_key.key_thumbprint = ${key} and proven_at is not null))`
}
