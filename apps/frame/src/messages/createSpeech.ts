import { englishMessages, type Messages } from './loadFrameMessages.ts'

/** The language that the frame speaks. */
export type FrameLanguage = {
  messages(): Messages
  /** Switches to the first of these languages that is available (BCP 47). The last call wins, even if an earlier one finishes later. */
  speak(languages: readonly string[]): Promise<void>
}

/** Begins in English, until another language is there. */
export function createSpeech(
  load: (languages: readonly string[]) => Promise<Messages>,
  root: HTMLElement,
): FrameLanguage {
  let messages: Messages = englishMessages
  let latest = 0
  return {
    messages: () => messages,
    async speak(languages) {
      latest += 1
      const mine = latest
      const loaded = await load(languages)
      if (mine !== latest) return
      messages = loaded
      root.lang = messages.locale
      root.dir = messages.direction
    },
  }
}
