import type { CallsStatus, Connection, Receipt } from '@latchkey/core'
import { isHash, isHex } from 'viem/utils'
import { ask, isFields, nonsense } from './ask.ts'

/** The hundreds of the standard's status codes. */
const statuses: Readonly<Record<number, CallsStatus['status']>> = {
  1: 'pending',
  2: 'confirmed',
  4: 'failed',
  5: 'reverted',
  6: 'partly-reverted',
}

/** Asks what became of a batch (`wallet_getCallsStatus`, EIP-5792). */
export async function getCallsStatus(connection: Connection, id: string): Promise<CallsStatus> {
  const method = 'wallet_getCallsStatus'
  const answer = await ask(connection, method, [id])
  if (!isFields(answer)) throw nonsense(connection, method)
  const outcomes = readOutcomes(answer['receipts'] ?? [])
  const status = outcomes && readStatus(answer['status'], outcomes)
  if (outcomes === undefined || status === undefined) throw nonsense(connection, method)
  const receipts = outcomes.map(({ hash, blockNumber }): Receipt => ({ hash, blockNumber }))
  return { id, status, atomic: answer['atomic'] === true, receipts }
}

type Outcome = Receipt & { reverted: boolean }

function readStatus(status: unknown, outcomes: readonly Outcome[]): CallsStatus['status'] | undefined {
  if (status === 'PENDING') return 'pending'
  // To the standard's first version a batch that reverted was confirmed as well.
  if (status === 'CONFIRMED') {
    const reverted = outcomes.filter((outcome) => outcome.reverted).length
    if (reverted === 0) return 'confirmed'
    return reverted === outcomes.length ? 'reverted' : 'partly-reverted'
  }
  const code = typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  return typeof code === 'number' ? statuses[Math.floor(code / 100)] : undefined
}

/** Receipts as far as they are needed; undefined when they are none. */
function readOutcomes(receipts: unknown): readonly Outcome[] | undefined {
  if (!Array.isArray(receipts)) return undefined
  const outcomes: Outcome[] = []
  for (const receipt of receipts) {
    if (!isFields(receipt)) return undefined
    const { transactionHash: hash, blockNumber, status } = receipt
    if (!isHex(hash) || !isHash(hash) || !isHex(blockNumber) || blockNumber.length < 3) return undefined
    outcomes.push({ hash, blockNumber: BigInt(blockNumber), reverted: Number(status) === 0 })
  }
  return outcomes
}
