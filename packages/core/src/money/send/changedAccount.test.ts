import { expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld, flushTasks, getRejection } from '../../testing/fakes.ts'
import type { Transfers } from '../transfers.ts'
import { chooseToken, setAmount } from './form.ts'
import { setReceiver } from './receiver.ts'
import { sendNow } from './sendNow.ts'
import { sendState } from './state.ts'

const chainId = 'eip155:1'
const accounts = [fakeAccount(chainId, 0), fakeAccount(chainId, 1)] as const
const coin = { asset: { symbol: 'COIN', decimals: 18 }, name: 'Coin', chainId, balance: undefined, price: 2 } as const
const receiver = fakeAccount(chainId, 2).slice(chainId.length + 1)

/** A user with a complete payment, on a chain whose balances are held back by the test. */
async function preparePayment() {
  const adapter = fakeAdapter()
  const connector = fakeConnector({ accounts: [accounts[0]] })
  const held: (() => void)[] = []
  const chain = { isSlow: false, sent: 0 }
  const transfers: Partial<Transfers> = {
    inspectReceiver: async () => [],
    estimateFee: async () => ({ value: 5n }),
    async getBalance() {
      if (chain.isSlow) await new Promise<void>((resolve) => held.push(resolve))
      return 1_000n
    },
    async send() {
      chain.sent += 1
      return { hash: '0x1' }
    },
  }
  Object.assign(adapter, { transfers: async () => transfers })
  const { latchkey, events } = fakeWorld({ adapters: [adapter], connectors: [connector] })
  await connect(latchkey, 'fake')
  const state = () => sendState(latchkey).getState()
  chooseToken(latchkey, coin)
  setAmount(latchkey, '0.0000000000000001')
  setReceiver(latchkey, receiver)
  await expect.poll(() => state().fee).toBeDefined()
  await expect.poll(() => state().networkBalance).toBeDefined()
  const release = async (): Promise<void> => {
    for (const respond of held.splice(0)) respond()
    await flushTasks()
  }
  return { latchkey, connector, chain, held, events, state, release }
}

test('the balance of an account that is no longer selected does not reach the form of the next one', async () => {
  const { latchkey, connector, chain, held, state, release } = await preparePayment()
  chain.isSlow = true
  chooseToken(latchkey, coin)
  await expect.poll(() => held.length).toBe(1)
  connector.emitAccounts([accounts[1]])
  expect(state()).toMatchObject({ token: undefined, networkBalance: undefined })
  await release()
  expect(state()).toMatchObject({ token: undefined, networkBalance: undefined, fee: undefined })
})

test('no payment is requested if the user selects another account while the balances are read', async () => {
  const { latchkey, connector, chain, held, events, state, release } = await preparePayment()
  chain.isSlow = true
  const sending = getRejection(sendNow(latchkey))
  await expect.poll(() => held.length).toBe(1)
  connector.emitAccounts([accounts[1]])
  await release()
  expect(await sending).toMatchObject({ code: 'send/incomplete' })
  expect(chain.sent).toBe(0)
  expect(events.map(({ type }) => type)).not.toContain('send-request')
  expect(state()).toMatchObject({ token: undefined, networkBalance: undefined, loading: false, problem: undefined })
})
