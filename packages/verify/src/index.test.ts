import { expect, test } from 'vitest'
import * as verify from './index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(verify).toSorted()).toMatchInlineSnapshot(`
    [
      "verifySignIn",
    ]
  `)
})
