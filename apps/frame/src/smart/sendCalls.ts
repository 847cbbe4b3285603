import type { Hex } from 'viem'
import { isRecord } from '@latchkey/protocol'
import type { CheckedRequest } from '../approve/approval.ts'
import { toCaipChainId } from '../approve/checkRequest.ts'
import type { Call } from '../approve/evm/describeCall.ts'
import { isAddress, isHex, parseQuantity } from '../approve/evm/parseQuantity.ts'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import { getMember } from '../platform/getMember.ts'

/** Parsed `wallet_sendCalls` (EIP-5792). */
export type SendCalls = {
  readonly from?: string
  readonly chainId?: string
  /** The page's id of the calls. */
  readonly id?: string
  readonly calls: readonly Required<Call>[]
  /** Permission that allows the calls without approval (ERC-7715). */
  readonly permission?: Hex
}

const limits = { calls: 20, id: 4_096 } as const
const known: readonly string[] = ['atomic', 'atomicBatch', 'paymasterService', 'permissions']

/**
 * Parses the parameters of `wallet_sendCalls`.
 *
 * @throws RpcError -32602; 5700 for a required capability that the wallet lacks
 */
export function parseSendCalls({ params }: Pick<CheckedRequest, 'params'>): SendCalls {
  const [wanted]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(wanted)) throw rpcErrors.invalid('calls are missing')
  const { from, chainId, id, calls, capabilities } = wanted
  if (from !== undefined && !isAddress(from)) throw rpcErrors.invalid('from is not an address')
  if (id !== undefined && (typeof id !== 'string' || id.length === 0 || id.length > limits.id))
    throw rpcErrors.invalid('id is not a valid string')
  if (!Array.isArray(calls) || calls.length === 0) throw rpcErrors.invalid('calls are missing')
  if (calls.length > limits.calls) throw new RpcError(5740, `A batch has at most ${limits.calls} calls.`)
  for (const each of [capabilities, ...calls.map((call: unknown) => getMember(call, 'capabilities'))])
    assertKnownCapabilities(each)
  const permission = getMember(getMember(capabilities, 'permissions'), 'context')
  if (permission !== undefined && !isHex(permission)) throw rpcErrors.invalid('the permission is malformed')
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    ...(from !== undefined && { from }),
    ...(id !== undefined && { id }),
    ...(isChain && { chainId: toCaipChainId(chainId) }),
    ...(permission !== undefined && { permission }),
    calls: calls.map(parseCall),
  }
}

function parseCall(call: unknown): Required<Call> {
  if (!isRecord(call)) throw rpcErrors.invalid('a call is not an object')
  const { to, data = '0x' } = call
  if (!isAddress(to)) throw rpcErrors.invalid('a call has no valid receiver')
  if (!isHex(data) || data.length % 2 === 1) throw rpcErrors.invalid('data is not hexadecimal')
  return { to, data, value: parseQuantity(call['value'], 'value') ?? 0n }
}

/** @throws RpcError 5700 */
function assertKnownCapabilities(capabilities: unknown): void {
  for (const [name, value] of Object.entries(isRecord(capabilities) ? capabilities : {})) {
    const isDemanded = getMember(value, 'optional') !== true
    if (isDemanded && !known.includes(name))
      throw new RpcError(5700, `This wallet does not have the capability ${name.slice(0, 40)}.`)
  }
}
