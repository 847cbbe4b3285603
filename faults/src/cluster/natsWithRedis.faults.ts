import { setTimeout as sleep } from 'node:timers/promises'
import { startTestNats, startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase } from '../faultCase.ts'
import { startLoad } from '../load.ts'
import { startRelayProcess } from '../relayProcess.ts'

/** A node that was killed copies what it has missed. It may number the messages differently then. */
const copyMs = 8_000
const outageMs = 4_000

test('relays with messages in NATS and a bus in Redis keep confirmed messages when each node is killed [R-02]', async () => {
  const fault = await openCase('R-02-nats-redis')
  const postgres = fault.owns(await startTestPostgres())
  const redis = fault.owns(await startTestRedis())
  const nats = fault.owns(await startTestNats({ servers: 3 }))
  const options = { databaseUrl: postgres.url, redisUrl: redis.url, env: { RELAY_STORE_URL: nats.url } }
  const left = fault.owns(await startRelayProcess(options))
  const right = fault.owns(await startRelayProcess(options))
  const topics = fault.topics(6)
  const sides = [left, right]
  const subscribers = topics.flatMap((topic, index) =>
    sides.map((relay, side) =>
      fault.peer({ name: `subscriber ${index} ${side}`, url: () => relay.url, topics: [topic] }),
    ),
  )
  const publishers = topics.map((_, index) =>
    fault.peer({ name: `publisher ${index}`, url: () => (index % 2 === 0 ? left : right).url }),
  )
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 200, most: 1_000 }, random: fault.random })
  for (const server of nats.servers) {
    await sleep(2_000)
    await server.kill()
    await sleep(outageMs)
    await server.start()
    await sleep(copyMs)
  }
  await load.stop()
  expect(await fault.verdict()).toMatchObject(nothingLost)
})
