import type { AccountId } from '@latchkey/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeAccount, fakeStorage, fakeWorld } from '../../testing/fakes.ts'
import { addPending, ledgerOf, pendingTransactions, type PendingTransaction } from './pendingTransactions.ts'
import { loadTransactions, parseStoredTransaction, storedLimits, storeTransactions } from './storedTransactions.ts'

const chainId = 'eip155:1'
const from: AccountId = fakeAccount(chainId)
const place = { chainId, from } as const
const key = `@latchkey/pending/${chainId}/${from.split(':')[2]}`

function createEntry(hash: string, change: Partial<PendingTransaction> = {}): PendingTransaction {
  return { hash, chainId, from, what: { kind: 'send' }, since: 1, status: 'pending', ...change }
}

function load(stored: unknown) {
  const storage = fakeStorage({ values: { [key]: typeof stored === 'string' ? stored : JSON.stringify(stored) } })
  const { latchkey } = fakeWorld({ storage })
  loadTransactions(ledgerOf(latchkey), place)
  return { latchkey, storage, list: () => pendingTransactions(latchkey).getState() }
}

describe('stored payments', () => {
  test('are read as they were written', () => {
    const { latchkey, storage } = fakeWorld()
    const what = { kind: 'send', amount: '1.5', symbol: 'ETH', to: '0xabc' } as const
    const whole = createEntry('0x1', {
      what,
      nonce: 7,
      expectedNonce: 6,
      block: 12n,
      lastBlock: 20n,
      content: '0xdd',
      spends: '0xee:1',
      replaces: '0x0',
    })
    addPending(ledgerOf(latchkey), whole)
    storeTransactions(ledgerOf(latchkey), place)
    expect(load(storage.values.get(key) ?? '').list()).toEqual([whole])
  })

  test('keep the long id of a batch', () => {
    const { latchkey, storage } = fakeWorld()
    const batch = createEntry(`0x${'1'.repeat(192)}`, { batch: true })
    addPending(ledgerOf(latchkey), batch)
    storeTransactions(ledgerOf(latchkey), place)
    expect(load(storage.values.get(key) ?? '').list()).toEqual([batch])
  })

  test.each([
    ['no JSON', '['],
    ['no list', { hash: '0x1' }],
    ['a number', [1]],
    ['no purpose', [{ hash: '0x1', since: 1 }]],
    ['an unknown purpose', [{ hash: '0x1', since: 1, what: { kind: 'steal' } }]],
    ['a hash of another type', [{ hash: {}, since: 1, what: { kind: 'send' } }]],
    ['a long hash', [{ hash: 'x'.repeat(129), since: 1, what: { kind: 'send' } }]],
    ['a long id of a batch', [{ hash: 'x'.repeat(513), batch: true, since: 1, what: { kind: 'send' } }]],
    ['a batch of another type', [{ hash: 'x'.repeat(129), batch: 'yes', since: 1, what: { kind: 'send' } }]],
    ['a time that is not a number', [{ hash: '0x1', since: '1', what: { kind: 'send' } }]],
    ['a negative nonce', [{ hash: '0x1', since: 1, nonce: -1, what: { kind: 'send' } }]],
    ['a negative expected nonce', [{ hash: '0x1', since: 1, expectedNonce: -1, what: { kind: 'send' } }]],
    ['a block that is not a number', [{ hash: '0x1', since: 1, block: '0x1', what: { kind: 'send' } }]],
    ['an amount that is not a number', [{ hash: '0x1', since: 1, what: { kind: 'send', amount: '1e9' } }]],
    ['a huge symbol', [{ hash: '0x1', since: 1, what: { kind: 'send', symbol: 'x'.repeat(1e6) } }]],
    ['an output of another type', [{ hash: '0x1', since: 1, spends: 7, what: { kind: 'send' } }]],
    ['markup of another type', [{ hash: '0x1', since: 1, what: { kind: 'send', to: ['<b>'] } }]],
  ])('with hostile content are dropped: %s', (_, stored) => {
    expect(load(stored).list()).toEqual([])
  })

  test('never throw and never exceed the bounds, for any content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        for (const each of load(stored).list()) expect(each.hash.length).toBeLessThanOrEqual(storedLimits.batchIdLength)
        expect(() => parseStoredTransaction(stored, place, 1)).not.toThrow()
      }),
    )
  })

  test('are at most ten per account and chain, and fit a cookie', () => {
    const { latchkey, storage } = fakeWorld()
    const long = { kind: 'send', amount: '1'.repeat(100), symbol: 's'.repeat(100), to: 't'.repeat(100) } as const
    for (let count = 0; count < 30; count += 1) {
      addPending(
        ledgerOf(latchkey),
        createEntry(`0x${count}`, { since: count, what: count > 20 ? long : { kind: 'send' } }),
      )
      storeTransactions(ledgerOf(latchkey), place)
      const text = storage.values.get(key) ?? ''
      expect(encodeURIComponent(text).length).toBeLessThanOrEqual(storedLimits.bytes)
      expect(JSON.parse(text).length).toBeLessThanOrEqual(storedLimits.count)
      expect(text).toContain(`"0x${count}"`)
    }
    expect(load(Array.from({ length: 1_000 }, (_, count) => createEntry(`0x${count}`))).list()).toHaveLength(10)
  })

  test('with a time in the future count as sent now', () => {
    const [parsed] = parseStoredTransaction({ hash: '0x1', since: 1e15, what: { kind: 'send' } }, place, 5)
    expect(parsed?.since).toBe(5)
  })
})
