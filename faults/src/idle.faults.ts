import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectRelayClient, startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { openCase } from './faultCase.ts'
import { startRelayProcess } from './relayProcess.ts'

const pings = 3

test('relay pings an idle client every 30 s and keeps it connected [R-19]', async () => {
  const fault = await openCase('R-19')
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const client = await connectRelayClient(relay.url)
  const waits: number[] = []
  for (let count = 0; count < pings; count += 1) {
    const since = performance.now()
    await Promise.race([once(client.socket, 'ping'), client.closed, sleep(31_000, undefined, { ref: false })])
    waits.push(Math.round(performance.now() - since))
  }
  fault.log({ waits })
  expect(Math.max(...waits)).toBeLessThan(30_000)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
  await client.close()
})
