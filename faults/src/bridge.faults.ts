import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import { startRelayProcess } from './relayProcess.ts'

/** A minute and a half; fewer seconds while you work on the bridge. */
const seconds = Number(process.env['LATCHKEY_BRIDGE_SECONDS'] ?? 90)
const projectId = 'ab'.repeat(16)

test('bridge loses no message and keeps the order when either of the two relays is killed', async () => {
  const fault = await openCase('bridge')
  const { random } = fault
  const [below, above] = [fault.owns(await startTestPostgres()), fault.owns(await startTestPostgres())]
  const upstream = fault.owns(await startRelayProcess({ databaseUrl: above.url }))
  const env = { RELAY_UPSTREAM_URL: upstream.url, RELAY_UPSTREAM_PROJECT_ID: projectId }
  const ours = fault.owns(await startRelayProcess({ databaseUrl: below.url, env }))
  const topics = fault.topics(20)
  const peers = topics.map((topic, index) => {
    // Half of the messages go up, half come down.
    const [from, to] = index % 2 === 0 ? [ours, upstream] : [upstream, ours]
    const subscriber = fault.peer({ name: `subscriber ${index}`, url: () => to.url, topics: [topic] })
    const publisher = fault.peer({ name: `publisher ${index}`, url: () => from.url })
    return { subscriber, publisher }
  })
  await Promise.all(peers.flatMap(({ subscriber, publisher }) => [subscriber.ready(), publisher.ready()]))

  const publishers = peers.map(({ publisher }) => publisher)
  const load = startLoad({ publishers, topics, pause: { least: 200, most: 1_200 }, random })
  let kills = 0
  for (const end = performance.now() + seconds * 1000; performance.now() < end; kills += 1) {
    await sleep(random.between(1_000, 8_000))
    const victim = random.between(0, 1) === 0 ? ours : upstream
    await victim.end('SIGKILL')
    await sleep(random.between(0, 2_000))
    await victim.restart()
  }
  await load.stop()
  const health = new URL('/health', ours.url.replace('ws', 'http'))
  const status = async (): Promise<unknown> => Reflect.get(Object(await (await fetch(health)).json()), 'upstream')
  await expect.poll(status, { timeout: 60_000 }).toBe('connected')

  // After a retry, the relay checks again for undelivered messages. Messages in flight may then be delivered twice.
  expect(await fault.verdict()).toMatchObject(nothingLost)
  fault.log({ kills })
})
