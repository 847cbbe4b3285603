import type { Network } from '@latchkey/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import { readerOf, reading, type Readers } from '../readers.ts'

/** One account in which somebody keeps tokens of one mint. */
export type Holding = { readonly address: Address; readonly amount: bigint }

/** From how many accounts one payment may draw: as many as fit in a transaction beside the rest. */
const mostAccounts = 8

/**
 * Reads where somebody keeps his tokens of one mint, the fullest first, without those that are frozen or empty; as many
 * as one payment can draw from.
 */
export async function readHoldings(
  readers: Readers,
  network: Network,
  owner: Address,
  mint: Address,
): Promise<readonly Holding[]> {
  const config = { encoding: 'base64', commitment: 'confirmed' } as const
  const asked = readerOf(readers, network).getTokenAccountsByOwner(owner, { mint }, config)
  const { value } = await reading(network, asked.send())
  return value
    .map(({ pubkey, account }) => ({ address: pubkey, ...read(account.data[0]) }))
    .filter(({ amount, isFree }) => isFree && amount > 0n)
    .map(({ address, amount }) => ({ address, amount }))
    .toSorted((one, other) => Number(other.amount > one.amount) - Number(other.amount < one.amount))
    .slice(0, mostAccounts)
}

export function sumOf(holdings: readonly Holding[]): bigint {
  return holdings.reduce((sum, { amount }) => sum + amount, 0n)
}

function read(text: string): { amount: bigint; isFree: boolean } {
  const data = new Uint8Array(getBase64Encoder().encode(text))
  if (data.length < 165) return { amount: 0n, isFree: false }
  // 1 is in use, 2 is frozen.
  return { amount: new DataView(data.buffer).getBigUint64(64, true), isFree: data[108] === 1 }
}
