import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Wrap } from './recoveryStore.ts'

/** A way to get the recovery key back, as it may be listed. */
export type Way = Pick<Wrap, 'id' | 'method' | 'facts'> & { readonly createdAt: number }

/**
 * The ways to get a wallet's recovery key back. One is added by itself; taking one away needs another recovery key, so it
 * comes with the next epoch of the wallet, see `RecoveryStore`.
 */
export type Ways = {
  list(user: string): Promise<readonly Way[]>
  /**
   * Adds a way, or puts it in the place of the one with its id.
   *
   * @throws Problem 404 `user` without a wallet, 429 `ways` with too many
   */
  add(user: string, wrap: Wrap): Promise<void>
}

const mostWays = 16

export function createWays({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Ways {
  async function list(user: string): Promise<readonly Way[]> {
    const { rows } = await sql<Way>`
      select id, method, facts, share_wrap.created_at as "createdAt"
      from share_wrap join share_wallet using (wallet_id)
      where user_id = ${user} and live_at is not null
      order by share_wrap.created_at, id`.execute(database)
    return rows
  }
  return {
    list,
    async add(user, { id, method, wrapped, facts }) {
      const { rows: wallets } = await sql<{ wallet_id: Buffer }>`
        select wallet_id from share_wallet where user_id = ${user}`.execute(database)
      const [wallet] = wallets
      if (wallet === undefined) throw new Problem(404, 'user', 'There is no wallet yet.')
      const others = (await list(user)).filter((each) => each.id !== id)
      if (others.length >= mostWays)
        throw new Problem(429, 'ways', 'There are too many ways already. Remove one first.')
      const now = clock.now()
      await database.transaction().execute(async (transaction) => {
        await sql`
          delete from share_wrap
          where wallet_id = ${wallet.wallet_id} and id = ${id} and live_at is not null`.execute(transaction)
        // It came with no enrolment: the wallet's own id stands for none.
        await sql`
          insert into share_wrap (wallet_id, set_id, id, method, wrapped, facts, created_at, live_at)
          values (${wallet.wallet_id}, ${wallet.wallet_id}, ${id}, ${method}, ${Buffer.from(wrapped)}, ${facts}, ${now},
            ${now})`.execute(transaction)
      })
    },
  }
}
