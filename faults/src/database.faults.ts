import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { openCase, type FaultCase } from './faultCase.ts'
import { startFaultProxy, type FaultProxy } from './faultProxy.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

const cuts = 20
const outageMilliseconds = 30_000

test('a database that breaks off, is away or dies loses nothing confirmed, and the relay recovers by itself [R-02]', async () => {
  const fault = await openCase('R-02')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  // It comes back at another port, which the relay need not know.
  const target = {
    host: '127.0.0.1',
    get port() {
      return Number(new URL(postgres.url).port)
    },
  }
  const proxy = fault.owns(await startFaultProxy({ target, seed: random.between(0, 2 ** 31) }))
  const relay = fault.owns(await startRelayProcess({ databaseUrl: throughProxy(postgres.url, proxy) }))
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
  // What the relay has been told by then it may still pass on.
  await sleep(500)
  const before = confirmations(fault)
  await sleep(outageMilliseconds)
  expect(confirmations(fault)).toBe(before)
  proxy.heal()
  const recovery = await untilConfirmed(fault, before + 20)

  await postgres.kill()
  await postgres.start()
  await untilConfirmed(fault, confirmations(fault) + 20)
  await load.stop()

  await fault.expectNothingLost()
  fault.tell({ cuts, outage: outageMilliseconds, recovery })
  expect(relay.pid).toBe(pid)
  expect(recovery).toBeLessThan(5_000)
})

function throughProxy(databaseUrl: string, { port }: FaultProxy): string {
  const url = new URL(databaseUrl)
  url.port = String(port)
  return url.href
}

function confirmations({ history }: FaultCase): number {
  return history.lines.filter(({ type, op }) => op.does === 'publish' && type === 'ok').length
}

/** Waits until so many publications were confirmed; answers how many milliseconds that took. */
async function untilConfirmed(fault: FaultCase, count: number): Promise<number> {
  const since = performance.now()
  await expect.poll(() => confirmations(fault), { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(count)
  return Math.round(performance.now() - since)
}
