import { isRecord } from '@latchkey/protocol'
import { isAddress } from '../../approve/evm/parseQuantity.ts'
import { toCaipChainId } from '../../approve/checkRequest.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import { getMember } from '../../platform/getMember.ts'
import {
  parseDelegate,
  parseExpiry,
  parsePolicy,
  parseTyped,
  type PermissionPolicy,
  type Typed,
} from './permissionRequest.ts'

/** One permission that the network enforces. */
export type ExecutionRequest = {
  readonly chainId?: string
  readonly from?: string
  /** Session account of the page, which redeems the permission. */
  readonly to: `0x${string}`
  /** Seconds since the epoch. */
  readonly expiry: number
  /** Limits of a single permission. */
  readonly policy: PermissionPolicy
  /** Permission and rules of the response: the page's values, with the start of the first period. */
  readonly granted: {
    readonly permission: Typed & { readonly isAdjustmentAllowed: boolean }
    readonly rules: readonly Typed[]
  }
}

const limits = { requests: 4, characters: 50_000 } as const

/**
 * Parses `wallet_requestExecutionPermissions` (ERC-7715).
 *
 * @param now milliseconds since the epoch
 * @throws RpcError -32602, including for rules that the wallet doesn't understand. They are never ignored.
 */
export function parseExecutionRequests(params: unknown, now: number): readonly ExecutionRequest[] {
  if (!Array.isArray(params) || params.length === 0) throw rpcErrors.invalid('permissions are missing')
  if (params.length > limits.requests) throw rpcErrors.invalid(`at most ${limits.requests} permissions per request`)
  return params.map((each: unknown) => parseExecutionRequest(each, Math.floor(now / 1_000)))
}

function parseExecutionRequest(request: unknown, now: number): ExecutionRequest {
  if (!isRecord(request)) throw rpcErrors.invalid('a permission is not an object')
  const { chainId, from, to, permission } = request
  if (from !== undefined && from !== null && !isAddress(from)) throw rpcErrors.invalid('from is not an address')
  const expiry = parseRules(request['rules'], now)
  const { type, data } = parseTyped(permission)
  const started = isRecord(data) ? { [startOf(type)]: now, ...data } : data
  const isAdjustmentAllowed = getMember(permission, 'isAdjustmentAllowed') === true
  const granted = {
    permission: { type, isAdjustmentAllowed, data: started },
    rules: [{ type: 'expiry', data: { timestamp: expiry } }],
  }
  if (JSON.stringify(granted).length > limits.characters) throw rpcErrors.invalid('the permission is too large')
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    ...(isChain && { chainId: toCaipChainId(chainId) }),
    ...(isAddress(from) && { from }),
    to: parseDelegate(to),
    expiry,
    policy: parsePolicy([{ type, data: started }], now),
    granted,
  }
}

function startOf(type: string): 'startTime' | 'start' {
  return type.endsWith('-periodic') ? 'startTime' : 'start'
}

/** Returns the expiry, the only supported rule. A permission without an end is never granted. */
function parseRules(rules: unknown, now: number): number {
  const [expiry, ...others]: readonly unknown[] = Array.isArray(rules) ? rules : []
  if (getMember(expiry, 'type') !== 'expiry' || others.length > 0)
    throw rpcErrors.invalid('a permission needs the rule expiry, and other rules are not supported')
  return parseExpiry(getMember(getMember(expiry, 'data'), 'timestamp'), now)
}
