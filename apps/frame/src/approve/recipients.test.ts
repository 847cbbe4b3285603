import { expect, test } from 'vitest'
import { memoryStore } from '../worker/store.ts'
import { createRecipients } from './recipients.ts'

test('whom something was sent to is known after a reload, each once', async () => {
  const store = memoryStore()
  const recipients = createRecipients(store)
  await Promise.all(['0x1', '0x2', '0x1'].map(recipients.add))
  expect(await createRecipients(store).list()).toEqual(['0x2', '0x1'])
})

test('the latest two hundred are remembered', async () => {
  const recipients = createRecipients(memoryStore())
  for (let index = 0; index <= 200; index += 1) await recipients.add(`0x${index}`)
  const kept = await recipients.list()
  expect(kept).toHaveLength(200)
  expect(kept.at(0)).toBe('0x1')
})

test('what else is stored there counts for nothing', async () => {
  const store = memoryStore()
  await store.write({ recipients: { 0: '0x1' } })
  expect(await createRecipients(store).list()).toEqual([])
})
