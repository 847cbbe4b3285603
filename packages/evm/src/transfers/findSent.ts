import { isHash, type Address, type Client, type Hash, type Hex } from 'viem'
import type { TransferCall } from './callOf.ts'
import { readQuantity } from './plan.ts'

/** A transaction of a block, as far as it is looked at. */
export type Listed = { hash: Hash; nonce: number; from: string; to: string | null; value: bigint; input: string }

/** How many transactions an account has sent, those on their way included. */
export async function readSentCount(reader: Client, address: Address): Promise<number | undefined> {
  const count = readQuantity(await reader.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }))
  return count === undefined ? undefined : Number(count)
}

/** Finds a transfer among what is on its way and what was mined last, by its number and by all that it says. */
export async function findSent(
  reader: Client,
  { call, nonce }: { call: TransferCall; nonce: number | undefined },
): Promise<Hash | undefined> {
  if (nonce === undefined) return undefined
  const listed = await Promise.all([readBlock(reader, 'pending'), readBlock(reader, 'latest')])
  return listed.flat().find((each) => isFrom(each, call.from) && each.nonce >= nonce && isSame(each, call))?.hash
}

/** The transactions of a block; none where a node does not tell them. */
export async function readBlock(
  reader: Client,
  block: 'pending' | 'latest' | `0x${string}`,
): Promise<readonly Listed[]> {
  const answer: unknown = await reader
    .request({ method: 'eth_getBlockByNumber', params: [block, true] })
    .catch(() => undefined)
  const transactions: unknown = Object(answer).transactions
  return Array.isArray(transactions) ? transactions.flatMap(readListed) : []
}

/** Whether an account sent a transaction. */
export function isFrom({ from }: Pick<Listed, 'from'>, address: string): boolean {
  return from.toLowerCase() === address.toLowerCase()
}

/** Whether two transactions do the same. */
export function isSame(one: Pick<Listed, 'to' | 'value' | 'input'>, call: Omit<TransferCall, 'from'>): boolean {
  return (
    one.to?.toLowerCase() === call.to.toLowerCase() && one.value === call.value && one.input === (call.data ?? '0x')
  )
}

/** What a transaction does. */
export function wordsOf({ to, value, input }: Pick<Listed, 'to' | 'value' | 'input'>): Omit<TransferCall, 'from'> {
  // Nodes tell both as hexadecimal texts; nobody is paid by a transaction that makes a contract.
  return { to: (to ?? '0x') as Address, value, data: input as Hex }
}

/** A transaction as a node tells it; none when it is told in another form. */
export function readListed(value: unknown): Listed[] {
  const { hash, nonce, from, to, value: sum, input } = Object(value)
  const number = readQuantity(nonce)
  const units = readQuantity(sum)
  const isTexts = typeof hash === 'string' && typeof from === 'string' && typeof input === 'string'
  if (!isTexts || !isHash(hash) || number === undefined || units === undefined) return []
  return [{ hash, nonce: Number(number), from, to: typeof to === 'string' ? to : null, value: units, input }]
}
