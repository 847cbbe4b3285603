import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { revertReason } from './revertReason.ts'

/** The node already has the transaction. */
const known = /already known|known transaction|already imported/i
/** Number, timeout and interval of the lookups after a lost response. */
const lookup = { count: 3, timeoutMs: 5_000, pause: 700 } as const

/**
 * Sends a signed transaction to its network.
 *
 * @returns the hash, computed locally: no node can report another one
 * @throws RpcError with the network's reason; -32603 with the hash if the outcome is unknown
 */
export async function broadcastTransaction(chain: Chain, chainId: string, raw: Uint8Array): Promise<`0x${string}`> {
  const hash = `0x${bytesToHex(keccak_256(raw))}` as const
  try {
    await chain.request(chainId, 'eth_sendRawTransaction', [`0x${bytesToHex(raw)}`])
    return hash
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (known.test(error.message)) return hash
    const isLost = error.code === -32603
    if (await isTransactionKnown(chain, chainId, hash, isLost ? lookup.count : 1)) return hash
    if (!isLost)
      throw new RpcError(-32000, `The network refused the transaction: ${revertReason(error)}`, { cause: error })
    const sentence = `The network did not respond, and the transaction may have been sent. Look up ${hash} before sending again.`
    throw new RpcError(-32603, sentence, { cause: error })
  }
}

async function isTransactionKnown(chain: Chain, chainId: string, hash: string, count: number): Promise<boolean> {
  for (let look = 0; look < count; look += 1) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, lookup.pause))
    const found = await chain
      .request(chainId, 'eth_getTransactionByHash', [hash], { timeoutMs: lookup.timeoutMs })
      .catch(() => undefined)
    if (found !== undefined && found !== null) return true
  }
  return false
}
