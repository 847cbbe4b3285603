import { isSameBytes } from '../../custody/isSameBytes.ts'
import { getMember } from '../../platform/getMember.ts'
import { encodePolicy, parsePolicy, type Policy } from '../../policy/policy.ts'
import { fromBase64url, toBase64url } from '../../services/toBase64url.ts'
import type { LoadedPolicies } from './loadPolicies.ts'
import type { CheckedCopy } from './readCopy.ts'

/** A looser policy that takes effect later, unless the owner stops it. */
export type PendingPolicy = {
  readonly policy: Policy
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly isDue: boolean
}

const waitMs = 24 * 60 * 60_000

/** Encodes a pending policy. It replaces the policy with the counter `base` and no other one. */
export function encodePendingPolicy(policy: Policy, base: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ base, policy: toBase64url(encodePolicy(policy)) }))
}

/**
 * Finds the pending policy. Both services must still store it, each for a day by its own clock, so that neither can shorten the
 * wait, and the link of the mail can stop it at one of them. Every other change of the policy ends it.
 */
export function findPendingPolicy({ copies, newest }: LoadedPolicies): PendingPolicy | undefined {
  const stored = [copies.auth, copies.shares].map(storedAt)
  const [first, second] = stored
  if (first === undefined || second === undefined || !isSameBytes(first.sealed, second.sealed)) return undefined
  const json: unknown = JSON.parse(new TextDecoder().decode(first.content))
  const [base, policy] = [getMember(json, 'base'), getMember(json, 'policy')]
  if (base !== newest.get('policy')?.record.counter || typeof policy !== 'string') return undefined
  return {
    policy: parsePolicy(fromBase64url(policy)),
    at: Math.max(first.since, second.since) + waitMs,
    isDue: stored.every((each) => each !== undefined && each.now - each.since >= waitMs),
  }
}

type StoredCopy = {
  readonly sealed: Uint8Array
  readonly content: Uint8Array
  readonly since: number
  readonly now: number
}

function storedAt(copy: CheckedCopy): StoredCopy | undefined {
  const found = copy.isReachable ? copy.own.get('pending') : undefined
  if (found === undefined || !copy.isReachable) return undefined
  return { sealed: found.record.sealed, content: found.content, since: found.storedAt, now: copy.report.now }
}
