import type { Message } from '../../namespaces/typedDataSummary.ts'
import { ReadableText } from '../components/ReadableText.tsx'

/** Shows a message to sign. */
export function MessageDetails({ message }: { message: Message }) {
  return (
    <>
      <section className="quote" aria-label="Message">
        {message.kind === 'text' ? <ReadableText text={message.text} /> : <code>{message.hex}</code>}
      </section>
      {message.kind === 'bytes' && (
        <p className="caution">These bytes are not readable text. Sign them only if you know their meaning.</p>
      )}
    </>
  )
}
