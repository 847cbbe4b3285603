import { fromHex, isAddress, isHex, stringToBytes, type Address, type Hex } from 'viem'
import { refusals } from '../../rpcError.ts'
import type { Message } from '../question.ts'

/** A `personal_sign` request, read. */
export type MessageRequest = { address: Address; bytes: Uint8Array; message: Message }

/**
 * Reads the parameters of `personal_sign`: the message, then the account. Some apps turn the two around, as
 * `eth_sign` had them.
 *
 * @throws RpcError -32602.
 */
export function readMessage(params: unknown): MessageRequest {
  const [first, second]: unknown[] = Array.isArray(params) ? params : []
  if (typeof first !== 'string' || typeof second !== 'string') throw refusals.invalid('a message and an account')
  if (isAccount(second)) return messageOf(first, second)
  if (isAccount(first)) return messageOf(second, first)
  throw refusals.invalid('neither of the two is an account')
}

function messageOf(content: string, address: Address): MessageRequest {
  const isEncoded = isHex(content, { strict: true }) && content.length % 2 === 0
  const bytes = isEncoded ? fromHex(content, 'bytes') : stringToBytes(content)
  return { address, bytes, message: decodeMessage(bytes) }
}

/** Shows bytes as the text they encode, and as bytes when they encode none. */
function decodeMessage(bytes: Uint8Array): Message {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { kind: 'bytes', hex: hexOf(bytes) }
  }
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function isAccount(value: string): value is Address {
  return isAddress(value, { strict: false })
}
