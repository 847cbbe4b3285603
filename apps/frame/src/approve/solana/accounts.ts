import { base58, base64 } from '@scure/base'
import type { Chain } from '../../chain/chain.ts'
import { read } from '../evm/hex.ts'
import { numberIn } from './bytes.ts'
import type { Lookup, Message } from './message.ts'
import { isTokenProgram } from './programs.ts'

/** An account of the network, as far as it is looked at. */
export type Account = { readonly owner: string; readonly lamports: bigint; readonly data: Uint8Array }

/** A holding of one token. */
export type Holding = { readonly mint: string; readonly owner: string; readonly amount: bigint }

const patience = 4_000
/** As many as a node tells at once. */
export const mostAccounts = 100
/** What a table has before its addresses begin. */
const tableHead = 56

/** Reads accounts in the order in which they are asked for; undefined for each that is not there. */
export async function readAccounts(
  chain: Chain,
  chainId: string,
  addresses: readonly string[],
): Promise<readonly (Account | undefined)[]> {
  if (addresses.length === 0) return []
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const answer = await chain.ask(chainId, 'getMultipleAccounts', [addresses, config], { patience })
  return accountsIn(read(answer, 'value'), addresses.length)
}

/** @throws TypeError unless there are as many as were asked for */
export function accountsIn(list: unknown, count: number): readonly (Account | undefined)[] {
  if (!Array.isArray(list) || list.length !== count) throw new TypeError('not as many accounts as were asked for')
  return list.map(readAccount)
}

function readAccount(account: unknown): Account | undefined {
  const [owner, lamports, data] = ['owner', 'lamports', 'data'].map((name) => read(account, name))
  const written = read(data, 0)
  if (typeof owner !== 'string' || typeof lamports !== 'number' || typeof written !== 'string') return undefined
  // Nobody has so much of it that it would not be exact: all that there is counts in 60 bits, one account in 53.
  return { owner, lamports: BigInt(Math.round(lamports)), data: base64.decode(written) }
}

/** Reads an account of tokens; undefined for any other. */
export function holdingOf(account: Account | undefined): Holding | undefined {
  if (account === undefined || !isTokenProgram(account.owner) || account.data.length < 165) return undefined
  const { data } = account
  // Longer ones of the newer program say in one byte what they are.
  if (data.length > 165 && data[165] !== 2) return undefined
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: numberIn(data, 64, 8),
  }
}

/** How many digits a token has; undefined for an account that is no mint. */
export function decimalsOf(account: Account | undefined): number | undefined {
  const isMint = account !== undefined && isTokenProgram(account.owner) && account.data.length >= 82
  const isHolding = account !== undefined && account.data.length >= 165 && account.data[165] !== 1
  return isMint && !isHolding ? account.data[44] : undefined
}

/**
 * All accounts of a message by their numbers, those of tables included.
 *
 * @throws RpcError, TypeError where a table cannot be read: then nobody knows who gets what
 */
export async function resolve(chain: Chain, chainId: string, message: Message): Promise<readonly string[]> {
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
      if (key.length !== 32) throw new TypeError(`the table ${lookup.table} has no place ${place}`)
      return base58.encode(key)
    })
  // First what is written of all tables, then what is only read.
  const written = lookups.flatMap((lookup, index) => at(lookup, index, lookup.writable))
  return [...accounts, ...written, ...lookups.flatMap((lookup, index) => at(lookup, index, lookup.readonly))]
}

/** Which of all accounts a transaction may change. */
export function writableIn(message: Message, all: readonly string[]): readonly string[] {
  const { accounts, signers, readonlySigners, readonlyOthers, lookups } = message
  const looked = lookups.reduce((sum, { writable }) => sum + writable.length, 0)
  return all.filter((_, index) => {
    if (index >= accounts.length) return index < accounts.length + looked
    return index < signers ? index < signers - readonlySigners : index < accounts.length - readonlyOthers
  })
}
