import { openPolicyRecord, type PolicyKind, type PolicyRecord } from '../../policy/policyRecord.ts'
import { policyError } from '../../policy/policyError.ts'
import { newestOf, readCopy, type CheckedCopy, type OpenRecord, type PolicyServices } from './readCopy.ts'
import type { PolicyMemory } from './policyMemory.ts'

/** The newest record of each kind, and what each service returned. */
export type LoadedPolicies = {
  readonly copies: { readonly auth: CheckedCopy; readonly shares: CheckedCopy }
  readonly newest: ReadonlyMap<PolicyKind, OpenRecord>
}

const kinds: readonly PolicyKind[] = ['policy', 'spending', 'pending']

/**
 * Loads the records of both services and of this device, and takes the newest valid one of each kind. So a service that returns
 * an older one, or none, changes nothing.
 *
 * @throws LatchkeyError `policy/unavailable` if this device has never seen the policy, and a service does not respond
 */
export async function loadPolicies(
  services: PolicyServices,
  memory: PolicyMemory,
  entropy: Uint8Array,
): Promise<LoadedPolicies> {
  const [auth, shares, remembered] = await Promise.all([
    readCopy(services.auth, entropy),
    readCopy(services.shares, entropy),
    memory.read(),
  ])
  if (remembered === undefined && !(auth.isReachable && shares.isReachable)) {
    throw policyError('policy/unavailable', { reason: 'a service did not respond' })
  }
  const opened = await openAll(entropy, remembered ?? [])
  const found = kinds.flatMap((kind): readonly (readonly [PolicyKind, OpenRecord])[] => {
    const copies = [auth, shares].map((copy) => (copy.isReachable ? copy.own.get(kind) : undefined))
    const newest = newestOf([...copies, opened.get(kind)])
    return newest === undefined ? [] : [[kind, newest]]
  })
  const newest = new Map(found)
  await memory.write([...newest.values()].map(({ record }) => record))
  return { copies: { auth, shares }, newest }
}

async function openAll(
  entropy: Uint8Array,
  records: readonly PolicyRecord[],
): Promise<ReadonlyMap<PolicyKind, OpenRecord>> {
  const opened = new Map<PolicyKind, OpenRecord>()
  for (const record of records) {
    const content = await openPolicyRecord(entropy, record)
    if (content !== undefined) opened.set(record.kind, { record, content, storedAt: 0 })
  }
  return opened
}
