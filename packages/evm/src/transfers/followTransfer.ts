import { systemClock } from '@latchkey/core'
import type { Outcome, Sent } from '@latchkey/core/money'
import { parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import type { Client, Hash, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { readerOf, type Readers } from '../readers.ts'
import { findRevertReason } from '../revertReason.ts'
import { translated } from '../waitForReceipt.ts'
import type { TransferCall } from './callOf.ts'
import { blocksBetween, isFrom, isSame, readBlock, readLength, readListed, wordsOf, type Listed } from './findSent.ts'
import { readQuantity } from './plan.ts'

/** How long until a transaction is looked for again: at first at once, as some chains are fast, then each second. */
const pauseMilliseconds = { first: 100, last: 1_000 } as const

/** What a transaction does, whoever sends it at whatever price. */
type Words = Omit<TransferCall, 'from'>

type FollowOptions = { timeout: number; signal?: AbortSignal }

/**
 * Waits until the chain tells how a transaction ended. Endpoints that fail meanwhile are asked again: how it ends does
 * not depend on them.
 */
export async function followTransfer(
  readers: Readers,
  network: Network,
  { from, sent, options, call }: { from: AccountId; sent: Sent; options: FollowOptions; call: Words | undefined },
): Promise<Outcome> {
  const look = createLook(readerOf(readers, network), { readers, sender: parseAccountId(from).address, sent, call })
  const { clock = systemClock } = readers
  const { timeout, signal } = options
  return new Promise((resolve) => {
    let over = false
    let pause: number = pauseMilliseconds.first
    let cancelNext = (): void => {}
    const finish = (outcome: Outcome): void => {
      if (over) return
      over = true
      cancelDeadline()
      cancelNext()
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const giveUp = (): void => finish({ status: 'unknown', hash: sent.hash })
    const next = async (): Promise<void> => {
      const outcome = await look().catch(() => undefined)
      if (outcome !== undefined) finish(outcome)
      else if (!over) cancelNext = clock.after(pause, () => void next())
      pause = Math.min(pause * 2, pauseMilliseconds.last)
    }
    const cancelDeadline = clock.after(timeout, giveUp)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted === true) giveUp()
    else void next()
  })
}

/** Makes what looks once: it learns the transaction's number and words while the chain still has them. */
function createLook(
  reader: Client,
  { readers, sender, sent, call }: { readers: Readers; sender: string; sent: Sent; call: Words | undefined },
): () => Promise<Outcome | undefined> {
  let words = call
  let nonce = sent.nonce
  let began: bigint | undefined

  return async () => {
    const hash = await translated(readers, sent.hash)
    const receipt = await getTransactionReceipt(reader, { hash }).catch(() => undefined)
    if (receipt !== undefined) return outcomeOf(reader, receipt)
    const [latest, found] = await Promise.all([readLength(reader), readTransaction(reader, hash)])
    // Mined between what was asked before and this, it is in that very block.
    began ??= latest
    // A contract wallet's transaction is sent by somebody else, and its number says nothing.
    if (found !== undefined && isFrom(found, sender)) {
      nonce = found.nonce
      words = wordsOf(found)
    }
    if (nonce === undefined || latest === undefined || began === undefined) return undefined
    if (!(await isPassed(reader, sender, nonce))) return undefined
    // It may have been mined just now.
    const late = await getTransactionReceipt(reader, { hash }).catch(() => undefined)
    if (late !== undefined) return outcomeOf(reader, late)
    const other = await findReplacement(reader, { sender, nonce, blocks: blocksBetween(began, latest) })
    return other === undefined ? undefined : describeReplacement(reader, { hash: sent.hash, words, other })
  }
}

async function outcomeOf(reader: Client, receipt: TransactionReceipt): Promise<Outcome> {
  const { transactionHash: hash, blockNumber, status } = receipt
  if (status === 'success') return { status: 'mined', hash, blockNumber }
  return { status: 'reverted', hash, reason: await findRevertReason(reader, receipt) }
}

/** Whether the chain counts a transaction of this number already, be it this one or another. */
async function isPassed(reader: Client, sender: string, nonce: number): Promise<boolean> {
  // The sender is an address of the chain: it signed the transaction.
  const params = [sender as `0x${string}`, 'latest'] as const
  const count = readQuantity(await reader.request({ method: 'eth_getTransactionCount', params: [...params] }))
  return count !== undefined && count > BigInt(nonce)
}

async function readTransaction(reader: Client, hash: Hash): Promise<Listed | undefined> {
  const answer: unknown = await reader.request({ method: 'eth_getTransactionByHash', params: [hash] })
  return readListed(answer)[0]
}

async function findReplacement(
  reader: Client,
  { sender, nonce, blocks }: { sender: string; nonce: number; blocks: readonly `0x${string}`[] },
): Promise<Listed | undefined> {
  for (const block of blocks) {
    const found = (await readBlock(reader, block)).find((each) => isFrom(each, sender) && each.nonce === nonce)
    if (found !== undefined) return found
  }
  return undefined
}

/** A transaction of the same words is the same payment: how that ended is how this one did. */
async function describeReplacement(
  reader: Client,
  { hash, words, other }: { hash: string; words: Words | undefined; other: Listed },
): Promise<Outcome> {
  const by = other.hash
  if (words !== undefined && isSame(other, words)) {
    const receipt = await getTransactionReceipt(reader, { hash: by }).catch(() => undefined)
    const outcome = receipt === undefined ? undefined : await outcomeOf(reader, receipt)
    return outcome?.status === 'reverted' ? outcome : { status: 'replaced', hash, by, how: 'repriced' }
  }
  const isEmpty = other.to !== null && isFrom(other, other.to) && other.value === 0n && other.input === '0x'
  return { status: 'replaced', hash, by, how: isEmpty ? 'cancelled' : 'other' }
}
