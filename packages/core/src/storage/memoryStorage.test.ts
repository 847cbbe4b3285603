import { expect, test } from 'vitest'
import { describeStorage } from '../testing/describeStorage.ts'
import { memoryStorage } from './memoryStorage.ts'

describeStorage('memoryStorage', () => ({ storage: memoryStorage() }))

test('memoryStorage shares no data between instances', () => {
  memoryStorage().setItem('key', 'value')
  expect(memoryStorage().getItem('key')).toBeUndefined()
})
