import { blake2b } from '@noble/hashes/blake2.js'
import { base58, hex } from '@scure/base'
import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors } from '../../rpcError.ts'
import type { Balance } from '../namespaceAdapter.ts'

const timeoutMs = 8_000
/** The storage prefix of all accounts: the hashed names `System` and `Account`. */
const accountsPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'

/**
 * Gets the free balance of an account.
 *
 * @throws RpcError if no endpoint of the network responds
 */
export async function getPolkadotBalances(network: Network, address: string): Promise<readonly Balance[]> {
  // Generic SS58 addresses have a prefix of one byte and a checksum of two.
  const account = base58.decode(address).slice(1, -2)
  const key = `0x${accountsPrefix}${hex.encode(blake2b(account, { dkLen: 16 }))}${hex.encode(account)}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'state_getStorage', params: [key] })
  const headers = { 'content-type': 'application/json' }
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
      const result: unknown = await response.json()
      const stored = isRecord(result) ? result['result'] : undefined
      if (stored !== undefined)
        return [{ asset: 'native', ...network.nativeCurrency, amount: parseFreeBalance(stored) }]
      failure = result
    } catch (error) {
      failure = error
    }
  }
  throw rpcErrors.unreachable(network.name, failure)
}

/** Parses the free balance from an account's record: 16 bytes after four counters of 4 bytes. */
function parseFreeBalance(stored: unknown): bigint {
  if (stored === null) return 0n
  const free = String(stored).slice(34, 66).match(/../g) ?? []
  return BigInt(`0x${free.toReversed().join('') || '0'}`)
}
