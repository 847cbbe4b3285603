import { expect, test } from 'vitest'
import { loadMessages } from './loadMessages.ts'
import { mergeMessages } from './mergeMessages.ts'
import { select } from './select.ts'

const english = {
  title: 'Send',
  errors: { short: 'Your balance is too low.', failed: 'Could not send.' },
  approve: ({ wallet }: { wallet: string }) => `Approve in ${wallet}`,
}

test('mergeMessages keeps the English text of each missing key', () => {
  const merged = mergeMessages(english, { errors: { short: 'Dein Guthaben reicht nicht.' } })
  expect(merged.errors).toEqual({ short: 'Dein Guthaben reicht nicht.', failed: 'Could not send.' })
  expect([merged.title, merged.approve({ wallet: 'Pocket' })]).toEqual(['Send', 'Approve in Pocket'])
})

test('mergeMessages replaces English functions with translated functions', () => {
  const merged = mergeMessages(english, { approve: ({ wallet }) => `Bestätige in ${wallet}` })
  expect(merged.approve({ wallet: 'Pocket' })).toBe('Bestätige in Pocket')
})

test('mergeMessages ignores undefined values and keys missing from the base', () => {
  const translation = { title: undefined, stale: 'Alt' }
  expect(mergeMessages(english, translation)).toEqual(english)
  expect(mergeMessages(english, undefined)).toBe(english)
})

test('loadMessages merges the translation into English, and returns English without a translation', async () => {
  const chunk = { name: 'send', english, translations: { de: async () => ({ translation: { title: 'Senden' } }) } }
  expect(await loadMessages(chunk, 'de')).toEqual({ ...english, title: 'Senden' })
  expect(await loadMessages(chunk, 'fr')).toBe(english)
})

test.each([
  ['female', 'her wallet'],
  ['unknown', 'their wallet'],
  ['toString', 'their wallet'],
])('select, given %s, returns %s', (value, text) => {
  expect(select(value, { female: 'her wallet', other: 'their wallet' })).toBe(text)
})
