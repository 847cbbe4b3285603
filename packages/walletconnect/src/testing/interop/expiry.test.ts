import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi, type TestContext } from 'vitest'
import { peerPairs } from './peerPairs.ts'
import { accounts, rejectionOf, propose, createStage, type Stage } from './stage.ts'

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
})

afterEach(() => void vi.useRealTimers())

afterAll(() => server.close(), 60_000)

/** Changes only dates. The timers of sockets and heartbeats continue. */
const advanceMinutes = (minutes: number): void => void vi.setSystemTime(Date.now() + minutes * 60_000)

describe.each(peerPairs.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
  const meet = (context: TestContext): Promise<Stage> => createStage(pair, server.relayUrl, context)

  test('do not pair with a URI that is five minutes old', { tags: 'faults' }, async (context) => {
    const { dapp, wallet } = await meet(context)
    const { uri, settled } = await dapp.peer.propose()
    settled.catch(() => {})
    advanceMinutes(5)
    expect(await rejectionOf(wallet.peer.pair(uri))).toHaveProperty('message')
    expect(wallet.peer.proposals).toEqual([])
  })

  test('settle no proposal that waited for six minutes', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const { proposal, settled } = await propose(stage)
    settled.catch(() => {})
    advanceMinutes(6)
    expect(await rejectionOf(proposal.approve(accounts))).toHaveProperty('message')
    expect([...stage.dapp.peer.sessions(), ...stage.wallet.peer.sessions()]).toEqual([])
  })
})
