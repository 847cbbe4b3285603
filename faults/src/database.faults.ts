import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase, type FaultCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

const cuts = 20
const outageMilliseconds = 30_000

test('relay keeps confirmed messages and recovers when the database disconnects, is unreachable or is killed [R-02]', async () => {
  const fault = await openCase('R-02')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const { proxy, url: databaseUrl } = await fault.proxy(() => postgres.url)
  const relay = fault.owns(await startRelayProcess({ databaseUrl }))
  const { pid } = relay
  const url = (): string => relay.url
  const topics = fault.topics(8)
  const subscribers = topics.map((topic, index) => fault.peer({ name: `subscriber ${index}`, url, topics: [topic] }))
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url }))
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 20, most: 200 }, random })

  for (let count = 0; count < cuts; count += 1) {
    await proxy.cutAfter(random.between(1, 20_000))
    await sleep(random.between(50, 500))
  }

  proxy.set({ line: 'down' })
  // Messages that the relay received before may still be delivered.
  await sleep(500)
  const before = countConfirmations(fault)
  await sleep(outageMilliseconds)
  expect(countConfirmations(fault)).toBe(before)
  proxy.heal()
  const recovery = await waitUntilConfirmed(fault, before + 20)

  await postgres.kill()
  await postgres.start()
  await waitUntilConfirmed(fault, countConfirmations(fault) + 20)
  await load.stop()

  expect(await fault.verdict()).toMatchObject(nothingLost)
  fault.log({ cuts, outage: outageMilliseconds, recovery })
  expect(relay.pid).toBe(pid)
  expect(recovery).toBeLessThan(5_000)
})

function countConfirmations({ history }: FaultCase): number {
  return history.lines.filter(({ type, op }) => op.does === 'publish' && type === 'ok').length
}

/** Waits until `count` messages are acknowledged; returns the duration in milliseconds. */
async function waitUntilConfirmed(fault: FaultCase, count: number): Promise<number> {
  const since = performance.now()
  await expect.poll(() => countConfirmations(fault), { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(count)
  return Math.round(performance.now() - since)
}
