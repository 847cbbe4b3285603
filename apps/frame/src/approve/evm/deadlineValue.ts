import type { Value } from '../approvalFacts.ts'

/** Times beyond the calendar mean "never expires". */
export function deadlineValue(seconds: bigint): Value {
  return seconds > 8_640_000_000_000n ? { kind: 'none' } : { kind: 'time', at: Number(seconds) * 1_000 }
}
