import { expect, test } from 'vitest'
import * as api from './index.ts'

test('gives away what it should, and nothing else', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'signAllTransactions',
    'signAndSendTransaction',
    'signTransaction',
    'solana',
    'solanaDevnet',
    'solanaMainnet',
    'solanaTestnet',
  ])
})
