import { fakeNetwork, manualClock, settled } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { evm } from '../families/evm/evm.ts'
import type { Balance, Family } from '../families/family.ts'
import { refusals } from '../rpcError.ts'
import { balanceKey, createBalances } from './balances.ts'

const network = fakeNetwork({ id: 1, name: 'First' })
const coin: Balance = { asset: 'native', name: 'Coin', symbol: 'COIN', decimals: 18, amount: 5n }

function followed(answers: readonly (readonly Balance[] | Error)[]) {
  const clock = manualClock()
  const left = [...answers]
  const family: Family = {
    ...evm(),
    async balances() {
      const answer = left.shift() ?? refusals.unreachable('First', undefined)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const balances = createBalances({ families: [family], tokens: [], clock })
  const [account] = family.accounts
  const stop = balances.follow(account, [network])
  return { clock, balances, stop, left, known: () => balances.store.get()[balanceKey(account, network)] }
}

test('reads balances at once and every five seconds, and keeps the last ones while a network is away', async () => {
  const { clock, known } = followed([[coin], refusals.unreachable('First', undefined), [{ ...coin, amount: 6n }]])
  expect(known()).toEqual({ status: 'loading' })
  await settled()
  expect(known()).toEqual({ status: 'read', balances: [coin] })
  clock.advance(5_000)
  await settled()
  expect(known()).toEqual({ status: 'failed', reason: 'First cannot be reached.', last: [coin] })
  clock.advance(5_000)
  await settled()
  expect(known()).toMatchObject({ status: 'read', balances: [{ amount: 6n }] })
})

test('reads at once when asked to, and no more often after that', async () => {
  const { clock, balances, left } = followed([[coin], [coin], [coin], [coin]])
  balances.refresh()
  await settled()
  expect(left).toHaveLength(2)
  expect(clock.waiting()).toBe(1)
})

test('reads nothing more once nobody looks', async () => {
  const { clock, stop, left } = followed([[coin], [coin]])
  stop()
  await settled()
  clock.advance(60_000)
  expect(left).toHaveLength(1)
  expect(clock.waiting()).toBe(0)
})
