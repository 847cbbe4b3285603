import type { Hex } from 'viem'
import type { Asked } from '../approve/approval.ts'
import { readChainId } from '../approve/asked.ts'
import type { Call } from '../approve/evm/calls.ts'
import { isAddress, isHex, read, readQuantity } from '../approve/evm/hex.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import { isRecord } from '../services/ask.ts'

/** `wallet_sendCalls` (EIP-5792), read. */
export type SendCalls = {
  readonly from?: string
  readonly chainId?: string
  /** The page's own name for it. */
  readonly id?: string
  readonly calls: readonly Required<Call>[]
  /** The permission that it is to be done by, without asking (ERC-7715). */
  readonly permission?: Hex
}

const limits = { calls: 20, id: 4_096 } as const
const known: readonly string[] = ['atomic', 'atomicBatch', 'paymasterService', 'permissions']

/**
 * Reads the parameters of `wallet_sendCalls`.
 *
 * @throws RpcError -32602; 5700 for a capability that is demanded and that there is none of
 */
export function readSendCalls({ params }: Pick<Asked, 'params'>): SendCalls {
  const [wanted]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(wanted)) throw refusals.invalid('no calls')
  const { from, chainId, id, calls, capabilities } = wanted
  if (from !== undefined && !isAddress(from)) throw refusals.invalid('from is no account')
  if (id !== undefined && (typeof id !== 'string' || id.length === 0 || id.length > limits.id))
    throw refusals.invalid('id is none')
  if (!Array.isArray(calls) || calls.length === 0) throw refusals.invalid('no calls')
  if (calls.length > limits.calls) throw new RpcError(5740, `More than ${limits.calls} calls at once are too many.`)
  for (const each of [capabilities, ...calls.map((call: unknown) => read(call, 'capabilities'))]) mustKnow(each)
  const permission = read(read(capabilities, 'permissions'), 'context')
  if (permission !== undefined && !isHex(permission)) throw refusals.invalid('the permission is none')
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    ...(from !== undefined && { from }),
    ...(id !== undefined && { id }),
    ...(isChain && { chainId: readChainId(chainId) }),
    ...(permission !== undefined && { permission }),
    calls: calls.map(readCall),
  }
}

function readCall(call: unknown): Required<Call> {
  if (!isRecord(call)) throw refusals.invalid('a call is none')
  const { to, data = '0x' } = call
  if (!isAddress(to)) throw refusals.invalid('a call goes to no account')
  if (!isHex(data) || data.length % 2 === 1) throw refusals.invalid('data is not hexadecimal')
  return { to, data, value: readQuantity(call['value'], 'value') ?? 0n }
}

/** @throws RpcError 5700 */
function mustKnow(capabilities: unknown): void {
  for (const [name, value] of Object.entries(isRecord(capabilities) ? capabilities : {})) {
    const isDemanded = read(value, 'optional') !== true
    if (isDemanded && !known.includes(name))
      throw new RpcError(5700, `This wallet does not have the capability ${name.slice(0, 40)}.`)
  }
}
