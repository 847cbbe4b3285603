import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { requestPolkadotRpc, type Chain } from './requestPolkadotRpc.ts'

/** The state of an account on the chain. Balances are base units. */
export type AccountRecord = {
  /** The number of its transactions. */
  readonly nonce: number
  /** The balance without what is reserved. */
  readonly free: bigint
  /** The part of the free balance that locks and vesting keep in the account. */
  readonly frozen: bigint
}

/** The storage prefix of accounts on every chain of this kind: the hashes of the names `System` and `Account`. */
const accountsPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'

/** The first bytes of the fields of an account record: the balances follow four counters of four bytes (SCALE). */
const offsets = { nonce: 0, free: 16, reserved: 32, frozen: 48, flags: 64 } as const
const u32Length = 4
const u128Length = 16

/** The flag of balances in whose frozen part reserved units count, too. Runtimes before 2023 do not set it. */
const countsReserved = 1n << 127n

/**
 * Reads an account at a block.
 *
 * @param key the account key
 * @param at the hash of the block; the latest one by default
 * @returns undefined for an account that does not exist
 * @throws LatchkeyError `rpc/unreachable`
 */
export function readAccountRecord(chain: Chain, key: Uint8Array, at?: string): Promise<AccountRecord | undefined> {
  const params = [getStorageKey(key), ...(at === undefined ? [] : [at])]
  return requestPolkadotRpc(chain, { method: 'state_getStorage', params, parse: parseAccountRecord })
}

/** The storage key of an account: the hash of its key, then the key itself (Blake2_128Concat). */
export function getStorageKey(key: Uint8Array): string {
  return `0x${accountsPrefix}${bytesToHex(blake2b(key, { dkLen: 16 }))}${bytesToHex(key)}`
}

/** An empty account has no record. */
function parseAccountRecord(stored: unknown): AccountRecord | undefined {
  if (stored === null) return undefined
  const digits = typeof stored === 'string' && /^0x([0-9a-f]{2})*$/i.test(stored) ? stored.slice(2) : ''
  // An endpoint with any other response does not belong to a chain of this kind.
  if (digits.length < (offsets.free + u128Length) * 2) throw new Error('The account record is invalid.')
  const read = (offset: number, length: number): bigint => {
    const bytes = digits.slice(offset * 2, (offset + length) * 2).match(/../g) ?? []
    return BigInt(`0x${bytes.toReversed().join('') || '0'}`)
  }
  const [frozen, reserved] = [read(offsets.frozen, u128Length), read(offsets.reserved, u128Length)]
  const covered = read(offsets.flags, u128Length) & countsReserved ? reserved : 0n
  return {
    nonce: Number(read(offsets.nonce, u32Length)),
    free: read(offsets.free, u128Length),
    frozen: frozen > covered ? frozen - covered : 0n,
  }
}
