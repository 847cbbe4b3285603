import { mergeMessages, type PartialMessages } from './mergeMessages.ts'

/** Texts that are fetched together: English at once, each translation when it is used. */
export type MessageChunk<messages> = {
  readonly name: string
  readonly english: messages
  readonly translations: {
    readonly [locale: string]: (() => Promise<{ translation: PartialMessages<messages> }>) | undefined
  }
}

/**
 * Fetches the texts of a chunk in a language. English takes the place of each missing text.
 *
 * @param locale BCP 47 tag
 * @returns English if there is no translation
 * @example const messages = await loadMessages(frameMessages, 'de')
 */
export async function loadMessages<messages extends object>(
  { english, translations }: MessageChunk<messages>,
  locale: string,
): Promise<messages> {
  const load = translations[locale]
  return load === undefined ? english : mergeMessages(english, (await load()).translation)
}
