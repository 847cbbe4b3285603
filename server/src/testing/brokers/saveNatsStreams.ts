import { writeFile } from 'node:fs/promises'
import Fastify from 'fastify'
import { connectNats } from '../../kit/nats/connectNats.ts'
import { openNatsStream, openStreamManager } from '../../kit/nats/natsStream.ts'

/**
 * Writes the headers of all entries of all streams of a cluster to a file, one JSON object per line: `stream`, `sequence`,
 * `subject` and `header`. They show whether a message that was not delivered is in the log, and whether a receipt names it.
 */
export async function saveNatsStreams(url: string, path: string): Promise<void> {
  const nats = await connectNats({ url, log: Fastify({ logger: false }).log })
  try {
    const { connection } = nats
    const manager = await openStreamManager(connection)
    const lines: string[] = []
    for await (const { config } of manager.streams.list()) {
      const { name } = config
      const stream = openNatsStream({ connection, manager, name, isReplicated: config.num_replicas > 1 })
      for (let next = 1; ;) {
        const entries = await stream.readHeaders(`${name}.>`, next, 1_000)
        for (const { sequence, subject, header } of entries) {
          lines.push(JSON.stringify({ stream: name, sequence, subject, header }))
        }
        const last = entries.at(-1)
        if (last === undefined) break
        next = last.sequence + 1
      }
    }
    await writeFile(path, `${lines.join('\n')}\n`)
  } finally {
    await nats.close()
  }
}
