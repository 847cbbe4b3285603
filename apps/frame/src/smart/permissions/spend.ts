import type { Call } from '../../approve/evm/describeCall.ts'
import { isKnownFunction } from '../../approve/evm/calls/readCall.ts'
import { isEqualAddress, type Allowance, type PermissionPolicy } from './permissionRequest.ts'

/** Used amounts by limit: within the current period of an allowance, or in total. */
export type Used = Readonly<Record<string, { readonly period: number; readonly units: bigint }>>

/** `transfer(address,uint256)`: the only function that spends a token allowance. */
const transfer = /^0xa9059cbb0{24}[\da-f]{40}[\da-f]{64}$/i

/**
 * Counts calls against a policy, all or none.
 *
 * @param fee maximum fee of the account
 * @param now milliseconds since the epoch
 * @returns the new used amounts; `undefined` if a call exceeds the policy
 */
export function spend(
  bounds: PermissionPolicy,
  used: Used,
  { calls, fee, now }: { calls: readonly Call[]; fee: bigint; now: number },
): Used | undefined {
  const seconds = Math.floor(now / 1_000)
  let left: Used | undefined = fee === 0n ? used : takeFromAllowance(used, 'native', bounds.native, fee, seconds)
  for (const call of calls) left = left && spendOne(bounds, left, call, seconds)
  return left
}

function spendOne(bounds: PermissionPolicy, used: Used, { to, value, data }: Call, now: number): Used | undefined {
  if (to === undefined) return undefined
  if (data === '0x') return takeFromAllowance(used, 'native', bounds.native, value, now)
  const token = bounds.tokens.find(({ address }) => isEqualAddress(address, to))
  if (token !== undefined && transfer.test(data)) {
    return value === 0n
      ? takeFromAllowance(used, to.toLowerCase(), token, BigInt(`0x${data.slice(74)}`), now)
      : undefined
  }
  if (isKnownFunction(data.slice(0, 10))) return undefined
  const index = bounds.calls.findIndex(
    ({ address, functions }) =>
      isEqualAddress(address, to) && functions.some(({ selector }) => isEqualAddress(selector, data.slice(0, 10))),
  )
  const terms = bounds.calls[index]
  return terms && takeUnits(used, `call ${index}`, { most: terms.most, period: 0 }, value)
}

function takeFromAllowance(
  used: Used,
  name: string,
  allowance: Allowance | undefined,
  units: bigint,
  now: number,
): Used | undefined {
  if (allowance === undefined || now < allowance.start) return undefined
  const period = Math.floor((now - allowance.start) / allowance.period)
  return takeUnits(used, name, { most: allowance.most, period }, units)
}

/** Unused amounts of earlier periods expire. */
function takeUnits(
  used: Used,
  name: string,
  { most, period }: { most: bigint; period: number },
  units: bigint,
): Used | undefined {
  const before = used[name]
  const sum = (before?.period === period ? before.units : 0n) + units
  return sum > most ? undefined : { ...used, [name]: { period, units: sum } }
}
