import { base58, base64 } from '@scure/base'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { isRecord } from '../../services/ask.ts'
import { read } from '../evm/hex.ts'
import { reasonOf } from './reason.ts'

const commitments: readonly string[] = ['processed', 'confirmed', 'finalized']
/** Names of old for those of today. */
const olderNames: Readonly<Record<string, string>> = {
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
}
const looks = { count: 3, patience: 5_000, pause: 700 } as const

/**
 * Hands a signed transaction to its network.
 *
 * @param options as the page gave them: only those that nodes know go on
 * @returns its signature, which names it
 * @throws RpcError with the network's reason; -32603 with the signature where nobody knows whether it was taken
 */
export async function send(chain: Chain, chainId: string, wire: Uint8Array, options: unknown): Promise<string> {
  const signature = base58.encode(wire.subarray(1, 65))
  try {
    await chain.ask(chainId, 'sendTransaction', [base64.encode(wire), { ...readOptions(options), encoding: 'base64' }])
    return signature
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const isLost = error.code === -32603
    if (await isThere(chain, chainId, signature, isLost ? looks.count : 1)) return signature
    if (!isLost) {
      const reason = reasonOf(read(error.data, 'logs'), read(error.data, 'err') ?? error.message)
      throw new RpcError(-32000, `The network refused the transaction: ${reason}`, { cause: error })
    }
    const sentence = `The network did not answer, and the transaction may have been sent. Look up ${signature} before sending again.`
    throw new RpcError(-32603, sentence, { cause: error })
  }
}

function readOptions(options: unknown): object {
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

async function isThere(chain: Chain, chainId: string, signature: string, count: number): Promise<boolean> {
  for (let look = 0; look < count; look += 1) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, looks.pause))
    const { patience } = looks
    const found = await chain.ask(chainId, 'getSignatureStatuses', [[signature]], { patience }).catch(() => undefined)
    const status = read(read(found, 'value'), 0)
    if (status !== undefined && status !== null) return true
  }
  return false
}
