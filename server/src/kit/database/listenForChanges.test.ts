import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { pause } from '../runtime/pause.ts'
import { listenForChanges } from './listenForChanges.ts'

let database: TestPostgres

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.close())

test('a listener that is closed while it connects closes', async () => {
  // The handshake takes a few milliseconds, so these delays meet each of its steps.
  for (const delayMs of [0, 0, 1, 1, 2, 3, 4, 5, 8]) {
    const listener = listenForChanges(database.url, 'latchkey_test', () => undefined)
    if (delayMs > 0) await pause(delayMs)
    await expect(listener.close()).resolves.toBeUndefined()
  }
})

test('a listener closes while the database accepts connections without responding', { tags: 'faults' }, async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await vi.waitUntil(() => silent.listening)
  const { port } = silent.address() as AddressInfo
  const listener = listenForChanges(`postgres://ann@127.0.0.1:${port}/none`, 'latchkey_test', () => undefined)
  await pause(50)
  await expect(listener.close()).resolves.toBeUndefined()
  silent.close()
})
