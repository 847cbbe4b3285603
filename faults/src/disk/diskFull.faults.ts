import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres, type KillablePostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingLost, openCase, type FaultCase } from '../faultCase.ts'
import { startLoad } from '../load.ts'
import { startRelayProcess } from '../relayProcess.ts'

const megabyte = 2 ** 20
/** A new cluster of PostgreSQL takes about 60 MB. */
const diskMegabytes = 160
/** Long messages fill the segment of the log of writes that PostgreSQL has reserved. */
const filler = 'x'.repeat(2_000)

test.skipIf(!canMount())(
  'relay refuses publishes while the disk of its database is full, loses no confirmed message, and recovers [R-04]',
  async () => {
    const fault = await openCase('R-04')
    const { random } = fault
    const disk = fault.owns(await mountDisk())
    const postgres = fault.owns(await startTestPostgres({ parent: disk.folder }))
    const { url: databaseUrl } = await fault.proxy(() => postgres.url)
    const relay = fault.owns(await startRelayProcess({ databaseUrl }))
    const url = (): string => relay.url
    const topics = fault.topics(4)
    const subscribers = topics.map((topic, index) => fault.peer({ name: `subscriber ${index}`, url, topics: [topic] }))
    const publishers = topics.map((_, index) => fault.peer({ name: `${index} ${filler}`, url }))
    await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
    const load = startLoad({ publishers, topics, pause: { least: 5, most: 50 }, random })
    await waitUntilConfirmed(fault, 50)

    const failures = countPublishes(fault, 'info')
    await disk.fill()
    await expect.poll(() => countPublishes(fault, 'info'), { timeout: 120_000 }).toBeGreaterThan(failures + 20)
    const { origin } = new URL(relay.url.replace('ws', 'http'))
    const health = await fetch(`${origin}/health`)
    expect([health.status, (await fetch(`${origin}/ready`)).status]).toEqual([503, 503])
    fault.log({ health: await health.json(), confirmed: countPublishes(fault, 'ok') })

    await disk.free()
    await restartIfStopped(postgres)
    await waitUntilConfirmed(fault, countPublishes(fault, 'ok') + 50)
    expect((await fetch(`${origin}/health`)).status).toBe(200)
    await load.stop()
    expect(await fault.verdict()).toMatchObject(nothingLost)
  },
)

/** Only root may mount a file system, and containers often forbid it. */
function canMount(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0
}

/** Mounts a small file system in memory. */
async function mountDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder])
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755)
  const file = join(folder, 'filler')
  return {
    folder,
    /** Writes a file until no byte is left. */
    async fill(): Promise<void> {
      const handle = await open(file, 'w')
      try {
        for (let size = megabyte; size >= 4096;) {
          const isWritten = await handle.write(new Uint8Array(size)).then(
            ({ bytesWritten }) => bytesWritten === size,
            () => false,
          )
          if (!isWritten) size /= 2
        }
      } finally {
        await handle.close()
      }
    },
    free: () => rm(file),
    async close(): Promise<void> {
      execFileSync('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}

function countPublishes({ history }: FaultCase, type: 'ok' | 'info'): number {
  return history.lines.filter((line) => line.op.does === 'publish' && line.type === type).length
}

async function waitUntilConfirmed(fault: FaultCase, count: number): Promise<void> {
  await expect.poll(() => countPublishes(fault, 'ok'), { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
}

/** A PostgreSQL that cannot write its log stops. */
async function restartIfStopped(postgres: KillablePostgres): Promise<void> {
  const socket = connect(Number(new URL(postgres.url).port), '127.0.0.1')
  const isRunning = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  if (!isRunning) await postgres.start()
}
