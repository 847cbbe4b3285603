import { sql, type Kysely } from 'kysely'
import type { Database } from '../../kit/database/database.ts'
import type { DatabaseTables } from '../../schema/databaseTables.ts'
import type { PaymasterBudgets } from '../../kit/chain/chains.ts'

/** An operation that the paymaster may pay for. */
export type SponsoredCost = {
  readonly chain: string
  readonly project: string
  /** The smart account. Its address stands for the user. */
  readonly sender: string
  /** Maximum fee in base units of the native currency. */
  readonly cost: bigint
}

/** The amounts that the paymaster spends per day. All processes share them. */
export type PaymasterBudget = {
  /**
   * Reserves the cost of an operation from the budgets of the user and the project. An operation that is never sent
   * keeps its reservation until the end of the day (UTC), because the paymaster's signature stays valid.
   *
   * @returns false if one of the budgets is used up; then nothing is reserved
   */
  reserve(cost: SponsoredCost, budgets: PaymasterBudgets): Promise<boolean>
}

const dayMs = 86_400_000

/** Creates the budgets in the server's database. */
export function createPaymasterBudget({
  database: { kysely },
  clock,
}: {
  database: Database
  clock: { now(): number }
}): PaymasterBudget {
  return {
    async reserve({ chain, project, sender, cost }, { user, project: whole }) {
      const day = Math.floor(clock.now() / dayMs)
      // Earlier days no longer count. The key starts with the day.
      await sql`delete from paymaster_spending where day < ${day}`.execute(kysely)
      const account = sender.toLowerCase()
      try {
        await kysely.transaction().execute(async (transaction) => {
          // All requests lock in the same order.
          await reserveCost(transaction, { day, chain, scope: `project ${project}`, cost, budget: BigInt(whole) })
          await reserveCost(transaction, {
            day,
            chain,
            scope: `user ${project} ${account}`,
            cost,
            budget: BigInt(user),
          })
        })
        return true
      } catch (error) {
        if (error instanceof BudgetExceeded) return false
        throw error
      }
    },
  }
}

/** Rolls the transaction back. */
class BudgetExceeded extends Error {}

type Reservation = { day: number; chain: string; scope: string; cost: bigint; budget: bigint }

async function reserveCost(
  transaction: Kysely<DatabaseTables>,
  { day, chain, scope, cost, budget }: Reservation,
): Promise<void> {
  if (cost > budget) throw new BudgetExceeded()
  const { rows } = await sql`
    insert into paymaster_spending as known (day, chain, scope, spent)
    values (${day}, ${chain}, ${scope}, ${cost.toString()}::numeric)
    on conflict (day, chain, scope) do update set spent = known.spent + excluded.spent
      where known.spent + excluded.spent <= ${budget.toString()}::numeric
    returning day`.execute(transaction)
  if (rows.length === 0) throw new BudgetExceeded()
}
