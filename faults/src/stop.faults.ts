import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingWrong, openCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

const stops = 3

test('relay, stopped under load, closes all clients with 4010 within 10 s and loses no message [R-05]', async () => {
  const fault = await openCase('R-05')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const url = (): string => relay.url
  const topics = fault.topics(10)
  // More than fifty, so that the relay closes them in several batches.
  const subscribers = topics.flatMap((topic, index) =>
    ['a', 'b', 'c', 'd', 'e'].map((name) => fault.peer({ name: `subscriber ${index} ${name}`, url, topics: [topic] })),
  )
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url }))
  const peers = [...subscribers, ...publishers]
  await Promise.all(peers.map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 100, most: 600 }, random })

  const times: number[] = []
  for (let count = 0; count < stops; count += 1) {
    await Promise.all(peers.map((peer) => peer.ready()))
    await sleep(random.between(500, 2_000))
    const had = peers.map(({ endings }) => endings.length)
    const since = performance.now()
    expect(await relay.end('SIGTERM')).toBe(0)
    times.push(Math.round(performance.now() - since))
    await expect.poll(() => peers.every(({ endings }, index) => endings.length > (had[index] ?? 0))).toBe(true)
    expect(new Set(peers.map(({ endings }, index) => endings[had[index] ?? 0]))).toEqual(new Set([4010]))
    await relay.restart()
  }
  await load.stop()

  expect(await fault.verdict()).toMatchObject(nothingWrong)
  fault.log({ peers: peers.length, times })
  expect(Math.max(...times)).toBeLessThan(10_000)
})
