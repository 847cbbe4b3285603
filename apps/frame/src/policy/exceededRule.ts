import { addAmounts, type AssetAmount, type Policy, type SpentDay } from './policy.ts'
import { addToDay, judgeRequest } from './judgeRequest.ts'
import type { PolicyRule } from './policyRule.ts'
import { joinSpendings, type Spending } from './spending.ts'

/** The rule that a request would exceed, with its figures for the assets of the request. */
export type ExceededRule = {
  readonly rule: PolicyRule
  /** The limits of a rule about amounts. Assets without one have 0 units. */
  readonly limits: readonly AssetAmount[]
  /** Counted today, for the daily limit. */
  readonly spent: readonly AssetAmount[]
}

/**
 * Finds the rule that requests would exceed if they were signed now. It counts nothing.
 *
 * @param day sums and date of the day. `undefined` if they are unknown, because a service does not respond.
 * @returns `undefined` if the requests are within the policy
 */
export function findExceededRule(
  policy: Policy,
  spendings: readonly Spending[],
  day: { readonly before: SpentDay | undefined; readonly today: number } | undefined,
): ExceededRule | undefined {
  const { dailyLimit, secondDeviceAbove } = policy
  const all = joinSpendings(spendings)
  const rule = spendings.map((each) => judgeRequest(policy, each)).find((each) => each !== undefined)
  if (rule !== undefined) {
    return { rule, limits: rule === 'single' ? limitsOf(all, secondDeviceAbove) : [], spent: [] }
  }
  if (dailyLimit === undefined) return undefined
  if (day === undefined) return { rule: 'offline', limits: [], spent: [] }
  const { before, today } = day
  if (addToDay(dailyLimit, all, before, today).isWithin) return undefined
  const counted = before !== undefined && before.day >= today ? before.spent : []
  return { rule: 'daily', limits: limitsOf(all, dailyLimit), spent: limitsOf(all, counted) }
}

/** Returns the amounts of the assets that a request takes. */
function limitsOf({ amounts }: Spending, list: readonly AssetAmount[] = []): readonly AssetAmount[] {
  return addAmounts(amounts)
    .filter(({ units }) => units > 0n)
    .map(({ asset }) => ({ asset, units: list.find((each) => each.asset === asset)?.units ?? 0n }))
}
