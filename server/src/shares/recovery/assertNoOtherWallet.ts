import { sql, type Kysely, type RawBuilder } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { isAcceptedContact } from '../approval/contacts.ts'

/**
 * Refuses a second wallet for the contact that approves the user's devices. An auth service that lost its data gives its users
 * new ids, and a wallet with other addresses would take the place of the old one. [K-04]
 *
 * @throws Problem 409 `contact`
 */
export async function assertNoOtherWallet(
  { database, clock, secrets }: { database: Kysely<unknown>; clock: Clock; secrets: Pick<Secrets, 'hasKeys'> },
  user: string,
): Promise<void> {
  const { rows } = await selectOtherOwners(user, clock.now()).execute(database)
  // A deleted user that a backup restored no longer has data keys. [K-13]
  const owners = await Promise.all(rows.map(({ owner }) => secrets.hasKeys(owner)))
  if (!owners.includes(true)) return
  throw new Problem(409, 'contact', 'You already have a wallet. Log in on a device that has opened it before.')
}

/** Selects the other users with a wallet whose contact also approves the devices of this user. */
export function selectOtherOwners(user: string, now: number): RawBuilder<{ owner: string }> {
  return sql`
    select share_contact.user_id as owner from share_contact join share_wallet using (user_id)
      left join share_deletion using (user_id)
    where share_contact.user_id <> ${user} and (share_deletion.at is null or share_deletion.at > ${now})
      and ${isAcceptedContact(sql`(select mailbox from share_contact where user_id = ${user})`, now)}`
}
