import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase } from '../faultCase.ts'
import { startLoad } from '../load.ts'
import { startRelayProcess } from '../relayProcess.ts'

const partitionMilliseconds = 20_000
const outageMilliseconds = 5_000

test('two relays deliver all messages after a partition from Redis, then from the database, heals [R-16]', async () => {
  const fault = await openCase('R-16')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const redis = fault.owns(await startTestRedis())
  const { proxy: toRedis, url: redisUrl } = await fault.proxy(() => redis.url)
  const { proxy: toDatabase, url: databaseUrl } = await fault.proxy(() => postgres.url)
  const left = fault.owns(await startRelayProcess({ databaseUrl: postgres.url, redisUrl: redis.url }))
  // This relay is on the other side of the partition.
  const right = fault.owns(await startRelayProcess({ databaseUrl, redisUrl }))
  const topics = fault.topics(6)
  const sides = [
    { name: 'left', url: () => left.url },
    { name: 'right', url: () => right.url },
  ]
  const subscribers = sides.flatMap(({ name, url }) =>
    topics.map((topic, index) => fault.peer({ name: `${name} subscriber ${index}`, url, topics: [topic] })),
  )
  const publishers = sides.flatMap(({ name, url }) =>
    topics.map((_, index) => fault.peer({ name: `${name} publisher ${index}`, url })),
  )
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 200, most: 1_500 }, random })

  await sleep(3_000)
  toRedis.set({ line: 'silent' })
  await sleep(partitionMilliseconds)
  toRedis.heal()
  await sleep(3_000)
  // Redis does not repeat messages that a broken connection missed.
  toRedis.set({ line: 'down' })
  await sleep(outageMilliseconds)
  toRedis.heal()
  await sleep(3_000)
  toDatabase.set({ line: 'silent' })
  await sleep(partitionMilliseconds)
  toDatabase.heal()
  await sleep(3_000)
  await load.stop()

  const verdict = await fault.verdict()
  expect(verdict).toMatchObject(nothingLost)
  // Only the relay without the database could not record its deliveries.
  expect(verdict.duplicates.filter((sentence) => sentence.startsWith('left'))).toEqual([])
  const reconnections = [...subscribers, ...publishers].reduce((sum, { endings }) => sum + endings.length, 0)
  fault.log({ partition: partitionMilliseconds, reconnections })
})
