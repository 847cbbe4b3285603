import { expect, test } from 'vitest'
import { isOurs } from './strayErrors.mjs'

test.each([
  ['at connect (node_modules/sign-client-2.21/dist/index.js:1:50)', false],
  ['at open (node_modules/sign-client-2.21/node_modules/@walletconnect/core/dist/index.js:1:50)', false],
  ['at connect (packages/walletconnect/src/connect.ts:12:3)', true],
])('an unhandled error thrown %s fails the run: %s', (stack, expected) => {
  expect(isOurs({ stack })).toBe(expected)
})

test('an error without a stack fails the run', () => {
  expect(isOurs({})).toBe(true)
})
