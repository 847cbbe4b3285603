import { setTimeout as sleep } from 'node:timers/promises'
import { saveNatsStreams, startTestNats, startTestPostgres, type TestNatsServer } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase, type FaultCase } from '../faultCase.ts'
import type { Verdict } from '../history/checker.ts'
import { startLoad, type Load } from '../load.ts'
import { startRelayProcess } from '../relayProcess.ts'

/** Two minutes; fewer seconds while you work on the relay. */
const seconds = Number(process.env['LATCHKEY_NATS_SECONDS'] ?? 120)
const freezeMilliseconds = 20_000

/**
 * Starts two relays on a cluster of three nodes, and a load whose publishers and subscribers are on different relays. `judge`
 * saves the streams beside the history if messages were lost.
 */
async function startCluster(
  fault: FaultCase,
): Promise<{ servers: readonly TestNatsServer[]; load: Load; judge(): Promise<Verdict> }> {
  const postgres = fault.owns(await startTestPostgres())
  const nats = fault.owns(await startTestNats({ servers: 3 }))
  const env = { RELAY_STORE_URL: nats.url }
  const left = fault.owns(await startRelayProcess({ databaseUrl: postgres.url, env }))
  const right = fault.owns(await startRelayProcess({ databaseUrl: postgres.url, env }))
  const topics = fault.topics(10)
  const subscribers = topics.map((topic, index) =>
    fault.peer({ name: `subscriber ${index}`, url: () => right.url, topics: [topic] }),
  )
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url: () => left.url }))
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 200, most: 1_200 }, random: fault.random })
  return {
    servers: nats.servers,
    load,
    async judge() {
      const verdict = await fault.verdict()
      if (verdict.lost.length > 0)
        await saveNatsStreams(nats.url, fault.history.path.replace('.jsonl', '-streams.jsonl'))
      return verdict
    },
  }
}

test('relays on a cluster of three nodes keep confirmed messages when one node after the other is killed [R-02]', async () => {
  const fault = await openCase('R-02-nats-kill')
  const { servers, load, judge } = await startCluster(fault)
  let kills = 0
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    await sleep(fault.random.between(2_000, 6_000))
    const server = servers[fault.random.between(0, servers.length - 1)]
    await server?.kill()
    await sleep(fault.random.between(1_000, 8_000))
    await server?.start()
    kills += 1
    // The node copies what it has missed. A second loss before would leave no majority.
    await sleep(8_000)
  }
  await load.stop()
  expect(await judge()).toMatchObject(nothingLost)
  fault.log({ kills })
})

test('relays on a cluster of three nodes keep confirmed messages when each node stops responding for a while [R-16]', async () => {
  const fault = await openCase('R-16-nats-silent')
  const { servers, load, judge } = await startCluster(fault)
  for (const server of servers) {
    await sleep(3_000)
    server.freeze()
    await sleep(freezeMilliseconds)
    server.thaw()
    await sleep(8_000)
  }
  await load.stop()
  expect(await judge()).toMatchObject(nothingLost)
})
