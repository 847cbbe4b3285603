import { spinner } from '@clack/prompts'

/** Shows the step that is running. */
export type Progress = { step(text: string): void; end(text: string): void }

/** Creates one live line on a terminal, and plain lines elsewhere, such as in CI. */
export function createProgress(write: (line: string) => void, isLive: boolean): Progress {
  if (!isLive) return { step: (text) => write(`${text} …`), end: write }
  const live = spinner()
  let isStarted = false
  return {
    step(text) {
      if (isStarted) live.message(text)
      else live.start(text)
      isStarted = true
    },
    end(text) {
      if (isStarted) live.stop(text)
      else write(text)
    },
  }
}
