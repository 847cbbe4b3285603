import { sql, type Kysely } from 'kysely'
import type { Audit } from '../auth/audit.ts'
import { Problem } from '../kit/problem.ts'
import type { Secrets } from '../kit/secrets.ts'
import type { Contacts } from './contacts.ts'

/** Wallets whose owner has another name at the auth service: it lost its data, and gave him a new one. */
export type Adoptions = {
  /**
   * Takes a wallet over to the user's new name. It takes the very device that brought a part of it, and an approval by the
   * contact that approves its owner's devices: the auth service alone has neither.
   *
   * @throws Problem 403 `device`, 409 `walletId` when the user has a wallet already
   */
  adopt(user: string, key: string, contact: Uint8Array | undefined): Promise<void>
}

type SetRow = { user_id: string; set_id: Buffer; wallet_id: Buffer; epoch: number; share: Buffer }

export function createAdoptions(parts: {
  database: Kysely<unknown>
  secrets: Secrets
  contacts: Contacts
  audit: Audit
}): Adoptions {
  const { database, secrets, contacts, audit } = parts
  const place = (owner: string, { set_id: setId, wallet_id: walletId, epoch }: SetRow) => ({
    table: 'share_set',
    row: setId.toString('hex'),
    owner,
    scope: `${walletId.toString('hex')}/${epoch}`,
  })
  const autoPlace = (user: string) => ({ table: 'share_auto', row: user, owner: user })

  return {
    async adopt(user, key, contact) {
      const { rows: own } = await sql`select from share_wallet where user_id = ${user}`.execute(database)
      if (own.length > 0) throw new Problem(409, 'walletId', 'This user has a wallet already.')
      const { rows } = await sql<{ user: string }>`
        select share_set.user_id as user from share_set join share_wallet using (user_id, wallet_id, epoch)
        where key_thumbprint = ${key} and live_at is not null order by live_at desc limit 1`.execute(database)
      const before = rows[0]?.user
      const isApproved = before !== undefined && contact !== undefined && (await contacts.accepts(before, contact))
      if (!isApproved)
        throw new Problem(403, 'device', 'This device brought no part of a wallet that it may take over.')
      const { rows: sets } = await sql<SetRow>`
        select user_id, set_id, wallet_id, epoch, share from share_set where user_id = ${before}`.execute(database)
      const sealed = await Promise.all(
        sets.map(async (row) => ({
          id: row.set_id,
          share: await secrets.seal(place(user, row), await secrets.open(place(before, row), row.share)),
        })),
      )
      const { rows: autos } = await sql<{ secret: Buffer }>`
        select secret from share_auto where user_id = ${before}`.execute(database)
      const [auto] = await Promise.all(
        autos.map(async ({ secret }) => secrets.seal(autoPlace(user), await secrets.open(autoPlace(before), secret))),
      )
      await database.transaction().execute(async (transaction) => {
        // What the new name was given on its way here gives way to what the wallet has.
        for (const table of ['set', 'auto', 'device', 'contact', 'wallet', 'deletion']) {
          const name = sql.table(`share_${table}`)
          await sql`delete from ${name} where user_id = ${user}`.execute(transaction)
          await sql`update ${name} set user_id = ${user} where user_id = ${before}`.execute(transaction)
        }
        for (const { id, share } of sealed) {
          await sql`update share_set set share = ${share} where set_id = ${id}`.execute(transaction)
        }
        if (auto !== undefined) {
          await sql`update share_auto set secret = ${auto} where user_id = ${user}`.execute(transaction)
        }
      })
      await secrets.destroy(before)
      await audit.note('contact changed', { user, key, about: 'adopted' })
    },
  }
}
