import type { Clock } from '@latchkey/core'
import { isHash, numberToHex, type Address, type Client, type Hash, type Hex } from 'viem'
import type { TransferCall } from './callOf.ts'
import { readQuantity } from './plan.ts'

/** A transaction of a block, as far as it is looked at. */
export type Listed = { hash: Hash; nonce: number; from: string; to: string | null; value: bigint; input: string }

/** Where an account and its chain stand. */
export type Standing = { count: number; block: bigint }

/** How long it may take until a node shows what it was just given: looked for again after each of these. */
const pauses = { always: [0, 100, 200], whereSomethingWasSent: [500, 1_000, 2_000] } as const

/** How far back a transaction is looked for. */
const mostBlocks = 30

/** How many transactions an account has sent, those on their way included, and how long the chain is. */
export async function readStanding(reader: Client, address: Address): Promise<Standing | undefined> {
  const [count, block] = await Promise.all([
    reader.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }),
    readLength(reader),
  ])
  const sent = readQuantity(count)
  return sent === undefined || block === undefined ? undefined : { count: Number(sent), block }
}

/** The number of the newest block. */
export async function readLength(reader: Client): Promise<bigint | undefined> {
  return readQuantity(await reader.request({ method: 'eth_blockNumber' }))
}

/**
 * Finds a transfer among what is on its way and what was mined since, by its sender, its number and all that it says.
 *
 * @param before where the account stood before the wallet was asked
 */
export async function findSent(
  reader: Client,
  { call, before, clock }: { call: TransferCall; before: Standing | undefined; clock: Clock },
): Promise<Hash | undefined> {
  if (before === undefined) return undefined
  const isIt = (each: Listed): boolean => isFrom(each, call.from) && each.nonce >= before.count && isSame(each, call)
  let count = before.count
  for (const pause of [...pauses.always, ...pauses.whereSomethingWasSent]) {
    if (pause > Math.max(...pauses.always) && count === before.count) return undefined
    if (pause > 0) await new Promise<void>((resolve) => void clock.after(pause, resolve))
    const now = await readStanding(reader, call.from).catch(() => undefined)
    count = now?.count ?? count
    const blocks = now === undefined ? [] : blocksBetween(before.block, now.block)
    for (const block of ['pending' as const, ...blocks]) {
      const found = (await readBlock(reader, block)).find(isIt)
      if (found !== undefined) return found.hash
    }
  }
  return undefined
}

/** The newest blocks first, down to one. */
export function blocksBetween(first: bigint, latest: bigint): readonly Hex[] {
  const count = Math.min(Number(latest - first) + 1, mostBlocks)
  return Array.from({ length: Math.max(count, 0) }, (_, index) => numberToHex(latest - BigInt(index)))
}

/** The transactions of a block; none where a node does not tell them. */
export async function readBlock(reader: Client, block: 'pending' | Hex): Promise<readonly Listed[]> {
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
