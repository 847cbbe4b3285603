import { isRecord } from '@latchkey/protocol'
import type { CallsStatus, Connection, Receipt } from '@latchkey/core'
import { isHash, isHex } from 'viem/utils'
import { requestWallet, invalidCallResponse } from './requestWallet.ts'

/** The statuses by the first digit of the standard's codes. */
const statuses: Readonly<Record<number, CallsStatus['status']>> = {
  1: 'pending',
  2: 'confirmed',
  4: 'failed',
  5: 'reverted',
  6: 'partly-reverted',
}

/** Requests the status of a batch (`wallet_getCallsStatus`, EIP-5792). */
export async function getCallsStatus(connection: Connection, id: string): Promise<CallsStatus> {
  const method = 'wallet_getCallsStatus'
  const response = await requestWallet(connection, method, [id])
  if (!isRecord(response)) throw invalidCallResponse(connection, method)
  const outcomes = parseOutcomes(response['receipts'] ?? [])
  const status = outcomes && parseStatus(response['status'], outcomes)
  if (outcomes === undefined || status === undefined) throw invalidCallResponse(connection, method)
  const receipts = outcomes.map(({ hash, blockNumber }): Receipt => ({ hash, blockNumber }))
  return { id, status, atomic: response['atomic'] === true, receipts }
}

type Outcome = Receipt & { reverted: boolean }

function parseStatus(status: unknown, outcomes: readonly Outcome[]): CallsStatus['status'] | undefined {
  if (status === 'PENDING') return 'pending'
  // In the first version of the standard, a reverted batch was also confirmed.
  if (status === 'CONFIRMED') {
    const reverted = outcomes.filter((outcome) => outcome.reverted).length
    if (reverted === 0) return 'confirmed'
    return reverted === outcomes.length ? 'reverted' : 'partly-reverted'
  }
  const code = typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  return typeof code === 'number' ? statuses[Math.floor(code / 100)] : undefined
}

/** Parses the receipts. Returns `undefined` if one is invalid. */
function parseOutcomes(receipts: unknown): readonly Outcome[] | undefined {
  if (!Array.isArray(receipts)) return undefined
  const outcomes: Outcome[] = []
  for (const receipt of receipts) {
    if (!isRecord(receipt)) return undefined
    const { transactionHash: hash, blockNumber, status } = receipt
    if (!isHex(hash) || !isHash(hash) || !isHex(blockNumber) || blockNumber.length < 3) return undefined
    outcomes.push({ hash, blockNumber: BigInt(blockNumber), reverted: Number(status) === 0 })
  }
  return outcomes
}
