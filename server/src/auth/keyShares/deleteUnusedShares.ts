import { sql, type Kysely } from 'kysely'

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
 * Only an enrolment whose device proved that the wallet is open there replaces others: the thief of a login can commit junk, even
 * twice, and with the owner's mailbox the share store approves the thief's device. So the latest proven share stays at any age. [C-08]
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
            where other.user_id = auth_share.user_id and other.settled_at is not null and other.proven_at is not null))))
      or (live_at is not null and used_at <= ${now - unusedMs} and exists (
        select from auth_share as newer
        where newer.user_id = auth_share.user_id and newer.settled_at is not null and newer.live_at > auth_share.live_at
          and newer.proven_at is not null
      ))`.execute(database)
}
