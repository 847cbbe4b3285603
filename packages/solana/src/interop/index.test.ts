import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the entry point exports exactly these names', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'createSolanaSigner',
    'createStandardWallet',
    'isLatchkeyError',
    'registerStandardWallet',
  ])
})
