import { base58, base64 } from '@scure/base'
import { isRecord } from '@latchkey/protocol'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { failureReason } from './failureReason.ts'
import { getMember } from '../../platform/getMember.ts'

const commitments: readonly string[] = ['processed', 'confirmed', 'finalized']
/** Deprecated names of commitments. */
const olderNames: Readonly<Record<string, string>> = {
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
}
const lookup = { count: 3, timeoutMs: 5_000, pause: 700 } as const

/**
 * Sends a signed transaction to its network.
 *
 * @param options the page's options. Only known ones are passed on.
 * @returns the signature, which identifies the transaction
 * @throws RpcError with the network's reason; -32603 with the signature if the outcome is unknown
 */
export async function sendTransaction(
  chain: Chain,
  chainId: string,
  wire: Uint8Array,
  options: unknown,
): Promise<string> {
  const signature = base58.encode(wire.subarray(1, 65))
  try {
    await chain.request(chainId, 'sendTransaction', [
      base64.encode(wire),
      { ...parseSendOptions(options), encoding: 'base64' },
    ])
    return signature
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const isLost = error.code === -32603
    if (await isTransactionKnown(chain, chainId, signature, isLost ? lookup.count : 1)) return signature
    if (!isLost) {
      const reason = failureReason(getMember(error.data, 'logs'), getMember(error.data, 'err') ?? error.message)
      throw new RpcError(-32000, `The network refused the transaction: ${reason}`, { cause: error })
    }
    const sentence = `The network did not respond, and the transaction may have been sent. Look up ${signature} before sending again.`
    throw new RpcError(-32603, sentence, { cause: error })
  }
}

function parseSendOptions(options: unknown): object {
  if (!isRecord(options)) return {}
  const { skipPreflight, preflightCommitment: named, maxRetries, minContextSlot } = options
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
  const name = typeof named === 'string' && Object.hasOwn(olderNames, named) ? olderNames[named] : named
  return {
    ...(skipPreflight === true && { skipPreflight }),
    ...(typeof name === 'string' && commitments.includes(name) && { preflightCommitment: name }),
    ...(isCount(maxRetries) && { maxRetries }),
    ...(isCount(minContextSlot) && { minContextSlot }),
  }
}

async function isTransactionKnown(chain: Chain, chainId: string, signature: string, count: number): Promise<boolean> {
  for (let describeTransaction = 0; describeTransaction < count; describeTransaction += 1) {
    if (describeTransaction > 0) await new Promise((resolveAccounts) => setTimeout(resolveAccounts, lookup.pause))
    const { timeoutMs } = lookup
    const found = await chain
      .request(chainId, 'getSignatureStatuses', [[signature]], { timeoutMs })
      .catch(() => undefined)
    const status = getMember(getMember(found, 'value'), 0)
    if (status !== undefined && status !== null) return true
  }
  return false
}
