import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { makeParties, type Parties } from './parties.ts'

/**
 * The apps and wallets of a test file, over a relay of its own: it is there before the first test, and what a test made is
 * closed after it.
 *
 * @example const parties = partiesOverRelay()
 */
export function partiesOverRelay(): Parties {
  let server: Awaited<ReturnType<typeof startTestServer>>
  let parties: Parties

  beforeAll(async () => {
    server = await startTestServer()
    parties = makeParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
  })
  afterEach(() => parties.close())
  afterAll(() => server.close())

  return {
    dapp: (options) => parties.dapp(options),
    phone: (options) => parties.phone(options),
    close: () => parties.close(),
  }
}
