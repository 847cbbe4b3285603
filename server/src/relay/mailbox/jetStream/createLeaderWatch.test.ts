import { expect, test } from 'vitest'
import type { NatsStream } from '../../../kit/nats/natsStream.ts'
import { createLeaderWatch } from './createLeaderWatch.ts'

/** Watches one stream, whose leader is set; no leader makes its reads fail. */
function watchStream() {
  let leader: string | undefined = 'server-0'
  let last = 2
  const stream: Pick<NatsStream, 'bounds'> = {
    bounds: () =>
      leader === undefined
        ? Promise.reject(new Error('the stream has no leader'))
        : Promise.resolve({ first: 1, last, leader }),
  }
  // The watch uses this member only.
  const partition = { stream: stream as NatsStream }
  let changes = 0
  const watch = createLeaderWatch(() => (changes += 1))
  return {
    lead: (name: string | undefined) => void (leader = name),
    end: (sequence: number) => void (last = sequence),
    read: () => watch.readBounds(partition),
    changes: () => changes,
  }
}

test('the first leader, and the same one later, are no change [R-02]', async () => {
  const { read, changes } = watchStream()
  expect(await read()).toEqual({ first: 1, last: 2 })
  await read()
  expect(changes()).toBe(0)
})

test('another leader is a change [R-02]', async () => {
  const { lead, read, changes } = watchStream()
  await read()
  lead('server-1')
  await read()
  await read()
  expect(changes()).toBe(1)
})

test('the same leader with fewer messages than before is a change [R-02]', async () => {
  const { end, read, changes } = watchStream()
  await read()
  end(5)
  await read()
  expect(changes()).toBe(0)
  end(4)
  await read()
  expect(changes()).toBe(1)
})

test('a leader that returns after a failed read is a change [R-02]', async () => {
  const { lead, read, changes } = watchStream()
  await read()
  lead(undefined)
  await expect(read()).rejects.toThrow('no leader')
  lead('server-0')
  await read()
  expect(changes()).toBe(1)
})
