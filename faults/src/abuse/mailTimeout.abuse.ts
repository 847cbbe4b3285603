import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createLoginClient, startLoginServices, startTestPostgres } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let close = async (): Promise<void> => undefined
beforeAll(async () => {
  const postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  close = postgres.close
})
afterAll(() => close())

test('a code request with a silent mail server gets its error after the default timeout of ten seconds [A-18]', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  // A listening TCP server always has an address object.
  const { port } = silent.address() as AddressInfo
  const services = await startLoginServices({ mailUrl: `smtp://127.0.0.1:${port}` })
  const client = await createLoginClient(services.authUrl)
  const since = performance.now()
  const { status, body } = await client.request('POST', '/auth/v1/codes', {
    email: 'ann@example.org',
    projectId: 'ab'.repeat(16),
    origin: 'http://app.localhost',
  })
  const seconds = (performance.now() - since) / 1_000
  console.log(`A-18: the error came after ${seconds.toFixed(1)} s`)
  expect([status, body]).toMatchObject([503, { reasons: [{ field: 'mail' }] }])
  expect(seconds).toBeGreaterThan(9.5)
  expect(seconds).toBeLessThan(20)
  await services.close()
  for (const socket of sockets) socket.destroy()
  silent.close()
})
