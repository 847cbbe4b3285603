import { invalidParams } from '../errors.ts'
import type { Method } from './method.ts'
import { parseBatchParam, parseRecordParam, parseTopicParam } from './params.ts'

/** Acknowledges messages that a client did not get over its websocket, but with a watch, for example. */
export const batchReceive: Method = async (session, params) => {
  const receipts = parseBatchParam(params['receipts'], parseReceipt)
  session.checkItems(receipts.length)
  await session.acknowledgeAll(receipts)
  return { result: true }
}

function parseReceipt(item: unknown): { topic: string; sequence: number } {
  const receipt = parseRecordParam(item)
  const topic = parseTopicParam(receipt['topic'])
  const sequence = receipt['message_id'] ?? receipt['messageId']
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0) return { topic, sequence }
  throw invalidParams('a receipt names its message by a number')
}
