import type { Message } from '../../families/question.ts'
import { ReadableText } from '../parts/ReadableText.tsx'

/** A text to sign, as it is. */
export function MessageQuestion({ message }: { message: Message }) {
  return (
    <>
      <section className="quote" aria-label="Message">
        {message.kind === 'text' ? <ReadableText text={message.text} /> : <code>{message.hex}</code>}
      </section>
      {message.kind === 'bytes' && (
        <p className="caution">These bytes are no readable text. Sign them only if you know what they are.</p>
      )}
    </>
  )
}
