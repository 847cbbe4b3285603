import { setTimeout as sleep } from 'node:timers/promises'
import { connectRelayClient, createClientKey, relayAddress, startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openCase } from './faultCase.ts'
import type { Random } from './random.ts'
import { startRelayProcess } from './relayProcess.ts'

const clients = 2_000
/** The limit of one address, because all clients have the same one. */
const handshakes = { perSecond: 300, burst: 300 }

test('relay reconnects 2000 simultaneous clients within 30 s at a bounded rate while serving others [R-15]', async () => {
  const fault = await openCase('R-15')
  const { random } = fault
  const postgres = fault.owns(await startTestPostgres())
  const env = { RELAY_LIMITS: JSON.stringify({ handshakes }) }
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url, env }))
  const { proxy, url } = await fault.proxy(() => relay.url)
  const other = await connectRelayClient(relay.url)
  const addresses = Array.from({ length: 50 }, () => relayAddress(url, { key: createClientKey() }))
  const crowd = fault.owns(createCrowd(addresses, random))
  await expect.poll(crowd.size, { timeout: 60_000 }).toBe(clients)

  const statuses = new Set<number>()
  const health = relay.url.replace(/^ws(.*)\/relay$/, 'http$1/health')
  const since = performance.now()
  proxy.cut()
  await expect.poll(crowd.size).toBeLessThan(clients / 2)
  while (crowd.size() < clients && performance.now() - since < 60_000) {
    statuses.add((await fetch(health)).status)
    const message = { topic: 'a'.repeat(64), message: String(performance.now()), ttl: 300, tag: 0, prompt: false }
    expect((await other.request('irn_publish', message)).result).toBe(true)
    await sleep(100)
  }
  const back = Math.round(performance.now() - since)
  const ahead = crowd.countAhead(since)
  await other.close()

  fault.log({ clients, back, ahead, refusals: crowd.refusals() })
  expect(back).toBeLessThan(30_000)
  expect(statuses).toEqual(new Set([200]))
  expect(ahead).toBe(0)
})

/** Many clients. Each one reconnects about a second after it loses its connection. */
type ClientGroup = {
  /** Number of connected clients. */
  size(): number
  /** The number of refused connections by HTTP status. */
  refusals(): Readonly<Record<number, number>>
  /**
   * The number of connections since a time that the limit did not allow yet. A busy machine reports connections late, and several
   * at once, so that those of a single second may be more than the limit allows.
   */
  countAhead(since: number): number
  close(): void
}

function createCrowd(addresses: readonly string[], random: Random): ClientGroup {
  const open = new Set<WebSocket>()
  const openings: number[] = []
  const refusals: Record<number, number> = {}
  let isClosed = false

  function join(address: string): void {
    if (isClosed) return
    const socket = new WebSocket(address)
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (request, { statusCode = 0 }) => {
      refusals[statusCode] = (refusals[statusCode] ?? 0) + 1
      request.destroy()
      socket.emit('close')
    })
    socket.on('open', () => {
      open.add(socket)
      openings.push(performance.now())
    })
    socket.once('close', () => {
      open.delete(socket)
      setTimeout(join, random.between(200, 1_500), address)
    })
  }

  for (let index = 0; index < clients; index += 1) {
    setTimeout(join, random.between(0, 10_000), addresses[index % addresses.length])
  }
  return {
    size: () => open.size,
    refusals: () => refusals,
    countAhead(since) {
      const times = openings.filter((time) => time >= since)
      const countAllowed = (time: number): number => handshakes.burst + (handshakes.perSecond * (time - since)) / 1_000
      return times.filter((time, index) => index + 1 > countAllowed(time)).length
    },
    close() {
      isClosed = true
      for (const socket of open) socket.terminate()
    },
  }
}
