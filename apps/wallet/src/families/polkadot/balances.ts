import { blake2b } from '@noble/hashes/blake2.js'
import { base58, hex } from '@scure/base'
import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { Balance } from '../family.ts'

const patience = 8_000
/** Where the storage of every such chain keeps its accounts: the hashed names `System` and `Account`. */
const accountsPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'

/**
 * Reads what an account has that is not reserved.
 *
 * @throws RpcError when no endpoint of the network answers.
 */
export async function readBalances(network: Network, address: string): Promise<readonly Balance[]> {
  // Addresses of the generic format: one byte before, two behind.
  const account = base58.decode(address).slice(1, -2)
  const key = `0x${accountsPrefix}${hex.encode(blake2b(account, { dkLen: 16 }))}${hex.encode(account)}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'state_getStorage', params: [key] })
  const headers = { 'content-type': 'application/json' }
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) })
      const answer: unknown = await response.json()
      const stored = isRecord(answer) ? answer['result'] : undefined
      if (stored !== undefined) return [{ asset: 'native', ...network.nativeCurrency, amount: readFree(stored) }]
      failure = answer
    } catch (error) {
      failure = error
    }
  }
  throw refusals.unreachable(network.name, failure)
}

/** The free balance of an account's record: sixteen bytes behind four counters of four. */
function readFree(stored: unknown): bigint {
  if (stored === null) return 0n
  const free = String(stored).slice(34, 66).match(/../g) ?? []
  return BigInt(`0x${free.toReversed().join('') || '0'}`)
}
