import type { Clock } from '@latchkey/core'
import { getField } from '@latchkey/protocol'
import { concat, isHash, isHex, keccak256, numberToHex, type Address, type Client, type Hash, type Hex } from 'viem'
import type { TransferCall } from './transferCall.ts'
import { parseQuantity } from './transactionPlan.ts'

/** The compared fields of a transaction in a block. */
export type BlockTransaction = {
  hash: Hash
  nonce: number
  from: string
  to: string | null
  value: bigint
  input: string
}

/** The number of transactions of an account, pending ones included, and the number of the latest block. */
export type ChainPosition = { count: number; block: bigint }

/** Milliseconds before each search: nodes show a new transaction with a delay. The later ones need a higher nonce. */
const pausesMs = { always: [0, 100, 200], ifNonceRose: [500, 1_000, 2_000] } as const

/** The number of blocks that are searched. */
const mostBlocks = 30

/** Reads the position of an account and its chain. */
export async function getChainPosition(client: Client, address: Address): Promise<ChainPosition | undefined> {
  const [count, block] = await Promise.all([
    client.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }),
    getBlockNumber(client),
  ])
  const sent = parseQuantity(count)
  return sent === undefined || block === undefined ? undefined : { count: Number(sent), block }
}

/** Reads the number of the latest block. */
export async function getBlockNumber(client: Client): Promise<bigint | undefined> {
  return parseQuantity(await client.request({ method: 'eth_blockNumber' }))
}

/**
 * Finds a transfer among the pending and recently mined transactions, by its sender, nonce and content.
 *
 * @param before the position before the request to the wallet
 */
export async function findSentTransaction(
  client: Client,
  { call, before, clock }: { call: TransferCall; before: ChainPosition | undefined; clock: Clock },
): Promise<Hash | undefined> {
  if (before === undefined) return undefined
  const isMatch = (each: BlockTransaction): boolean =>
    isSentBy(each, call.from) && each.nonce >= before.count && hasSameContent(each, call)
  let count = before.count
  for (const pause of [...pausesMs.always, ...pausesMs.ifNonceRose]) {
    if (pause > Math.max(...pausesMs.always) && count === before.count) return undefined
    if (pause > 0) await new Promise<void>((resolve) => void clock.after(pause, resolve))
    const now = await getChainPosition(client, call.from).catch(() => undefined)
    count = now?.count ?? count
    const blocks = now === undefined ? [] : listBlockNumbers(before.block, now.block)
    for (const block of ['pending' as const, ...blocks]) {
      const found = (await getBlockTransactions(client, block)).find(isMatch)
      if (found !== undefined) return found.hash
    }
  }
  return undefined
}

/** Reads a transaction by its hash. Returns undefined if the node does not know it. */
export async function findTransaction(client: Client, hash: Hash): Promise<BlockTransaction | undefined> {
  const response: unknown = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  return parseBlockTransaction(response)[0]
}

/** Lists block numbers, the newest first. */
export function listBlockNumbers(first: bigint, latest: bigint): readonly Hex[] {
  const count = Math.min(Number(latest - first) + 1, mostBlocks)
  return Array.from({ length: Math.max(count, 0) }, (_, index) => numberToHex(latest - BigInt(index)))
}

/** Reads the transactions of a block. Returns an empty list if the node does not return them. */
export async function getBlockTransactions(
  client: Client,
  block: 'pending' | Hex,
): Promise<readonly BlockTransaction[]> {
  const response: unknown = await client
    .request({ method: 'eth_getBlockByNumber', params: [block, true] })
    .catch(() => undefined)
  const transactions: unknown = getField(response, 'transactions')
  return Array.isArray(transactions) ? transactions.flatMap(parseBlockTransaction) : []
}

/** True if the account sent the transaction. */
export function isSentBy({ from }: Pick<BlockTransaction, 'from'>, address: string): boolean {
  return from.toLowerCase() === address.toLowerCase()
}

/** True if two transactions have the same receiver, amount and data. */
export function hasSameContent(
  one: Pick<BlockTransaction, 'to' | 'value' | 'input'>,
  call: Omit<TransferCall, 'from'>,
): boolean {
  return (
    one.to?.toLowerCase() === call.to.toLowerCase() && one.value === call.value && one.input === (call.data ?? '0x')
  )
}

/**
 * Returns a digest of the receiver, amount and data of a transaction. Payments with the same digest are the same, so it
 * can be stored in place of long data.
 */
export function digestContent({ to, value, input }: Pick<BlockTransaction, 'to' | 'value' | 'input'>): string {
  const hex = (text: string): Hex => (isHex(text) ? text : '0x')
  return keccak256(concat([hex(to?.toLowerCase() ?? '0x'), numberToHex(value, { size: 32 }), hex(input.toLowerCase())]))
}

/** Returns the digest of a call, as it is in the transaction that a wallet sends for it. */
export function digestCall({ to, value, data = '0x' }: Omit<TransferCall, 'from'>): string {
  return digestContent({ to, value, input: data })
}

/** Returns the receiver, amount and data of a transaction. */
export function getContent({
  to,
  value,
  input,
}: Pick<BlockTransaction, 'to' | 'value' | 'input'>): Omit<TransferCall, 'from'> {
  // Nodes return both as hex. A transaction that creates a contract has no receiver.
  return { to: (to ?? '0x') as Address, value, data: input as Hex }
}

/** Parses a transaction from a node. Returns an empty list if it is invalid. */
export function parseBlockTransaction(value: unknown): BlockTransaction[] {
  const { hash, nonce, from, to, value: amount, input } = Object(value)
  const number = parseQuantity(nonce)
  const units = parseQuantity(amount)
  const areTexts = typeof hash === 'string' && typeof from === 'string' && typeof input === 'string'
  if (!areTexts || !isHash(hash) || number === undefined || units === undefined) return []
  return [{ hash, nonce: Number(number), from, to: typeof to === 'string' ? to : null, value: units, input }]
}
