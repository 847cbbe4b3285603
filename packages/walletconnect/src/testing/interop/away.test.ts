import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { peerPairs } from './peerPairs.ts'
import {
  accounts,
  sendRequest,
  connect,
  waitUntil,
  waitForNextRequest,
  propose,
  createStage,
  type Stage,
} from './stage.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>

beforeAll(async () => {
  server = await startTestRelay()
})

afterAll(() => server.close(), 60_000)

// Their clients need up to twenty seconds after a cut, so the tests run concurrently.
describe.concurrent.each(peerPairs.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
  const meet = (context: TestContext): Promise<Stage> => createStage(pair, server.relayUrl, context)

  test('pair if the wallet comes after the proposal was published', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    await stage.wallet.stop()
    const { uri, settled } = await stage.dapp.peer.propose()
    await stage.wallet.reload()
    await stage.wallet.peer.pair(uri)
    await waitUntil(() => expect(stage.wallet.peer.proposals.length).toBe(1))
    await stage.wallet.peer.proposals[0]?.approve(accounts)
    expect(await settled).toMatchObject({ accounts })
  })

  test('settle if the dapp was offline when the wallet approved', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const { proposal, settled } = await propose(stage)
    stage.dapp.proxy.silence()
    await proposal.approve(accounts)
    stage.dapp.proxy.restore()
    expect(await settled).toMatchObject({ accounts })
  })

  test('deliver a request that came while the wallet was offline', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    stage.wallet.proxy.silence()
    const { response } = await sendRequest(stage, topic)
    stage.wallet.proxy.restore()
    await (await waitForNextRequest(stage)).respond('0xsigned')
    expect(await response).toBe('0xsigned')
  })

  test('deliver a response that came while the dapp was offline', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const { response } = await sendRequest(stage, await connect(stage))
    const request = await waitForNextRequest(stage)
    stage.dapp.proxy.silence()
    await request.respond('0xsigned')
    stage.dapp.proxy.restore()
    expect(await response).toBe('0xsigned')
  })

  test('deliver a request that came while the wallet was closed', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    await stage.wallet.stop()
    const { response } = await sendRequest(stage, topic)
    await stage.wallet.reload()
    await (await waitForNextRequest(stage)).respond('0xsigned')
    expect(await response).toBe('0xsigned')
  })

  test('continue after both connections were cut', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    stage.dapp.proxy.cut()
    stage.wallet.proxy.cut()
    const { response } = await sendRequest(stage, topic)
    await (await waitForNextRequest(stage)).respond('0xsigned')
    expect(await response).toBe('0xsigned')
  })

  test('continue after both were reloaded', { tags: 'faults' }, async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    await Promise.all([stage.dapp.stop(), stage.wallet.stop()])
    await Promise.all([stage.dapp.reload(), stage.wallet.reload()])
    expect(stage.dapp.peer.sessions()).toMatchObject([{ topic, accounts: accounts.slice(0, 1) }])
    const { response } = await sendRequest(stage, topic)
    await (await waitForNextRequest(stage)).respond('0xsigned')
    expect(await response).toBe('0xsigned')
  })

  test.for(['dapp', 'wallet'] as const)(
    'end a session that was deleted while the %s was closed [R4.7]',
    { tags: 'faults' },
    async (late, context) => {
      const stage = await meet(context)
      const topic = await connect(stage)
      await stage[late].stop()
      await stage[late === 'dapp' ? 'wallet' : 'dapp'].peer.disconnect(topic)
      await stage[late].reload()
      await waitUntil(() => expect(stage[late].peer.sessions()).toEqual([]))
    },
  )
})
