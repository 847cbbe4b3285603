import { fakeNetwork, manualClock, flushTasks } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { createEvmAdapter } from '../namespaces/evm/createEvmAdapter.ts'
import type { Balance, NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'
import { rpcErrors } from '../rpcError.ts'
import { balanceKey, createBalances } from './balances.ts'

const network = fakeNetwork({ id: 1, name: 'First' })
const coin: Balance = { asset: 'native', name: 'Coin', symbol: 'COIN', decimals: 18, amount: 5n }

function followBalances(responses: readonly (readonly Balance[] | Error)[]) {
  const clock = manualClock()
  const left = [...responses]
  const adapter: NamespaceAdapter = {
    ...createEvmAdapter(),
    async getBalances() {
      const response = left.shift() ?? rpcErrors.unreachable('First', undefined)
      if (response instanceof Error) throw response
      return response
    },
  }
  const balances = createBalances({ adapters: [adapter], tokens: [], clock })
  const [account] = adapter.accounts
  const stop = balances.follow(account, [network])
  return { clock, balances, stop, left, known: () => balances.store.get()[balanceKey(account, network)] }
}

test('balances refresh every five seconds and keep the last values while the network is unreachable', async () => {
  const { clock, known } = followBalances([
    [coin],
    rpcErrors.unreachable('First', undefined),
    [{ ...coin, amount: 6n }],
  ])
  expect(known()).toEqual({ status: 'loading' })
  await flushTasks()
  expect(known()).toEqual({ status: 'read', balances: [coin] })
  clock.advance(5_000)
  await flushTasks()
  expect(known()).toEqual({ status: 'failed', reason: 'First cannot be reached.', last: [coin] })
  clock.advance(5_000)
  await flushTasks()
  expect(known()).toMatchObject({ status: 'read', balances: [{ amount: 6n }] })
})

test('refresh reads balances once and keeps the interval', async () => {
  const { clock, balances, left } = followBalances([[coin], [coin], [coin], [coin]])
  balances.refresh()
  await flushTasks()
  expect(left).toHaveLength(2)
  expect(clock.waiting()).toBe(1)
})

test('polling stops after the last subscriber unsubscribes', async () => {
  const { clock, stop, left } = followBalances([[coin], [coin]])
  stop()
  await flushTasks()
  clock.advance(60_000)
  expect(left).toHaveLength(1)
  expect(clock.waiting()).toBe(0)
})
