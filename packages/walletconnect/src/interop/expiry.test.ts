import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi, type TestContext } from 'vitest'
import { matrix } from './matrix.ts'
import { accounts, failureOf, propose, setStage, type Stage } from './stage.ts'

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
}, 60_000)

afterEach(() => void vi.useRealTimers())

afterAll(() => server.close(), 60_000)

/** Dates move; the timers of sockets and heartbeats go on as they are. */
const passMinutes = (minutes: number): void => void vi.setSystemTime(Date.now() + minutes * 60_000)

describe.each(matrix.map((pair) => [pair.name, pair] as const))('%s', { timeout: 60_000 }, (_, pair) => {
  const meet = (context: TestContext): Promise<Stage> => setStage(pair, server.relayUrl, context)

  test('do not meet over a link that is five minutes old', async (context) => {
    const { dapp, wallet } = await meet(context)
    const { uri, settled } = await dapp.peer.propose()
    settled.catch(() => {})
    passMinutes(5)
    expect(await failureOf(wallet.peer.pair(uri))).toHaveProperty('message')
    expect(wallet.peer.proposed).toEqual([])
  })

  test('settle nothing of a proposal that waited for six minutes', async (context) => {
    const stage = await meet(context)
    const { proposed, settled } = await propose(stage)
    settled.catch(() => {})
    passMinutes(6)
    expect(await failureOf(proposed.approve(accounts))).toHaveProperty('message')
    expect([...stage.dapp.peer.sessions(), ...stage.wallet.peer.sessions()]).toEqual([])
  })
})
