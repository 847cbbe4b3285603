import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi, type TestContext } from 'vitest'
import { peerPairs } from './peerPairs.ts'
import { codeOf } from './peers.ts'
import {
  accounts,
  connect,
  waitUntil,
  rejectionOf,
  waitForNextRequest,
  propose,
  createStage,
  signing,
  type Stage,
} from './stage.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>

beforeAll(async () => {
  server = await startTestRelay()
})

afterEach(() => void vi.useRealTimers())

afterAll(() => server.close(), 60_000)

const hour = 3600
const week = 604_800

describe.each(peerPairs.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
  const meet = (context: TestContext): Promise<Stage> => createStage(pair, server.relayUrl, context)

  test('settle a session of seven days with the accounts that the wallet chose', async (context) => {
    const { dapp, wallet } = await meet(context)
    const { proposal, settled } = await propose({ dapp, wallet })
    expect(proposal.dapp).toMatch(/dapp$/)
    await proposal.approve(accounts)
    const session = await settled
    expect(session).toMatchObject({ peer: expect.stringMatching(/wallet$/), accounts })
    expect(session.expiry).toBeGreaterThan(Date.now() / 1000 + week - 60)
    // Other wallets read the clock twice: for the sent expiry and for the stored one.
    const stored = { ...session, peer: proposal.dapp, expiry: expect.closeTo(session.expiry, -1) }
    await waitUntil(() => expect(wallet.peer.sessions()).toEqual([stored]))
    expect(dapp.peer.sessions()).toEqual([session])
  })

  test('settle no session if the wallet rejects', async (context) => {
    const { dapp, wallet } = await meet(context)
    const { proposal, settled } = await propose({ dapp, wallet })
    const outcome = rejectionOf(settled)
    await proposal.reject()
    expect(codeOf(await outcome)).toBe(5000)
    expect([...dapp.peer.sessions(), ...wallet.peer.sessions()]).toEqual([])
  })

  test('carry a request to the wallet and return its response', async (context) => {
    const stage = await meet(context)
    const pendingResponse = stage.dapp.peer.request(await connect(stage), signing)
    const request = await waitForNextRequest(stage)
    expect(request).toMatchObject({ ...signing, chainId: 'eip155:1' })
    const result = { signature: '0xsigned', note: 'ü€😀', list: [1, null, true] }
    await request.respond(result)
    expect(await pendingResponse).toEqual(result)
  })

  test('return the error of the wallet', async (context) => {
    const stage = await meet(context)
    const outcome = rejectionOf(stage.dapp.peer.request(await connect(stage), signing))
    await (await waitForNextRequest(stage)).reject({ code: 4001, message: 'User rejected the request.' })
    expect(codeOf(await outcome)).toBe(4001)
  })

  test('agree on an update of the wallet', async (context) => {
    const stage = await meet(context)
    const { dapp, wallet } = stage
    const topic = await connect(stage)
    await wallet.peer.update(topic, accounts)
    await waitUntil(() => expect(dapp.peer.sessions()[0]?.accounts).toEqual(accounts))
    expect(wallet.peer.sessions()[0]?.accounts).toEqual(accounts)
  })

  test('agree on an extension', async (context) => {
    const stage = await meet(context)
    const { dapp, wallet } = stage
    const topic = await connect(stage)
    const settled = wallet.peer.sessions()[0]?.expiry ?? 0
    vi.setSystemTime(Date.now() + hour * 1000)
    await wallet.peer.extend(topic)
    const extended = wallet.peer.sessions()[0]?.expiry ?? 0
    expect(extended - settled).toBeGreaterThanOrEqual(hour)
    await waitUntil(() => expect(dapp.peer.sessions()[0]?.expiry).toBe(extended))
  })

  test('carry an event', async (context) => {
    const stage = await meet(context)
    const event = { name: 'accountsChanged', data: [accounts[0]] }
    await stage.wallet.peer.emit(await connect(stage), event)
    await waitUntil(() => expect(stage.dapp.peer.received.events).toEqual([event]))
  })

  test('respond to each other’s pings', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    const pings = [stage.dapp.peer.ping(topic), stage.wallet.peer.ping(topic)]
    await expect(Promise.all(pings)).resolves.toHaveLength(2)
  })

  test.for(['dapp', 'wallet'] as const)(
    'end a session that the %s deletes [R4.7]',
    { tags: 'faults' },
    async (leaver, context) => {
      const stage = await meet(context)
      const topic = await connect(stage)
      await stage[leaver].peer.disconnect(topic)
      const left = leaver === 'dapp' ? stage.wallet : stage.dapp
      await waitUntil(() => expect(left.peer.received.ended).toEqual([topic]))
      expect([...stage.dapp.peer.sessions(), ...stage.wallet.peer.sessions()]).toEqual([])
    },
  )

  test('reject pending requests when the wallet deletes the session', async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    const outcome = rejectionOf(stage.dapp.peer.request(topic, signing))
    await waitForNextRequest(stage)
    await stage.wallet.peer.disconnect(topic)
    expect(await outcome).toHaveProperty('message')
  })
})
