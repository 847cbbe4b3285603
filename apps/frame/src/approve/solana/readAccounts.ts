import { base58, base64 } from '@scure/base'
import type { Chain } from '../../chain/chain.ts'
import { readUint } from './byteReader.ts'
import type { Lookup, SolanaMessage } from './solanaMessage.ts'
import { isTokenProgram } from './programName.ts'
import { getMember } from '../../platform/getMember.ts'

/** An account of the network. */
export type Account = { readonly owner: string; readonly lamports: bigint; readonly data: Uint8Array }

/** A token account. */
export type Holding = { readonly mint: string; readonly owner: string; readonly amount: bigint }

const timeoutMs = 4_000
/** The nodes' limit per request. */
export const mostAccounts = 100
/** Header length of a lookup table in bytes. */
const tableHead = 56

/** Reads accounts in the given order. `undefined` for missing ones. */
export async function readAccounts(
  chain: Chain,
  chainId: string,
  addresses: readonly string[],
): Promise<readonly (Account | undefined)[]> {
  if (addresses.length === 0) return []
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const response = await chain.request(chainId, 'getMultipleAccounts', [addresses, config], { timeoutMs })
  return accountsIn(getMember(response, 'value'), addresses.length)
}

/** @throws TypeError if the number of accounts differs */
export function accountsIn(list: unknown, count: number): readonly (Account | undefined)[] {
  if (!Array.isArray(list) || list.length !== count) throw new TypeError('unexpected number of accounts')
  return list.map(readAccount)
}

function readAccount(account: unknown): Account | undefined {
  const [owner, lamports, data] = ['owner', 'lamports', 'data'].map((name) => getMember(account, name))
  const written = getMember(data, 0)
  if (typeof owner !== 'string' || typeof lamports !== 'number' || typeof written !== 'string') return undefined
  // Exact: the total supply fits into 60 bits, and a single account into 53.
  return { owner, lamports: BigInt(Math.round(lamports)), data: base64.decode(written) }
}

/** Parses a token account. Returns `undefined` for other accounts. */
export function holdingOf(account: Account | undefined): Holding | undefined {
  if (account === undefined || !isTokenProgram(account.owner) || account.data.length < 165) return undefined
  const { data } = account
  // Longer accounts of Token-2022 have a type byte.
  if (data.length > 165 && data[165] !== 2) return undefined
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: readUint(data, 64, 8),
  }
}

/** Returns the decimals of a mint, or `undefined` for other accounts. */
export function decimalsOf(account: Account | undefined): number | undefined {
  const isMint = account !== undefined && isTokenProgram(account.owner) && account.data.length >= 82
  const isHolding = account !== undefined && account.data.length >= 165 && account.data[165] !== 1
  return isMint && !isHolding ? account.data[44] : undefined
}

/**
 * Resolves all accounts of a message, those of lookup tables included.
 *
 * @throws RpcError, TypeError if a table can't be read
 */
export async function resolveAccounts(
  chain: Chain,
  chainId: string,
  message: SolanaMessage,
): Promise<readonly string[]> {
  const { accounts, lookups } = message
  const tables = await readAccounts(
    chain,
    chainId,
    lookups.map(({ table }) => table),
  )
  const at = (lookup: Lookup, index: number, places: readonly number[]): readonly string[] =>
    places.map((place) => {
      const data = tables[index]?.data ?? new Uint8Array()
      const key = data.subarray(tableHead + place * 32, tableHead + place * 32 + 32)
      if (key.length !== 32) throw new TypeError(`the table ${lookup.table} has no index ${place}`)
      return base58.encode(key)
    })
  // Writable accounts of all tables come first, then the read-only ones.
  const written = lookups.flatMap((lookup, index) => at(lookup, index, lookup.writable))
  return [...accounts, ...written, ...lookups.flatMap((lookup, index) => at(lookup, index, lookup.readonly))]
}

/** Returns the accounts that a transaction may change. */
export function writableIn(message: SolanaMessage, all: readonly string[]): readonly string[] {
  const { accounts, signers, readonlySigners, readonlyOthers, lookups } = message
  const looked = lookups.reduce((sum, { writable }) => sum + writable.length, 0)
  return all.filter((_, index) => {
    if (index >= accounts.length) return index < accounts.length + looked
    return index < signers ? index < signers - readonlySigners : index < accounts.length - readonlyOthers
  })
}
