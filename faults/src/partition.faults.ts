import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { allKept, openCase } from './faultCase.ts'
import { startFaultProxy, type FaultProxy } from './faultProxy.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

const partitionMilliseconds = 20_000

test('two relays that could not reach Redis, then the database, deliver everything once they can [R-16]', async () => {
  const fault = await openCase('R-16')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const redis = fault.owns(await startTestRedis())
  const toRedis = fault.owns(await startFaultProxy({ target: { host: '127.0.0.1', port: redis.port } }))
  const toDatabase = fault.owns(await startFaultProxy({ target: addressOf(postgres.url) }))
  const [left, right] = [
    fault.owns(await startRelayProcess({ databaseUrl: postgres.url, redisUrl: redis.url })),
    // This one is on the other side of the trouble.
    fault.owns(
      await startRelayProcess({
        databaseUrl: through(toDatabase, postgres.url),
        redisUrl: through(toRedis, redis.url),
      }),
    ),
  ]
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
  toDatabase.set({ line: 'silent' })
  await sleep(partitionMilliseconds)
  toDatabase.heal()
  await sleep(3_000)
  await load.stop()

  expect(await fault.verdict()).toMatchObject(allKept)
  fault.tell({
    partition: partitionMilliseconds,
    reconnections: [...subscribers, ...publishers].flatMap(({ endings }) => endings).length,
  })
})

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

function through({ port }: FaultProxy, url: string): string {
  const proxied = new URL(url)
  proxied.port = String(port)
  return proxied.href
}
