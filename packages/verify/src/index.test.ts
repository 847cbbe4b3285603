import { expect, test } from 'vitest'
import * as verify from './index.ts'

test('the entry point exports exactly these names', () => {
  expect(Object.keys(verify).toSorted()).toMatchInlineSnapshot(`
    [
      "isLatchkeyError",
      "verifySignIn",
    ]
  `)
})
