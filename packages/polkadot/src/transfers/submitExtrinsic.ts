import { systemClock } from '@latchkey/core'
import { getField, LatchkeyError } from '@latchkey/protocol'
import { postRpc, type Chain } from '../chain/requestPolkadotRpc.ts'

const method = 'author_submitExtrinsic'

/** Timeout for an endpoint to accept a transaction, in milliseconds. */
const timeoutMs = 20_000

/** The errors of an endpoint that has no such method or refuses requests in general. Another endpoint may accept them. */
const endpointCodes: readonly unknown[] = [-32_601, -32_005, -32_604, -32_000, 429]

/** The pool of the node has this transaction already (Substrate: `1013`). */
const knownPattern = /already imported/i

type Attempt = 'sent' | 'lost' | LatchkeyError<'rpc/failed'>

/**
 * Hands a signed transaction to the network.
 *
 * @returns `unknown` if no endpoint confirmed that it received the transaction
 * @throws LatchkeyError `rpc/failed` with the reason if the network refused it
 */
export async function submitExtrinsic(chain: Chain, extrinsic: string): Promise<'sent' | 'unknown'> {
  let isLost = false
  let refusal: LatchkeyError<'rpc/failed'> | undefined
  for (const url of chain.network.rpcUrls.default.http) {
    const attempt = await submitTo(url, chain, extrinsic)
    if (attempt === 'sent') return 'sent'
    if (attempt === 'lost') {
      isLost = true
      continue
    }
    refusal = attempt
    // An endpoint whose response was lost may have accepted it, and then all others refuse it as outdated.
    if (!endpointCodes.includes(attempt.context.code)) break
  }
  if (isLost || refusal === undefined) return 'unknown'
  throw refusal
}

async function submitTo(url: string, { network, clock = systemClock }: Chain, extrinsic: string): Promise<Attempt> {
  const limit = new AbortController()
  const cancel = clock.after(timeoutMs, () => limit.abort())
  try {
    const { body } = await postRpc(url, { method, params: [extrinsic] }, limit.signal)
    const error = getField(body, 'error')
    if (error === undefined) return typeof getField(body, 'result') === 'string' ? 'sent' : 'lost'
    const reason = describeRefusal(error)
    if (knownPattern.test(reason)) return 'sent'
    const code = getField(error, 'code')
    const context = { network: network.name, method, code: typeof code === 'number' ? code : undefined, reason }
    return new LatchkeyError('rpc/failed', context, { sentence: `${network.name} refused the transaction: ${reason}` })
  } catch {
    return 'lost'
  } finally {
    cancel()
  }
}

const longestReason = 200

function describeRefusal(error: unknown): string {
  const parts = [getField(error, 'message'), getField(error, 'data')].filter((part) => typeof part === 'string')
  return parts.join(': ').slice(0, longestReason) || 'it gave no reason'
}
