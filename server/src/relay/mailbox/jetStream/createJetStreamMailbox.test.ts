import Fastify from 'fastify'
import { connectNats } from '../../../kit/nats/connectNats.ts'
import { describeMailbox, type MailboxStore } from '../../../testing/describeMailbox.ts'
import { startTestNats } from '../../../testing/brokers/nats.ts'
import { createJetStreamMailbox } from './createJetStreamMailbox.ts'
import { openPartitions } from './openPartitions.ts'

const { log } = Fastify({ logger: false })
const maxTtl = 30 * 24 * 60 * 60

async function openStore(): Promise<MailboxStore> {
  const server = await startTestNats()
  const nats = await connectNats({ url: server.url, log })
  const partitions = await openPartitions({ nats, name: 'test', replicas: 1, maxTtl, partitions: 4 })
  return {
    open: (options) => createJetStreamMailbox({ nats, partitions, ...options }),
    async close() {
      await nats.close()
      await server.close()
    },
  }
}

describeMailbox('in JetStream', openStore)
