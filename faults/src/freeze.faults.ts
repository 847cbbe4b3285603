import { setTimeout as sleep } from 'node:timers/promises'
import { connectRelayClient, startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingWrong, openCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

const frozenMilliseconds = 40_000

test('relay delivers no duplicate and no expired message after a freeze of 40 s [R-03]', async () => {
  const fault = await openCase('R-03')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const { proxy, url } = await fault.proxy(() => relay.url)
  const [quiet = '', ...topics] = fault.topics(6)
  const subscribers = topics.map((topic, index) =>
    fault.peer({ name: `subscriber ${index}`, url: () => url, topics: [topic] }),
  )
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url: () => url }))
  const peers = [...subscribers, ...publishers]
  await Promise.all(peers.map((peer) => peer.ready()))
  const load = startLoad({ publishers, topics, pause: { least: 50, most: 300 }, random })
  const writer = await connectRelayClient(relay.url)
  await sleep(2_000)

  for (const [message, ttl] of [
    ['short', (frozenMilliseconds - 10_000) / 1000],
    ['long', 600],
  ] as const) {
    await writer.request('irn_publish', { topic: quiet, message, ttl, tag: 0, prompt: false })
  }
  await writer.close()
  relay.freeze()
  await sleep(frozenMilliseconds / 2)
  // Clients time out. The relay notices when it resumes.
  proxy.cut()
  await sleep(frozenMilliseconds / 2)
  relay.thaw()
  await Promise.all(peers.map((peer) => peer.ready()))
  await sleep(2_000)
  await load.stop()

  expect(await fault.verdict()).toMatchObject(nothingWrong)
  const reader = await connectRelayClient(relay.url)
  await reader.request('irn_subscribe', { topic: quiet })
  await reader.until(() => reader.messages().includes('long'))
  expect(reader.messages()).toEqual(['long'])
  await reader.close()
  fault.log({ frozen: frozenMilliseconds, endings: peers.map(({ endings }) => endings.length) })
})
