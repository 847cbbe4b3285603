import { setTimeout as sleep } from 'node:timers/promises'
import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairsWith } from './peerPairs.ts'
import { connect, createStage, waitUntil } from './stage.ts'
import { theirVersions } from './theirPeers.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>

beforeAll(async () => {
  server = await startTestRelay()
})

afterAll(() => server.close(), 60_000)

test.for(theirVersions)(
  'a wallet %s that is stopped while it connects does not retry without a pause',
  { tags: 'faults' },
  async (version, context) => {
    const [pair = expect.fail('no pair')] = pairsWith(version)
    const stage = await createStage(pair, server.relayUrl, context)
    await connect(stage)
    await stage.wallet.stop()
    await stage.wallet.reload()
    const { proxy } = stage.wallet
    await waitUntil(() => expect(proxy.connections()).toBe(1))
    await stage.wallet.stop()
    // It waits ten seconds for each connection. Version 2.17.1 opened hundreds in this time when they were refused.
    await sleep(3_000)
    expect(proxy.connections()).toBeLessThan(5)
  },
)
