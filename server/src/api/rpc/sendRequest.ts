import { getField } from '../../kit/runtime/getField.ts'
import { base58 } from '@scure/base'
import { keccak256 } from 'viem'
import { type RpcRequest } from './rpcPolicy.ts'

/** Sending twice could do harm, so these requests go to one endpoint, once. */
const sendMethods: readonly string[] = ['eth_sendRawTransaction', 'eth_sendUserOperation', 'sendTransaction']

/** True if the request sends a transaction or user operation. */
export function isSendRequest({ method }: RpcRequest): boolean {
  return sendMethods.includes(method)
}

/** Errors of nodes that already know a transaction. Sending it again counts as success. */
const alreadyKnown = /already known|alreadyknown|known transaction|already imported|already been processed/i
/** The transaction, or another one with its nonce, may have been mined. */
const maybeMined = /nonce too low|nonce is too low|oldnonce/i

/** Classifies the error of a node that rejected a transaction. */
export function classifySendError(request: RpcRequest, response: unknown): 'known' | 'maybe-mined' | 'refused' {
  const message = getField(response, 'error', 'message')
  if (typeof message !== 'string') return 'refused'
  if (alreadyKnown.test(message)) return 'known'
  return request.method === 'eth_sendRawTransaction' && maybeMined.test(message) ? 'maybe-mined' : 'refused'
}

/** Gets the id of a sent transaction, or `undefined` if it cannot be parsed. */
export function getSentTransactionId({ method, params }: RpcRequest): string | undefined {
  const [raw, options] = Array.isArray(params) ? params : []
  if (typeof raw !== 'string') return undefined
  if (method === 'eth_sendRawTransaction') return isHexText(raw) ? keccak256(raw) : undefined
  return method === 'sendTransaction' ? getSolanaSignature(raw, getField(options, 'encoding') === 'base64') : undefined
}

function isHexText(text: string): text is `0x${string}` {
  return /^0x(?:[0-9a-f]{2})+$/i.test(text)
}

const signatureBytes = 64

/** Gets the first signature, which follows the count. The count takes one byte in every transaction of valid size. */
function getSolanaSignature(raw: string, isBase64: boolean): string | undefined {
  if (!isBase64 && !/^[1-9A-HJ-NP-Za-km-z]{1,2000}$/.test(raw)) return undefined
  const bytes = isBase64 ? Buffer.from(raw, 'base64') : base58.decode(raw)
  return bytes.length > signatureBytes ? base58.encode(bytes.subarray(1, 1 + signatureBytes)) : undefined
}
