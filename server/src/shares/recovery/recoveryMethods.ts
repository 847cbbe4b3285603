import { sql, type Kysely } from 'kysely'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { WrappedKey } from './recoveryStore.ts'

/** A recovery method as it may be listed. */
export type RecoveryMethod = Pick<WrappedKey, 'id' | 'method' | 'facts'> & { readonly createdAt: number }

/**
 * The recovery methods of a wallet. A method can be added at any time. Removing one needs another recovery key, so a removal is
 * the start of the next epoch of the wallet, see `RecoveryStore`.
 */
export type RecoveryMethods = {
  list(user: string): Promise<readonly RecoveryMethod[]>
  /**
   * Adds a method, or replaces the one with the same id.
   *
   * @throws Problem 404 `user` without a wallet, 429 `ways` with too many
   */
  add(user: string, wrappedKey: WrappedKey): Promise<void>
}

const maxMethods = 16

/** Creates the recovery methods of the share store. */
export function createRecoveryMethods({
  database,
  clock,
}: {
  database: Kysely<unknown>
  clock: Clock
}): RecoveryMethods {
  return {
    list: (user) => listMethods(database, user),
    async add(user, { id, method, wrapped, facts }) {
      await database.transaction().execute(async (transaction) => {
        const walletId = await lockWallet(transaction, user)
        const others = (await listMethods(transaction, user)).filter((each) => each.id !== id)
        if (others.length >= maxMethods) {
          throw new Problem(429, 'ways', 'There are too many recovery methods already. Remove one first.')
        }
        const now = clock.now()
        await sql`
          delete from share_wrap
          where user_id = ${user} and wallet_id = ${walletId} and id = ${id} and live_at is not null`.execute(
          transaction,
        )
        // The method belongs to no enrolment. The wallet id takes the place of the enrolment id.
        await sql`
          insert into share_wrap (user_id, wallet_id, set_id, id, method, wrapped, facts, created_at, live_at)
          values (${user}, ${walletId}, ${walletId}, ${id}, ${method}, ${Buffer.from(wrapped)}, ${facts}, ${now},
            ${now})`.execute(transaction)
      })
    },
  }
}

/** Concurrent additions wait for each other. @throws Problem 404 `user` */
async function lockWallet(transaction: Kysely<unknown>, user: string): Promise<Buffer> {
  const { rows } = await sql<{ wallet_id: Buffer }>`
    select wallet_id from share_wallet where user_id = ${user} for update`.execute(transaction)
  const [wallet] = rows
  if (wallet === undefined) throw new Problem(404, 'user', 'There is no wallet yet.')
  return wallet.wallet_id
}

async function listMethods(database: Kysely<unknown>, user: string): Promise<readonly RecoveryMethod[]> {
  const { rows } = await sql<RecoveryMethod>`
    select id, method, facts, share_wrap.created_at as "createdAt"
    from share_wrap join share_wallet using (user_id, wallet_id)
    where user_id = ${user} and live_at is not null
    order by share_wrap.created_at, id`.execute(database)
  return rows
}
