import { addAmounts, type AssetAmount, type Policy, type SpentDay } from './policy.ts'
import type { PolicyRule } from './policyRule.ts'
import type { Spending } from './spending.ts'

/**
 * Decides about a request by the rules that need no counter.
 *
 * @returns the exceeded rule; `undefined` if the request is within them
 */
export function judgeRequest(policy: Policy, { amounts, receivers, isUnknown }: Spending): PolicyRule | undefined {
  const { dailyLimit, secondDeviceAbove, onlyKnownReceivers } = policy
  const hasRule = [dailyLimit, secondDeviceAbove, onlyKnownReceivers].some((rule) => rule !== undefined)
  if (!hasRule) return undefined
  if (isUnknown) return 'unknown'
  if (onlyKnownReceivers !== undefined && !receivers.every((each) => onlyKnownReceivers.includes(each)))
    return 'receiver'
  if (secondDeviceAbove !== undefined && !isWithin(amounts, secondDeviceAbove)) return 'single'
  return undefined
}

const maxUnits = 2n ** 256n - 1n

/**
 * Adds a request to the sums of the day. Only assets with a limit are counted, because others can't leave the wallet anyway.
 *
 * @param today days since the epoch (UTC)
 * @returns the new sums, and whether they are within the limits
 */
export function addToDay(
  limits: readonly AssetAmount[],
  { amounts }: Spending,
  before: SpentDay | undefined,
  today: number,
): { readonly next: SpentDay; readonly isWithin: boolean } {
  // A day before the recorded one means that a clock was set back. The recorded sums still count.
  const day = Math.max(today, before?.day ?? today)
  const sums = addAmounts(before?.day === day ? before.spent : [], amounts)
  const spent = sums
    .filter(({ asset }) => limits.some((each) => each.asset === asset))
    .map(({ asset, units }) => ({ asset, units: units < maxUnits ? units : maxUnits }))
  return { next: { day, spent }, isWithin: isWithin(sums, limits) }
}

/** True if every amount has a limit and is not above it. */
function isWithin(amounts: readonly AssetAmount[], limits: readonly AssetAmount[]): boolean {
  const most = new Map(limits.map(({ asset, units }) => [asset, units]))
  return addAmounts(amounts).every(({ asset, units }) => units <= (most.get(asset) ?? 0n))
}

/**
 * True if a policy allows something that the other one does not: a higher or removed limit, another asset, or a new receiver.
 */
export function isLooser(next: Policy, current: Policy): boolean {
  return (
    raisesLimit(next.dailyLimit, current.dailyLimit) ||
    raisesLimit(next.secondDeviceAbove, current.secondDeviceAbove) ||
    addsReceivers(next.onlyKnownReceivers, current.onlyKnownReceivers)
  )
}

function raisesLimit(next: readonly AssetAmount[] | undefined, current: readonly AssetAmount[] | undefined): boolean {
  if (current === undefined) return false
  return next === undefined || !isWithin(next, current)
}

function addsReceivers(next: readonly string[] | undefined, current: readonly string[] | undefined): boolean {
  if (current === undefined) return false
  return next === undefined || !next.every((each) => current.includes(each))
}
