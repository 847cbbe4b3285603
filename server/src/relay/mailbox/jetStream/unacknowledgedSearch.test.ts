import { expect, test } from 'vitest'
import type { NatsStream, StreamEntry } from '../../../kit/nats/natsStream.ts'
import { formatMessageHeader } from './messageHeader.ts'
import type { Partition } from './openPartitions.ts'
import { createUnacknowledgedSearch } from './unacknowledgedSearch.ts'

const now = 1_700_000_000_000

function createEntry(sequence: number, topic: string): StreamEntry {
  const header = formatMessageHeader({
    publishedAt: now - 10_000,
    expiresAt: now + 300_000,
    bytes: 1,
    digest: topic,
    publisher: 'a',
  })
  return { sequence, subject: `relay.message.${topic}`, header, payload: Buffer.alloc(0) }
}

/** The leader's entries of one stream, and what the replica of a consumer has. */
type Stream = { leader: StreamEntry[]; replica: StreamEntry[] | Error; last: number }

function createSearch(streams: readonly Stream[]) {
  const all = streams.map((each, index) => {
    const stream: Pick<NatsStream, 'readHeaders' | 'readNext' | 'bounds'> = {
      async readHeaders(_subject, from) {
        if (each.replica instanceof Error) throw each.replica
        return each.replica.filter(({ sequence }) => sequence >= from)
      },
      readNext: async (_subject, from) => each.leader.find(({ sequence }) => sequence >= from),
      bounds: async () => ({ first: 1, last: each.last, leader: 'one' }),
    }
    // The search uses these members only.
    return { index, stream, allSubjects: 'relay.>' } as unknown as Partition
  })
  const leaders = { readBounds: ({ stream }: Partition) => stream.bounds() }
  return createUnacknowledgedSearch({ partitions: { all }, leaders, clock: { now: () => now }, bridgeReceiver: '' })
}

test('a stream that cannot be read does not hide the messages of another one, and is searched again [R-16]', async () => {
  const broken: Stream = { leader: [], replica: new Error('cut off'), last: 7 }
  const search = createSearch([broken, { leader: [], replica: [createEntry(3, 'b')], last: 3 }])
  expect(await search.find('0 0')).toEqual({ topics: ['b'], last: '0 3' })
  broken.replica = [createEntry(7, 'a')]
  expect(await search.find('0 3')).toEqual({ topics: ['a'], last: '7 3' })
})

test('a search fails if streams cannot be read and no other one has a message', async () => {
  const search = createSearch([
    { leader: [], replica: new Error('cut off'), last: 7 },
    { leader: [], replica: [], last: 0 },
  ])
  await expect(search.find('0 0')).rejects.toThrow('cut off')
})

test('a message that a replica does not have yet is found by the next search [R-16]', async () => {
  const entry = createEntry(2, 'a')
  const stream: Stream = { leader: [entry], replica: [], last: 2 }
  const search = createSearch([stream])
  await expect(search.find('1')).rejects.toThrow('behind the leader')
  stream.replica = [entry]
  expect(await search.find('1')).toEqual({ topics: ['a'], last: '2' })
})

test('the position moves on beyond entries that were deleted', async () => {
  expect(await createSearch([{ leader: [], replica: [], last: 9 }]).find('4')).toEqual({ topics: [], last: '9' })
})
