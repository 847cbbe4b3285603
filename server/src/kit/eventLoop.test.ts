import { expect, test } from 'vitest'
import { createOverloadJudge } from './eventLoop.ts'

test('is overloaded after five late looks in a row, until one that is not late', () => {
  const judge = createOverloadJudge()
  for (const late of [500, 500, 500, 500]) judge.look(late)
  expect(judge.isOverloaded()).toBe(false)
  judge.look(201)
  expect(judge.isOverloaded()).toBe(true)
  judge.look(200)
  expect(judge.isOverloaded()).toBe(false)
  for (const late of [500, 500, 100, 500, 500, 500]) judge.look(late)
  expect(judge.isOverloaded()).toBe(false)
})
