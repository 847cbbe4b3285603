import { expect, test } from 'vitest'
import { withEntropy } from './withEntropy.ts'

test('the entropy is overwritten after the action', async () => {
  const secret = new Uint8Array([1, 2, 3])
  const during = await withEntropy({ entropy: async () => secret }, async (entropy) => [...entropy])
  expect(during).toEqual([1, 2, 3])
  expect([...secret]).toEqual([0, 0, 0])
})

test('the entropy is overwritten after an action that fails', async () => {
  const secret = new Uint8Array([1, 2, 3])
  const fail = async (): Promise<never> => {
    throw new Error('rejected by the share store')
  }
  await expect(withEntropy({ entropy: async () => secret }, fail)).rejects.toThrow('rejected by the share store')
  expect([...secret]).toEqual([0, 0, 0])
})
