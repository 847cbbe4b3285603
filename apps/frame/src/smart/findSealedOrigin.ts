import { hexToBytes } from 'viem'
import { getMember } from '../platform/getMember.ts'
import { fromBase64url, toBase64url } from '../services/toBase64url.ts'
import type { PermissionId } from '../worker/keyHolder.ts'
import { hashDelegation, type UnsignedDelegation } from './permissions/delegation.ts'
import type { Typed } from './permissions/permissionRequest.ts'

/** The policy of a registered permission that holds its sealed origin. Only this wallet reads it. */
const originType = 'latchkey-sealed-origin'

/** Identifies a permission by its delegation. */
export function permissionId(chainId: string, delegation: UnsignedDelegation): PermissionId {
  return { chainId, hash: hexToBytes(hashDelegation(delegation)) }
}

/** Formats a sealed origin for the registry. */
export function toOriginPolicy(sealed: Uint8Array): Typed {
  return { type: originType, data: toBase64url(sealed) }
}

/** Returns the sealed origin of a registered permission. Anyone can write into the registry, so any value is possible. */
export function findSealedOrigin(policies: unknown): Uint8Array | undefined {
  const list = Array.isArray(policies) ? (policies as readonly unknown[]) : []
  const data = getMember(
    list.find((policy) => getMember(policy, 'type') === originType),
    'data',
  )
  try {
    return typeof data === 'string' ? fromBase64url(data) : undefined
  } catch {
    return undefined
  }
}
