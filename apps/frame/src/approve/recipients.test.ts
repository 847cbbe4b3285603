import { expect, test } from 'vitest'
import { createMemoryStore } from '../worker/storage/holderStore.ts'
import { createRecipients } from './recipients.ts'

test('recipients survive a reload without duplicates', async () => {
  const store = createMemoryStore()
  const recipients = createRecipients(store)
  await Promise.all(['0x1', '0x2', '0x1'].map(recipients.add))
  expect(await createRecipients(store).list()).toEqual(['0x2', '0x1'])
})

test('the latest two hundred recipients are kept', async () => {
  const recipients = createRecipients(createMemoryStore())
  for (let index = 0; index <= 200; index += 1) await recipients.add(`0x${index}`)
  const kept = await recipients.list()
  expect(kept).toHaveLength(200)
  expect(kept.at(0)).toBe('0x1')
})

test('invalid stored recipients are ignored', async () => {
  const store = createMemoryStore()
  await store.write({ recipients: { 0: '0x1' } })
  expect(await createRecipients(store).list()).toEqual([])
})
