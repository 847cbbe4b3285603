import { englishWords, type Words } from './loadWords.ts'

/** The language that the frame speaks. */
export type Speech = {
  words(): Words
  /** Speaks the first of these languages that there is (BCP 47). What was asked last counts, whatever arrives when. */
  speak(languages: readonly string[]): Promise<void>
}

/** Begins in English, until another language is there. */
export function createSpeech(load: (languages: readonly string[]) => Promise<Words>, root: HTMLElement): Speech {
  let words: Words = englishWords
  let latest = 0
  return {
    words: () => words,
    async speak(languages) {
      latest += 1
      const mine = latest
      const loaded = await load(languages)
      if (mine !== latest) return
      words = loaded
      root.lang = words.locale
      root.dir = words.direction
    },
  }
}
