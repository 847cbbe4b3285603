import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { reasonOf } from './reason.ts'

/** A node that has it already wants the same as we do. */
const known = /already known|known transaction|already imported/i
/** How often it is looked for where the answer was lost, and how long each look may take. */
const looks = { count: 3, patience: 5_000, pause: 700 } as const

/**
 * Hands a signed transaction to its network.
 *
 * @returns its hash, which follows from its bytes: no node can tell another one
 * @throws RpcError with the network's reason; -32603 with the hash where nobody knows whether it was taken
 */
export async function broadcast(chain: Chain, chainId: string, raw: Uint8Array): Promise<`0x${string}`> {
  const hash = `0x${bytesToHex(keccak_256(raw))}` as const
  try {
    await chain.ask(chainId, 'eth_sendRawTransaction', [`0x${bytesToHex(raw)}`])
    return hash
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (known.test(error.message)) return hash
    const isLost = error.code === -32603
    if (await isThere(chain, chainId, hash, isLost ? looks.count : 1)) return hash
    if (!isLost) throw new RpcError(-32000, `The network refused the transaction: ${reasonOf(error)}`, { cause: error })
    const sentence = `The network did not answer, and the transaction may have been sent. Look up ${hash} before sending again.`
    throw new RpcError(-32603, sentence, { cause: error })
  }
}

async function isThere(chain: Chain, chainId: string, hash: string, count: number): Promise<boolean> {
  for (let look = 0; look < count; look += 1) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, looks.pause))
    const found = await chain
      .ask(chainId, 'eth_getTransactionByHash', [hash], { patience: looks.patience })
      .catch(() => undefined)
    if (found !== undefined && found !== null) return true
  }
  return false
}
