import type { SwapQuote, SwapState } from '@latchkey/core/money'
import { swapMessages } from '@latchkey/modal/messages'
import { expect, test } from 'vitest'
import { termWarnings } from './SwapFacts.tsx'

const unit = 10n ** 18n
const state = {
  slippage: 1,
  tokens: [
    { id: 'from', symbol: 'COIN', decimals: 18, price: 1 },
    { id: 'to', symbol: 'LUSD', decimals: 18, price: 1 },
  ],
  from: 'from',
  to: 'to',
} as unknown as SwapState

/** The text of the warning about a swap of 100 units, with the impact that the server reports. */
function warnOf(impact: number | undefined, received: bigint): unknown {
  const quote = { impact, fromAmount: 100n * unit, toAmount: received * unit } as unknown as SwapQuote
  return termWarnings(swapMessages.english, 'en', state, quote)[0]?.text
}

test('a swap that moves the price advises a smaller amount', () => {
  expect(warnOf(23.4, 80n)).toBe('This amount moves the price by 23.4% against you. A smaller amount costs less.')
})

test('a swap at a bad price names the lost value, because a smaller amount loses as much', () => {
  expect(warnOf(0.1, 10n)).toBe('You would lose about 90% of the value.')
  expect(warnOf(undefined, 10n)).toBe('You would lose about 90% of the value.')
})

test('a swap at a fair price has no warning', () => {
  expect(warnOf(0.1, 100n)).toBeUndefined()
})
