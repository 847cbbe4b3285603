import { expect, test } from 'vitest'
import { loadOnce } from './loadOnce.ts'

test('loadOnce loads once and retries after a failure [I-12]', async () => {
  let tries = 0
  const open = loadOnce(async () => {
    tries += 1
    if (tries === 1) throw new TypeError('Failed to fetch')
    return { tries }
  })
  await expect(open()).rejects.toMatchObject({ code: -32_603, message: expect.stringMatching(/Try again/) })
  expect(await Promise.all([open(), open()])).toEqual([{ tries: 2 }, { tries: 2 }])
})
