import { isRecord } from '@latchkey/protocol'
import { policyError } from './policyError.ts'
import { getMember } from '../platform/getMember.ts'

/**
 * An amount of one asset in base units. The asset is a CAIP-2 chain id for its native currency, `chain/address` for a token,
 * and `solana` or `solana/mint` for all clusters of Solana, because a signed message does not name its cluster.
 */
export type AssetAmount = { readonly asset: string; readonly units: bigint }

/** The rules under which the wallet signs on one device. Everything else needs a second one. A missing rule does not limit. */
export type Policy = {
  /** Amounts that may leave the wallet in a day (UTC). Other assets may not. */
  readonly dailyLimit?: readonly AssetAmount[]
  /** Amounts of a single request. Other assets may not leave the wallet. */
  readonly secondDeviceAbove?: readonly AssetAmount[]
  /** Receivers and spenders, as `chain:address` (CAIP-10), and `solana:address`. */
  readonly onlyKnownReceivers?: readonly string[]
}

/** The amounts that left the wallet in one day. */
export type SpentDay = { readonly day: number; readonly spent: readonly AssetAmount[] }

/** Larger policies are unreadable, and the services refuse them. */
const policyLimits = { assets: 64, receivers: 100, nameLength: 160 } as const

const version = 1

/**
 * Encodes a policy. Equal policies have equal bytes.
 *
 * @throws LatchkeyError `policy/invalid`
 */
export function encodePolicy(policy: Policy): Uint8Array {
  const { dailyLimit, secondDeviceAbove, onlyKnownReceivers } = policy
  assertReceivers(onlyKnownReceivers)
  return toBytes({
    version,
    ...(dailyLimit !== undefined && { dailyLimit: formatAmounts(dailyLimit) }),
    ...(secondDeviceAbove !== undefined && { secondDeviceAbove: formatAmounts(secondDeviceAbove) }),
    ...(onlyKnownReceivers !== undefined && { onlyKnownReceivers: [...new Set(onlyKnownReceivers)].toSorted() }),
  })
}

/**
 * Parses an encoded policy. Only the canonical encoding is accepted.
 *
 * @throws LatchkeyError `policy/invalid`
 */
export function parsePolicy(bytes: Uint8Array): Policy {
  const json = fromBytes(bytes)
  if (getMember(json, 'version') !== version) throw policyError('policy/invalid', { reason: 'its version is unknown' })
  const [daily, single, receivers] = ['dailyLimit', 'secondDeviceAbove', 'onlyKnownReceivers'].map((name) =>
    getMember(json, name),
  )
  const policy = {
    ...(daily !== undefined && { dailyLimit: parseAmounts(daily) }),
    ...(single !== undefined && { secondDeviceAbove: parseAmounts(single) }),
    ...(receivers !== undefined && { onlyKnownReceivers: parseReceivers(receivers) }),
  }
  assertCanonical(bytes, encodePolicy(policy))
  return policy
}

/** Encodes what was spent in a day. */
export function encodeSpentDay({ day, spent }: SpentDay): Uint8Array {
  return toBytes({ day, spent: formatAmounts(spent) })
}

/**
 * Parses what was spent in a day.
 *
 * @throws LatchkeyError `policy/invalid`
 */
export function parseSpentDay(bytes: Uint8Array): SpentDay {
  const json = fromBytes(bytes)
  const day = getMember(json, 'day')
  if (typeof day !== 'number' || !Number.isSafeInteger(day))
    throw policyError('policy/invalid', { reason: 'it has no day' })
  const parsed = { day, spent: parseAmounts(getMember(json, 'spent')) }
  assertCanonical(bytes, encodeSpentDay(parsed))
  return parsed
}

/** Adds amounts of the same assets. */
export function addAmounts(...lists: readonly (readonly AssetAmount[])[]): readonly AssetAmount[] {
  const sums = new Map<string, bigint>()
  for (const { asset, units } of lists.flat()) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return [...sums].map(([asset, units]) => ({ asset, units }))
}

function formatAmounts(amounts: readonly AssetAmount[]): readonly (readonly [string, string])[] {
  const isValid = amounts.every(({ asset, units }) => isName(asset) && units >= 0n && units < 2n ** 256n)
  if (!isValid || amounts.length > policyLimits.assets)
    throw policyError('policy/invalid', { reason: 'a limit is malformed' })
  return addAmounts(amounts)
    .map(({ asset, units }) => [asset, String(units)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function parseAmounts(value: unknown): readonly AssetAmount[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  return list.map((each) => {
    const [asset, units]: readonly unknown[] = Array.isArray(each) ? each : []
    if (typeof asset === 'string' && typeof units === 'string' && /^\d{1,78}$/.test(units)) {
      return { asset, units: BigInt(units) }
    }
    throw policyError('policy/invalid', { reason: 'a limit is malformed' })
  })
}

function parseReceivers(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [undefined]
  return list.map((each) => {
    if (typeof each === 'string') return each
    throw policyError('policy/invalid', { reason: 'a receiver is malformed' })
  })
}

function assertReceivers(receivers: readonly string[] = []): void {
  if (receivers.length <= policyLimits.receivers && receivers.every(isName)) return
  throw policyError('policy/invalid', { reason: 'a receiver is malformed, or there are too many' })
}

const isName = (text: string): boolean => /^[\w:/.-]+$/.test(text) && text.length <= policyLimits.nameLength

function assertCanonical(given: Uint8Array, written: Uint8Array): void {
  if (given.length === written.length && given.every((byte, at) => byte === written[at])) return
  throw policyError('policy/invalid', { reason: 'it is not canonical' })
}

const toBytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

function fromBytes(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isRecord(json)) return json
  } catch {
    // The error is thrown below.
  }
  throw policyError('policy/invalid', { reason: 'it cannot be read' })
}
