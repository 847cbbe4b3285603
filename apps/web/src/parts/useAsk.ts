import { useState } from 'react'

/** Where a question to the wallet or the chain stands. */
export type Asked<answer> =
  { status: 'idle' } | { status: 'waiting' } | { status: 'done'; answer: answer } | { status: 'failed'; reason: string }

/** Runs one question at a time and tells where it stands. */
export function useAsk<answer>(): [Asked<answer>, (question: () => Promise<answer>) => void] {
  const [asked, setAsked] = useState<Asked<answer>>({ status: 'idle' })
  const ask = (question: () => Promise<answer>): void => {
    setAsked({ status: 'waiting' })
    question().then(
      (answer) => setAsked({ status: 'done', answer }),
      (error: unknown) =>
        setAsked({ status: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
  }
  return [asked, ask]
}
