import { expect, test } from 'vitest'
import { agreesWithLeader, type LeaderReads } from './agreesWithLeader.ts'

const createEntries = (first: number, ...headers: readonly string[]) =>
  headers.map((header, index) => ({ sequence: first + index, subject: 'topic', header }))

function createLeader(entries: ReturnType<typeof createEntries>, last = entries.at(-1)?.sequence ?? 0): LeaderReads {
  return { read: async (sequence) => entries.find((entry) => entry.sequence === sequence), last: async () => last }
}

test('a replica that equals the leader, or is behind, agrees with it', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b', 'c'))
  expect(await agreesWithLeader(createEntries(1, 'a', 'b', 'c'), leader)).toBe(true)
  expect(await agreesWithLeader(createEntries(1, 'a', 'b'), leader)).toBe(true)
  expect(await agreesWithLeader([], leader)).toBe(true)
})

test('a replica with other sequences than the leader does not agree with it [R-01]', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b', 'c'))
  expect(await agreesWithLeader(createEntries(2, 'a', 'b'), leader)).toBe(false)
  expect(await agreesWithLeader(createEntries(2, 'a', 'b', 'c'), leader)).toBe(false)
  expect(await agreesWithLeader(createEntries(7, 'a'), leader)).toBe(false)
})

test('a replica with an entry of another subject under the same sequence does not agree [R-01]', async () => {
  const leader = createLeader(createEntries(1, 'a'))
  expect(await agreesWithLeader([{ sequence: 1, subject: 'other', header: 'a' }], leader)).toBe(false)
})

test('an entry that was deleted since it was read is not compared', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b'), 3)
  expect(await agreesWithLeader(createEntries(1, 'a', 'b', 'c'), leader)).toBe(true)
  expect(await agreesWithLeader(createEntries(1, 'a', 'x', 'c'), leader)).toBe(false)
})
