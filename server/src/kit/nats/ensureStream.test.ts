import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { startTestNats } from '../../testing/index.ts'
import { connectNats } from './connectNats.ts'
import { ensureStream } from './ensureStream.ts'
import { openStreamManager } from './natsStream.ts'

const { log } = Fastify({ logger: false })

test('a stream is created once enough servers for its copies have joined the cluster', { tags: 'faults' }, async () => {
  const cluster = await startTestNats({ servers: 3, started: 2 })
  onTestFinished(cluster.close)
  const nats = await connectNats({ url: cluster.url, log })
  onTestFinished(nats.close)
  const manager = await openStreamManager(nats.connection)
  await ensureStream(manager, { name: 'single', subjects: ['single.>'], replicas: 1 })
  const created = ensureStream(manager, { name: 'mailbox', subjects: ['mailbox.>'], replicas: 3 })
  const outcome = await Promise.race([created.then(() => 'created'), sleep(1_000).then(() => 'waiting')])
  await cluster.servers[2]?.start()
  await created
  expect(outcome).toBe('waiting')
})
