import type { Balance, Clock } from '@latchkey/core'
import { type Network, networkError } from '@latchkey/protocol'
import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { parseSs58Address } from '../address/ss58Address.ts'
import { requestPolkadotRpc } from './requestPolkadotRpc.ts'

/** The storage prefix of accounts on every chain of this kind: the hashes of the names `System` and `Account`. */
const accountsPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'
/** The balances in an account record follow four counters of four bytes. */
const freeOffset = 16
const u128Length = 16

/** Reads the free balance of an account: everything that is not reserved. */
export async function getPolkadotBalance(
  clock: Clock | undefined,
  network: Network,
  address: string,
): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const stored = await requestPolkadotRpc(network, 'state_getStorage', [getStorageKey(address)], clock)
  return { value: parseFreeBalance(stored, network), decimals, symbol }
}

/** The storage key of an account: the hash of its key, then the key itself (Blake2_128Concat). */
export function getStorageKey(address: string): string {
  const key = parseSs58Address(address)
  return `0x${accountsPrefix}${bytesToHex(blake2b(key, { dkLen: 16 }))}${bytesToHex(key)}`
}

/** Reads the free balance from an account record (SCALE). An empty account has no record. */
function parseFreeBalance(stored: unknown, network: Network): bigint {
  if (stored === null) return 0n
  const digits = typeof stored === 'string' && /^0x([0-9a-f]{2})*$/i.test(stored) ? stored.slice(2) : ''
  const free = digits.slice(freeOffset * 2, (freeOffset + u128Length) * 2)
  // An endpoint with any other response does not belong to a chain of this kind.
  if (free.length < u128Length * 2) throw networkError('rpc/unreachable', { network: network.name })
  const bytes = free.match(/../g) ?? []
  return BigInt(`0x${bytes.toReversed().join('')}`)
}
