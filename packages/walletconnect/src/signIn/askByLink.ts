import { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, randomBytes } from '../bytes.ts'
import { topicOf } from '../crypto.ts'
import { readPayload } from '../payloads.ts'
import { withResolvers } from '../promise.ts'
import { refusalOf, type Proposer } from '../propose.ts'
import { readPlain, type Links } from './linkMode.ts'
import { paramsOf, signedIn, type Question, type SignedIn } from './signedIn.ts'

const method = 'wc_sessionAuthenticate'

/**
 * Opens a wallet with a question, and waits for the link with which it answers.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `session/invalid`, `request/expired` or
 * `request/failed` with the wallet's code.
 */
export async function askByLink(
  proposer: Proposer,
  links: Links,
  question: Question & { link: string },
  signal: AbortSignal,
): Promise<SignedIn> {
  const { channel } = proposer
  const topic = bytesToHex(randomBytes(32))
  const responseTopic = topicOf(question.keys.publicKey)
  const { promise, resolve, reject } = withResolvers<SignedIn>()
  const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
  signal.addEventListener('abort', abort)
  const lifts = [topic, responseTopic].map((each) => links.lay(each, question.link))
  const release = channel.intercept(responseTopic, (message) => void take(message).catch(reject))
  if (signal.aborted) abort()
  const { id, answer, forget } = channel.request(topic, method, paramsOf(proposer, question), question)
  answer.catch((error: unknown) => reject(refusalOf(error)))
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', abort)
    forget()
    release()
    for (const lift of lifts) lift()
  }

  async function take(message: string): Promise<void> {
    const payload = readPayload(readPlain(message))
    if (payload?.id !== id || payload.kind === 'request') return
    release()
    if (payload.kind === 'result') return resolve(await signedIn(proposer, question, payload.result, signal))
    const { code, reason } = payload
    reject(refusalOf(new LatchkeyError('request/failed', { method, code, reason })))
  }
}
