import { expect, test } from 'vitest'
import { assertLeaderAgrees, type LeaderReads } from './assertLeaderAgrees.ts'

const createEntries = (first: number, ...headers: readonly string[]) =>
  headers.map((header, index) => ({ sequence: first + index, subject: 'topic', header }))

function createLeader(entries: ReturnType<typeof createEntries>, last = entries.at(-1)?.sequence ?? 0): LeaderReads {
  return { read: async (sequence) => entries.find((entry) => entry.sequence === sequence), last: async () => last }
}

const differs = 'a replica of the stream has other entries than its leader'

test('entries of a replica that equals the leader, or is behind, are accepted', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b', 'c'))
  await expect(assertLeaderAgrees(createEntries(1, 'a', 'b', 'c'), leader)).resolves.toBeUndefined()
  await expect(assertLeaderAgrees(createEntries(1, 'a', 'b'), leader)).resolves.toBeUndefined()
  await expect(assertLeaderAgrees([], leader)).resolves.toBeUndefined()
})

test('entries under other sequences than those of the leader are refused [R-01]', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b', 'c'))
  await expect(assertLeaderAgrees(createEntries(2, 'a', 'b'), leader)).rejects.toThrow(differs)
  await expect(assertLeaderAgrees(createEntries(2, 'a', 'b', 'c'), leader)).rejects.toThrow(differs)
  await expect(assertLeaderAgrees(createEntries(7, 'a'), leader)).rejects.toThrow(differs)
})

test('an entry of another subject under the same sequence is refused [R-01]', async () => {
  const leader = createLeader(createEntries(1, 'a'))
  await expect(assertLeaderAgrees([{ sequence: 1, subject: 'other', header: 'a' }], leader)).rejects.toThrow(differs)
})

test('an entry that was deleted since it was read is left out of the comparison', async () => {
  const leader = createLeader(createEntries(1, 'a', 'b'), 3)
  await expect(assertLeaderAgrees(createEntries(1, 'a', 'b', 'c'), leader)).resolves.toBeUndefined()
  await expect(assertLeaderAgrees(createEntries(1, 'a', 'x', 'c'), leader)).rejects.toThrow(differs)
})
