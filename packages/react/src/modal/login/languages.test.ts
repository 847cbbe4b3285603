import { describe, expect, test } from 'vitest'
import { loginPart } from '../../strings/login/texts.ts'
import { gapsOf } from '../../testing/gapsOf.ts'

describe.each(Object.entries(loginPart.locales))('%s', (_, load) => {
  test('says of logins everything that English says, and names what it is told', async () => {
    const language = await load?.()
    expect(gapsOf(loginPart.en, language?.strings)).toEqual([])
    // A language that was forgotten would speak English.
    expect(language?.strings.confirm).not.toBe(loginPart.en.confirm)
  })
})
