import { fromHex, isAddress, isHex, stringToBytes, type Address, type Hex } from 'viem'
import { rpcErrors } from '../../rpcError.ts'
import type { Message } from '../typedDataSummary.ts'

/** A parsed `personal_sign` request. */
export type MessageRequest = { address: Address; bytes: Uint8Array; message: Message }

/**
 * Parses the parameters of `personal_sign`: the message, then the account. Also accepts the order of `eth_sign`, the
 * account first, which some apps use.
 *
 * @throws RpcError -32602 if the parameters are invalid
 */
export function parseMessageRequest(params: unknown): MessageRequest {
  const [first, second]: unknown[] = Array.isArray(params) ? params : []
  if (typeof first !== 'string' || typeof second !== 'string')
    throw rpcErrors.invalid('a message or an account is missing')
  if (isAccount(second)) return toMessageRequest(first, second)
  if (isAccount(first)) return toMessageRequest(second, first)
  throw rpcErrors.invalid('no parameter is an account')
}

function toMessageRequest(content: string, address: Address): MessageRequest {
  const isEncoded = isHex(content, { strict: true }) && content.length % 2 === 0
  const bytes = isEncoded ? fromHex(content, 'bytes') : stringToBytes(content)
  return { address, bytes, message: toMessage(bytes) }
}

/** Decodes bytes to text if they are valid UTF-8. */
function toMessage(bytes: Uint8Array): Message {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { kind: 'bytes', hex: toHex(bytes) }
  }
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function isAccount(value: string): value is Address {
  return isAddress(value, { strict: false })
}
