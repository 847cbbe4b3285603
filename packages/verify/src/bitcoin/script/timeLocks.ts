import { brokenRule } from './brokenRule.ts'
import { parseScriptNumber } from './scriptNumber.ts'

/** The times of a transaction and of one of its inputs. */
export type TimeLocks = { readonly version: number; readonly lockTime: number; readonly sequence: number }

/** Lock times below it are heights of blocks, others are seconds. */
const firstTime = 500_000_000
const isDisabled = 0x8000_0000
const isInSeconds = 0x0040_0000
const valueOfSequence = 0xffff

/** Checks OP_CHECKLOCKTIMEVERIFY (BIP-65). */
export function assertLockTime(value: Uint8Array, { lockTime, sequence }: TimeLocks): void {
  const required = parseScriptNumber(value, 5)
  if (required < 0) return brokenRule('a lock time is negative')
  if (required < firstTime !== lockTime < firstTime) return brokenRule('a lock time has another unit')
  if (required > lockTime || sequence === 0xffff_ffff) brokenRule('a lock time is not met')
}

/** Checks OP_CHECKSEQUENCEVERIFY (BIP-112). */
export function assertSequence(value: Uint8Array, { version, sequence }: TimeLocks): void {
  const required = parseScriptNumber(value, 5)
  if (required < 0) return brokenRule('an age is negative')
  // Numbers have up to 40 bits, and bit operations only 32.
  const bits = required % 2 ** 32
  if ((bits & isDisabled) !== 0) return
  if (version >>> 0 < 2 || (sequence & isDisabled) !== 0) return brokenRule('an age is not met')
  if ((bits & isInSeconds) !== (sequence & isInSeconds)) return brokenRule('an age has another unit')
  if ((bits & valueOfSequence) > (sequence & valueOfSequence)) brokenRule('an age is not met')
}
