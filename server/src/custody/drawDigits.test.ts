import { expect, test } from 'vitest'
import { drawDigits, maxOpenDigits } from './drawDigits.ts'

const all = Array.from({ length: 90 }, (_, index) => String(10 + index))

test('digits are never those of another open request [A-07]', () => {
  const taken = all.slice(0, maxOpenDigits - 1)
  const drawn = new Set(Array.from({ length: 2_000 }, () => drawDigits(taken)))
  expect([...drawn].toSorted()).toEqual(all.slice(maxOpenDigits - 1))
})

test('digits are refused while half of them are taken [A-07]', () => {
  expect(drawDigits(all.slice(0, maxOpenDigits))).toBeUndefined()
})
