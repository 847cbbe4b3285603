import { expect, test } from 'vitest'
import { parseBlockHead } from './parseBlock.ts'

const hash = `0x${'ab'.repeat(32)}`
const block = { number: '0x5', hash, parentHash: hash, timestamp: '0x6553f100', transactions: [] }

test('a block has the time of its timestamp', () => {
  expect(parseBlockHead(5, block).minedAt).toBe(1_700_000_000_000)
})

test.each(['0x1fffffffffffff', '0x7dba8218001', 'soon', undefined])(
  'a block with the timestamp %s is refused, because no date could be shown',
  (timestamp) => {
    expect(() => parseBlockHead(5, { ...block, timestamp })).toThrow('timestamp')
  },
)
