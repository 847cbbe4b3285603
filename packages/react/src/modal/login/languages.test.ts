import { describe, expect, test } from 'vitest'
import { loginMessages } from '@latchkey/modal/messages'
import { gapsOf } from '../../testing/gapsOf.ts'

describe.each(Object.entries(loginMessages.translations))('%s', (_, load) => {
  test('has every text of the logins, with the same arguments', async () => {
    const language = await load?.()
    expect(gapsOf(loginMessages.english, language?.translation)).toEqual([])
    // A language that was forgotten would speak English.
    expect(language?.translation.confirm).not.toBe(loginMessages.english.confirm)
  })
})
