import type { Network } from '@latchkey/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from '../chain/solanaClients.ts'

/** A token account with a balance. */
export type Holding = { readonly address: Address; readonly amount: bigint }

/** The number of accounts that one payment may draw from. More would not fit in a transaction. */
const mostAccounts = 8

/**
 * Lists the token accounts of an owner for one mint, the fullest first. Frozen and empty accounts are left out, and only
 * as many are returned as one payment can draw from.
 */
export async function getHoldings(
  clients: SolanaClients,
  network: Network,
  owner: Address,
  mint: Address,
): Promise<readonly Holding[]> {
  const config = { encoding: 'base64', commitment: 'confirmed' } as const
  const request = getSolanaClient(clients, network).getTokenAccountsByOwner(owner, { mint }, config)
  const { value } = await wrapUnreachable(network, request.send())
  return value
    .map(({ pubkey, account }) => ({ address: pubkey, ...parseHolding(account.data[0]) }))
    .filter(({ amount, isFree }) => isFree && amount > 0n)
    .map(({ address, amount }) => ({ address, amount }))
    .toSorted((one, other) => Number(other.amount > one.amount) - Number(other.amount < one.amount))
    .slice(0, mostAccounts)
}

/** Adds up the amounts of token accounts. */
export function sumHoldings(holdings: readonly Holding[]): bigint {
  return holdings.reduce((sum, { amount }) => sum + amount, 0n)
}

function parseHolding(text: string): { amount: bigint; isFree: boolean } {
  const data = new Uint8Array(getBase64Encoder().encode(text))
  if (data.length < 165) return { amount: 0n, isFree: false }
  // The state 1 means initialized, 2 means frozen.
  return { amount: new DataView(data.buffer).getBigUint64(64, true), isFree: data[108] === 1 }
}
