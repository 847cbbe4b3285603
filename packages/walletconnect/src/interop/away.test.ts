import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { matrix } from './matrix.ts'
import { accounts, ask, connect, eventually, nextAsked, propose, setStage, type Stage } from './stage.ts'

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
}, 60_000)

afterAll(() => server.close(), 60_000)

// Their clients need up to twenty seconds after a cut: together that is bearable.
describe.concurrent.each(matrix.map((pair) => [pair.name, pair] as const))('%s', { timeout: 90_000 }, (_, pair) => {
  const meet = (context: TestContext): Promise<Stage> => setStage(pair, server.relayUrl, context)

  test('meet though the wallet comes after the proposal was published', async (context) => {
    const stage = await meet(context)
    await stage.wallet.leave()
    const { uri, settled } = await stage.dapp.peer.propose()
    await stage.wallet.comeBack()
    await stage.wallet.peer.pair(uri)
    await eventually(() => expect(stage.wallet.peer.proposed.length).toBe(1))
    await stage.wallet.peer.proposed[0]?.approve(accounts)
    expect(await settled).toMatchObject({ accounts })
  })

  test('settle though the dapp was cut off when the wallet approved', async (context) => {
    const stage = await meet(context)
    const { proposed, settled } = await propose(stage)
    stage.dapp.line.block()
    await proposed.approve(accounts)
    stage.dapp.line.mend()
    expect(await settled).toMatchObject({ accounts })
  })

  test('find the request that came while the wallet was cut off', async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    stage.wallet.line.block()
    const { answer } = await ask(stage, topic)
    stage.wallet.line.mend()
    await (await nextAsked(stage)).answer('0xsigned')
    expect(await answer).toBe('0xsigned')
  })

  test('find the answer that came while the dapp was cut off', async (context) => {
    const stage = await meet(context)
    const { answer } = await ask(stage, await connect(stage))
    const asked = await nextAsked(stage)
    stage.dapp.line.block()
    await asked.answer('0xsigned')
    stage.dapp.line.mend()
    expect(await answer).toBe('0xsigned')
  })

  test('find the request that came while the wallet was closed', async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    await stage.wallet.leave()
    const { answer } = await ask(stage, topic)
    await stage.wallet.comeBack()
    await (await nextAsked(stage)).answer('0xsigned')
    expect(await answer).toBe('0xsigned')
  })

  test('go on after both lines were cut in the middle', async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    stage.dapp.line.cut()
    stage.wallet.line.cut()
    const { answer } = await ask(stage, topic)
    await (await nextAsked(stage)).answer('0xsigned')
    expect(await answer).toBe('0xsigned')
  })

  test('go on after both were loaded again', async (context) => {
    const stage = await meet(context)
    const topic = await connect(stage)
    await Promise.all([stage.dapp.leave(), stage.wallet.leave()])
    await Promise.all([stage.dapp.comeBack(), stage.wallet.comeBack()])
    expect(stage.dapp.peer.sessions()).toMatchObject([{ topic, accounts: accounts.slice(0, 1) }])
    const { answer } = await ask(stage, topic)
    await (await nextAsked(stage)).answer('0xsigned')
    expect(await answer).toBe('0xsigned')
  })

  test.for(['dapp', 'wallet'] as const)(
    'drop a session that was deleted while the %s was closed [R4.7]',
    async (late, context) => {
      const stage = await meet(context)
      const topic = await connect(stage)
      await stage[late].leave()
      await stage[late === 'dapp' ? 'wallet' : 'dapp'].peer.disconnect(topic)
      await stage[late].comeBack()
      await eventually(() => expect(stage[late].peer.sessions()).toEqual([]))
    },
  )
})
