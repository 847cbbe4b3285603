import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { createParties, type Parties } from './parties.ts'

/**
 * Starts a relay before the tests of a file, and closes the apps and wallets after each test.
 *
 * @example const parties = startPartiesOverRelay()
 */
export function startPartiesOverRelay(): Parties {
  let server: Awaited<ReturnType<typeof startTestServer>>
  let parties: Parties

  beforeAll(async () => {
    server = await startTestServer()
    parties = createParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
  })
  afterEach(() => parties.close())
  afterAll(() => server.close())

  return {
    dapp: (options) => parties.dapp(options),
    phone: (options) => parties.phone(options),
    rawApp: (storage) => parties.rawApp(storage),
    close: () => parties.close(),
  }
}
