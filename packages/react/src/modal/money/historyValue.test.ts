import type { HistoryTransfer } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { getHistoryValue } from './historyValue.ts'

const fungible = { name: 'Coin', symbol: 'COIN', icon: null }

function createHistoryTransfer(value: number | null, more: Partial<HistoryTransfer> = {}): HistoryTransfer {
  return {
    fungible_info: fungible,
    nft_info: null,
    direction: 'out',
    quantity: { numeric: '2' },
    value,
    price: null,
    ...more,
  }
}

const valueOf = (...transfers: readonly HistoryTransfer[]): number | undefined => getHistoryValue({ transfers })

const into = { direction: 'in' } as const

test('the value of a transaction is what the account gave, otherwise what it received', () => {
  expect(valueOf(createHistoryTransfer(5))).toBe(5)
  expect(valueOf(createHistoryTransfer(7, into))).toBe(7)
  expect(valueOf(createHistoryTransfer(5), createHistoryTransfer(1), createHistoryTransfer(4, into))).toBe(6)
  expect(valueOf(createHistoryTransfer(null), createHistoryTransfer(4, into))).toBe(4)
})

test('a value that is partly unknown, zero, of an NFT or of spam is unknown', () => {
  const cat = { name: 'Cat', content: null, flags: { is_spam: false } }
  expect(valueOf()).toBeUndefined()
  expect(valueOf(createHistoryTransfer(null))).toBeUndefined()
  expect(valueOf(createHistoryTransfer(5), createHistoryTransfer(null))).toBeUndefined()
  expect(valueOf(createHistoryTransfer(0, { quantity: { numeric: '0.00' } }))).toBeUndefined()
  expect(valueOf(createHistoryTransfer(5, { fungible_info: null, nft_info: cat }))).toBeUndefined()
  expect(
    valueOf(createHistoryTransfer(5, { fungible_info: { ...fungible, flags: { is_spam: true } } })),
  ).toBeUndefined()
})
