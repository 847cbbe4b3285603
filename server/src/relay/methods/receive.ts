import type { Method } from './method.ts'
import { readBatch, readRecord, readTopic } from './read.ts'
import { invalidParams } from '../errors.ts'

/** Takes receipts for messages that reached a client by another way than its socket. */
export const batchReceive: Method = (_session, params) => {
  readBatch(params['receipts'], (item) => {
    const receipt = readRecord(item)
    readTopic(receipt['topic'])
    const id = receipt['message_id'] ?? receipt['messageId']
    if (typeof id !== 'number' && typeof id !== 'string') throw invalidParams('a receipt names its message')
  })
  return { result: true }
}
