import { base58 } from '@scure/base'
import { keccak256 } from 'viem'
import { read, type RpcRequest } from './allowance.ts'

/** Done twice, it could do harm; so one endpoint is asked, once. */
const onceOnly: readonly string[] = ['eth_sendRawTransaction', 'eth_sendUserOperation', 'sendTransaction']

/** Whether a request sends something. */
export function sends({ method }: RpcRequest): boolean {
  return onceOnly.includes(method)
}

/** How nodes say that they have a transaction already, which whoever sends it again wants to hear as a success. */
const alreadyKnown = /already known|alreadyknown|known transaction|already imported|already been processed/i
/** It may have been mined meanwhile, or another one in its place. */
const maybeMined = /nonce too low|nonce is too low|oldnonce/i

/** What to make of the error that a node answers to something that was sent. */
export function judgeSent(request: RpcRequest, answer: unknown): 'known' | 'maybe-mined' | 'refused' {
  const message = read(read(answer, 'error'), 'message')
  if (typeof message !== 'string') return 'refused'
  if (alreadyKnown.test(message)) return 'known'
  return request.method === 'eth_sendRawTransaction' && maybeMined.test(message) ? 'maybe-mined' : 'refused'
}

/** The id of a transaction that was sent, as the chain calls it; undefined when it cannot be read. */
export function sentId({ method, params }: RpcRequest): string | undefined {
  const [raw, options] = Array.isArray(params) ? params : []
  if (typeof raw !== 'string') return undefined
  if (method === 'eth_sendRawTransaction') return isHex(raw) ? keccak256(raw) : undefined
  return method === 'sendTransaction' ? solanaSignature(raw, read(options, 'encoding') === 'base64') : undefined
}

function isHex(text: string): text is `0x${string}` {
  return /^0x(?:[0-9a-f]{2})+$/i.test(text)
}

const signatureBytes = 64

/** The first signature, which follows a count that is one byte for any transaction that fits. */
function solanaSignature(raw: string, isBase64: boolean): string | undefined {
  if (!isBase64 && !/^[1-9A-HJ-NP-Za-km-z]{1,2000}$/.test(raw)) return undefined
  const bytes = isBase64 ? Buffer.from(raw, 'base64') : base58.decode(raw)
  return bytes.length > signatureBytes ? base58.encode(bytes.subarray(1, 1 + signatureBytes)) : undefined
}
