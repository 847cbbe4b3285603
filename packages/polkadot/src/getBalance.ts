import type { Balance, Clock } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { askNetwork } from './rpc.ts'
import { accountKeyOf } from './ss58.ts'

/** Where the storage of every such chain keeps its accounts: the hashed names `System` and `Account`. */
const accountsPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'
/** Before an account's balances stand four counters of four bytes. */
const freeOffset = 16
const u128Length = 16

/** Reads what an account has that is not reserved. */
export async function getBalance(clock: Clock | undefined, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const stored = await askNetwork(network, 'state_getStorage', [storageKeyOf(address)], clock)
  return { value: readFree(stored, network), decimals, symbol }
}

/** Where an account is stored, by the hash of its key and the key itself (Blake2_128Concat). */
export function storageKeyOf(address: string): string {
  const key = accountKeyOf(address)
  return `0x${accountsPrefix}${bytesToHex(blake2b(key, { dkLen: 16 }))}${bytesToHex(key)}`
}

/** Reads the free balance of an account's record (SCALE); nothing is stored of one that has nothing. */
function readFree(stored: unknown, network: Network): bigint {
  if (stored === null) return 0n
  const digits = typeof stored === 'string' && /^0x([0-9a-f]{2})*$/i.test(stored) ? stored.slice(2) : ''
  const free = digits.slice(freeOffset * 2, (freeOffset + u128Length) * 2)
  // An endpoint that answers with anything else is none of such a chain.
  if (free.length < u128Length * 2) throw new LatchkeyError('rpc/unreachable', { network: network.name })
  const bytes = free.match(/../g) ?? []
  return BigInt(`0x${bytes.toReversed().join('')}`)
}
