import { invalidParams } from '../errors.ts'
import type { Method } from './method.ts'
import { readBatch, readRecord, readTopic } from './read.ts'

/** Takes receipts for messages that reached a client by another way than its socket, such as a watch. */
export const batchReceive: Method = async (session, params) => {
  const receipts = readBatch(params['receipts'], readReceipt)
  for (const topic of new Set(receipts.map((receipt) => receipt.topic))) {
    const ofTopic = receipts.filter((receipt) => receipt.topic === topic)
    await session.receive(
      topic,
      ofTopic.map(({ sequence }) => sequence),
    )
  }
  return { result: true }
}

function readReceipt(item: unknown): { topic: string; sequence: number } {
  const receipt = readRecord(item)
  const topic = readTopic(receipt['topic'])
  const sequence = receipt['message_id'] ?? receipt['messageId']
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0) return { topic, sequence }
  throw invalidParams('a receipt names its message by a number')
}
