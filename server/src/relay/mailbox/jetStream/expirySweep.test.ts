import { expect, test } from 'vitest'
import type { NatsStream } from '../../../kit/nats/natsStream.ts'
import { createExpirySweep } from './expirySweep.ts'
import type { Partition } from './openPartitions.ts'

const now = 1_700_000_000_000

function createPartition(readHeaders: NatsStream['readHeaders'], deleted: number[]): Partition {
  const stream: Pick<NatsStream, 'bounds' | 'readHeaders' | 'delete' | 'deleteBefore'> = {
    bounds: async () => ({ first: 1, last: 1, leader: 'one' }),
    readHeaders,
    delete: async (sequence) => void deleted.push(sequence),
    deleteBefore: async (sequence) => void deleted.push(sequence - 1),
  }
  // A sweep uses these members only.
  return { stream, allSubjects: 'relay.>' } as unknown as Partition
}

test('a stream that cannot be read does not stop the sweep of another one [R-16]', async () => {
  const deleted: number[] = []
  const broken = createPartition(async () => {
    throw new Error('cut off')
  }, deleted)
  const header = `m ${now - 1} ${now - 2} 1 digest publisher`
  const expired = { sequence: 1, subject: 'relay.message', header, payload: Buffer.alloc(0) }
  const sweep = createExpirySweep({
    partitions: { all: [broken, createPartition(async () => [expired], deleted)] },
    clock: { now: () => now },
  })
  await expect(sweep.run()).rejects.toThrow('cut off')
  expect(deleted).toEqual([1])
})
