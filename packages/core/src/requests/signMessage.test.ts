import { requestError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeAddress,
  fakeConnector,
  fakeWorld,
  manualClock,
} from '../testing/fakes.ts'
import { sendTransaction, signMessage, verifyMessage, waitForTransaction } from './signMessage.ts'
import { connect } from '../connection/connect.ts'
import { getBalance } from '../account/getBalance.ts'
import { setCached } from '../storage/getCached.ts'

const me = fakeAddress('eip155', 0)
const you = fakeAddress('eip155', 1)

test('signMessage returns a signature that verifyMessage accepts [R1.3]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const signature = await signMessage(latchkey, 'Hello')
  expect(await verifyMessage(latchkey, 'Hello', signature)).toBe(true)
  expect(await verifyMessage(latchkey, 'Goodbye', signature)).toBe(false)
})

test("sendTransaction sends on the wallet's network, and waitForTransaction returns the receipt", async () => {
  const connector = fakeConnector()
  const { latchkey, adapter } = fakeWorld({
    connectors: [connector],
    adapters: [fakeAdapter({ balances: { [me]: 10n } })],
  })
  await connect(latchkey, 'fake')
  connector.emitChain('eip155:2')
  const hash = await sendTransaction(latchkey, { to: you, value: 4n })
  expect(await waitForTransaction(latchkey, hash)).toEqual({ hash, blockNumber: 1n })
  expect(adapter.sent).toEqual([{ hash, account: fakeAccount('eip155:2'), request: { to: you, value: 4n } }])
  expect(adapter.balances.get(you)).toBe(4n)
})

test('waitForTransaction times out after 25 seconds [R9.1.4]', async () => {
  const clock = manualClock()
  const adapter = fakeAdapter({ minesManually: true, clock })
  const { latchkey } = fakeWorld({ clock, adapters: [adapter], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const hash = await sendTransaction(latchkey, { to: you })
  let isSettled = false
  const failure = getRejection(waitForTransaction(latchkey, hash)).finally(() => (isSettled = true))
  clock.advance(24_999)
  await Promise.resolve()
  expect(isSettled).toBe(false)
  clock.advance(1)
  expect(await failure).toMatchObject({ code: 'transaction/pending', context: { hash, seconds: 25 } })
})

test('waitForTransaction rejects with the reason of a reverted transaction [R8.3.8]', async () => {
  const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector()] })
  adapter.revertsWith = 'not enough allowance'
  await connect(latchkey, 'fake')
  const hash = await sendTransaction(latchkey, { to: you })
  await expect(waitForTransaction(latchkey, hash)).rejects.toMatchObject({
    code: 'transaction/reverted',
    message: expect.stringContaining('not enough allowance'),
  })
})

test("signMessage passes on the wallet's error", async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  const rejection = requestError('request/rejected', { method: 'signMessage' })
  connector.fail('signMessage', rejection)
  await expect(signMessage(latchkey, 'Hello')).rejects.toBe(rejection)
  await expect(sendTransaction(latchkey, { to: 'nowhere' })).rejects.toMatchObject({ code: 'address/invalid' })
})

test('signMessage uses the connected wallet while another one is connecting', async () => {
  const connectors = [fakeConnector(), fakeConnector({ id: 'other', neverResponds: true })]
  const { latchkey } = fakeWorld({ connectors })
  await connect(latchkey, 'fake')
  const attempt = new AbortController()
  const failure = getRejection(connect(latchkey, 'other', { signal: attempt.signal }))
  expect(await verifyMessage(latchkey, 'Hello', await signMessage(latchkey, 'Hello'))).toBe(true)
  attempt.abort()
  await failure
})

test.each([
  ['signMessage', (latchkey) => signMessage(latchkey, 'Hello')],
  ['verifyMessage', (latchkey) => verifyMessage(latchkey, 'Hello', '0x')],
  ['sendTransaction', (latchkey) => sendTransaction(latchkey, { to: you })],
  ['waitForTransaction', (latchkey) => waitForTransaction(latchkey, '0x')],
  ['getBalance', (latchkey) => getBalance(latchkey)],
] satisfies Array<[string, (latchkey: ReturnType<typeof fakeWorld>['latchkey']) => Promise<unknown>]>)(
  '%s rejects before connecting [R5.2.1] [R8.3.1]',
  async (_, request) => {
    await expect(request(fakeWorld().latchkey)).rejects.toMatchObject({
      code: 'connection/not-connected',
      message: expect.stringContaining('Please call connect() before request()'),
    })
    await expect(request(fakeWorld({ adapters: [] }).latchkey)).rejects.toMatchObject({
      code: 'connection/not-connected',
    })
  },
)

describe('the native balance', () => {
  test('is cached for thirty seconds per account and network, and read again with fresh [R1.4] [R9.1.10]', async () => {
    const connector = fakeConnector()
    const adapter = fakeAdapter({ balances: { [me]: 7n } })
    const { latchkey, clock } = fakeWorld({ adapters: [adapter], connectors: [connector] })
    await connect(latchkey, 'fake')
    expect(await getBalance(latchkey)).toEqual({ value: 7n, decimals: 18, symbol: 'COIN' })
    adapter.balances.set(me, 8n)
    expect((await getBalance(latchkey)).value).toBe(7n)
    expect((await getBalance(latchkey, { fresh: true })).value).toBe(8n)
    adapter.balances.set(me, 9n)
    clock.advance(30_000)
    expect((await getBalance(latchkey)).value).toBe(9n)
    adapter.balances.set(me, 10n)
    connector.emitChain('eip155:2')
    expect((await getBalance(latchkey)).value).toBe(10n)
    connector.emitAccounts([fakeAccount('eip155:2', 1)])
    expect((await getBalance(latchkey)).value).toBe(0n)
  })

  test('is read again when the cache was corrupted', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    for (const spoilt of ['', '1.5', '-1', '1e9', 'many']) {
      setCached(latchkey.internal, `native_balance/eip155:1/${me}`, spoilt)
      expect((await getBalance(latchkey)).value).toBe(0n)
    }
  })

  test("rejects when it can't be read, and is read again next time", async () => {
    const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    adapter.unreachable = true
    await expect(getBalance(latchkey)).rejects.toMatchObject({ code: 'rpc/unreachable' })
    adapter.unreachable = false
    expect((await getBalance(latchkey)).value).toBe(0n)
  })
})
