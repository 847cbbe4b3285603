import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { nothingWrong, openCase, type FaultCase } from './faultCase.ts'
import { startLoad } from './load.ts'
import type { Peer } from './peer.ts'
import { startRelayProcess } from './relayProcess.ts'

const megabyte = 1024 * 1024
const messageBytes = 96 * 1024
const messages = (50 * megabyte) / messageBytes
/** The time after which the relay disconnects a client that reads nothing. */
const timeoutMilliseconds = 36_000

test('relay disconnects a 1 kB/s reader before memory grows, without affecting others, and keeps its messages [R-08]', async () => {
  const fault = await openCase('R-08')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const { proxy, url: slowUrl } = await fault.proxy(() => relay.url)
  const [heavy = '', light = '', read = ''] = fault.topics(3)
  const url = (): string => relay.url
  const slow = fault.peer({ name: 'slow reader', url: () => slowUrl, topics: [heavy] })
  const reader = fault.peer({ name: 'reader', url, topics: [light, read] })
  const writer = fault.peer({ name: 'writer', url })
  // The undelivered bytes per client are limited.
  const writers = Array.from({ length: 8 }, (_, index) => fault.peer({ name: `heavy writer ${index}`, url }))
  await Promise.all([slow, reader, writer, ...writers].map((peer) => peer.ready()))
  const load = startLoad({ publishers: [writer], topics: [light], pause: { least: 20, most: 40 }, random })
  await sleep(5_000)
  // The same load without the slow reader measures how busy the machine is.
  const usual = listLatencies(fault, light)

  // 50 MB also let the heap of a process grow that no client slows down, so the first ones go to a client that reads them.
  const first = watchMemory(relay.pid)
  await publishAll(writers, read, 'read')
  const usualGrowth = await first.stop()

  proxy.set({ bytesPerSecond: 1_000 })
  const second = watchMemory(relay.pid)
  await publishAll(writers, heavy, 'heavy')
  await sleep(timeoutMilliseconds)
  const growth = await second.stop()
  // Only now does the reader receive what the relay sent in the meantime.
  proxy.heal()
  await expect.poll(() => slow.endings, { timeout: 10_000 }).toEqual([1013])
  await load.stop()

  expect(await fault.verdict()).toMatchObject(nothingWrong)
  const p99 = getP99(listLatencies(fault, light).slice(usual.length))
  const usualP99 = getP99(usual)
  const toMiB = (bytes: number): number => Math.round(bytes / megabyte)
  fault.log({ growthMiB: toMiB(growth), usualGrowthMiB: toMiB(usualGrowth), p99, usualP99 })
  expect(growth).toBeLessThan(64 * megabyte)
  expect(p99).toBeLessThan(Math.max(100, 3 * usualP99))
})

/** Publishes 50 MB, one message of each writer at a time. Their texts begin with the name. */
async function publishAll(writers: readonly Peer[], topic: string, name: string): Promise<void> {
  for (let sent = 0; sent < messages; sent += writers.length) {
    const group = writers.map((each, index) => each.publish(topic, `${name} ${sent + index}`.padEnd(messageBytes)))
    await Promise.all(group)
  }
}

/** Samples the resident memory of a process. `stop` returns how far it grew at most. */
function watchMemory(pid: number): { stop(): Promise<number> } {
  const begin = residentBytes(pid)
  let most = 0
  const timer = setInterval(() => void residentBytes(pid).then((now) => (most = Math.max(most, now))), 100)
  return {
    async stop() {
      clearInterval(timer)
      return Math.max(0, most - (await begin))
    },
  }
}

function getP99(milliseconds: readonly number[]): number {
  const sorted = milliseconds.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.99)] ?? Infinity
}

/** Returns the resident memory of a process (Linux). */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Returns the time from the first attempt to the arrival of each message of a topic, in milliseconds. */
function listLatencies({ history }: FaultCase, topic: string): readonly number[] {
  const published = new Map<string, number>()
  return history.lines.flatMap(({ t, type, op }) => {
    if (op.topic !== topic || op.does === 'subscribe') return []
    if (op.does === 'publish' && type === 'invoke') published.set(op.message, t)
    const since = op.does === 'receive' ? published.get(op.message) : undefined
    return since === undefined ? [] : [t - since]
  })
}
