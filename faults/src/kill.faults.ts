import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingWrong, openCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

/** Three minutes; fewer seconds while you work on the relay. */
const seconds = Number(process.env['LATCHKEY_KILL_SECONDS'] ?? 180)

test('relay keeps confirmed messages when it is killed every few seconds [R-01]', async () => {
  const fault = await openCase('R-01')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const url = (): string => relay.url
  const topics = fault.topics(20)
  const subscribers = topics.map((topic, index) => fault.peer({ name: `subscriber ${index}`, url, topics: [topic] }))
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url }))
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))

  const load = startLoad({ publishers, topics, pause: { least: 200, most: 1_200 }, random })
  const restarts: number[] = []
  const restart = async (): Promise<void> => {
    const since = performance.now()
    await relay.restart()
    restarts.push(Math.round(performance.now() - since))
  }
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    await sleep(random.between(1_000, 5_000))
    expect(await relay.end('SIGKILL')).toBe('SIGKILL')
    await restart()
  }
  await load.stop()
  expect(await fault.verdict()).toMatchObject(nothingWrong)
  fault.log({ kills: restarts.length, restarts: restarts.toSorted((one, other) => one - other) })
})
