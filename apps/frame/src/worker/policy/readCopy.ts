import { openPolicyRecord, type PolicyKind, type PolicyRecord } from '../../policy/policyRecord.ts'
import type { PolicyReport, PolicyService } from '../../services/policyService.ts'
import type { PolicyCopy } from '../keyHolder.ts'

/** The two services that store a copy each. */
export type PolicyServices = { readonly auth: PolicyService; readonly shares: PolicyService }

/** The copy of one service, checked with the wallet's key. */
export type CheckedCopy =
  | { readonly isReachable: false }
  | {
      readonly isReachable: true
      readonly report: PolicyReport
      /** Records that this wallet signed, with their contents. */
      readonly own: ReadonlyMap<PolicyKind, OpenRecord>
      readonly hasForeign: boolean
    }

export type OpenRecord = { readonly record: PolicyRecord; readonly content: Uint8Array; readonly storedAt: number }

/** Reads the copy of one service. A service that doesn't respond is not an error here. */
export async function readCopy(service: PolicyService, entropy: Uint8Array): Promise<CheckedCopy> {
  let report: PolicyReport
  try {
    report = await service.read()
  } catch {
    return { isReachable: false }
  }
  const own = new Map<PolicyKind, OpenRecord>()
  let hasForeign = false
  for (const { storedAt, ...record } of report.records) {
    const content = await openPolicyRecord(entropy, record).catch(() => undefined)
    if (content === undefined) hasForeign = true
    else own.set(record.kind, { record, content, storedAt })
  }
  return { isReachable: true, report, own, hasForeign }
}

/** Returns the counter that a service stores. 0 without a record. */
export function counterAt(copy: CheckedCopy, kind: PolicyKind): number {
  return copy.isReachable ? (copy.report.records.find((record) => record.kind === kind)?.counter ?? 0) : 0
}

/** Compares the copy of a service with the newest known policy. */
export function describeCopy(copy: CheckedCopy, newest: number): PolicyCopy {
  if (!copy.isReachable) return 'unreachable'
  if (copy.hasForeign) return 'foreign'
  return (copy.own.get('policy')?.record.counter ?? 0) === newest ? 'current' : 'behind'
}

/** Returns the newest of the records of one kind. */
export function newestOf(records: readonly (OpenRecord | undefined)[]): OpenRecord | undefined {
  return records
    .filter((each) => each !== undefined)
    .toSorted((one, other) => other.record.counter - one.record.counter)[0]
}
