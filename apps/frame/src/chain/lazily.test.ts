import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('a part is loaded once, and one that could not be loaded is tried again by the next [I-12]', async () => {
  let tries = 0
  const open = lazily(async () => {
    tries += 1
    if (tries === 1) throw new TypeError('Failed to fetch')
    return { tries }
  })
  await expect(open()).rejects.toMatchObject({ code: -32_603, message: expect.stringMatching(/Try again/) })
  expect(await Promise.all([open(), open()])).toEqual([{ tries: 2 }, { tries: 2 }])
})
