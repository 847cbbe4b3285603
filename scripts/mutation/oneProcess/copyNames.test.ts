import { expect, test } from 'vitest'
import { copyNameOf, parseCopyName } from './copyNames.mjs'

test('the name of a copy contains the mutant and leads back to the test file', () => {
  const copy = copyNameOf('/src/a.b.test.ts', '17')
  expect(copy).toMatch(/\.test\.ts$/)
  expect(parseCopyName(copy)).toEqual({ test: '/src/a.b.test.ts', mutant: '17' })
})

test('a test file itself is no copy', () => {
  expect(parseCopyName('/src/a.test.ts')).toBeUndefined()
})
