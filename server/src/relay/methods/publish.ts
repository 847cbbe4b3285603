import type { Publication } from '../mailbox.ts'
import type { Session } from '../session.ts'
import type { Method } from './method.ts'
import {
  batchLimits,
  readAttestation,
  readBatch,
  readMessage,
  readRecord,
  readTag,
  readTopic,
  readTtl,
} from './read.ts'

/** What a client says of a message; who it is and where its page comes from are known of its connection. */
type Given = Omit<Publication, 'publisher' | 'origin'>

function readPublication(session: Session, params: Record<string, unknown>): Given {
  const tag = readTag(params['tag'])
  return {
    topic: readTopic(params['topic']),
    message: readMessage(params['message'], tag, session.limits),
    ttl: readTtl(params['ttl']),
    tag,
    attestation: readAttestation(params['attestation']),
  }
}

/** Keeps a message for the subscribers of its topic. */
export const publish: Method = async (session, params) => {
  const stored = await session.publish(readPublication(session, params))
  return { result: true, after: () => session.announce(stored) }
}

/** Keeps several messages; all are kept, or an error is answered and some may be. */
export const batchPublish: Method = async (session, params) => {
  const read = (item: unknown): Given => readPublication(session, readRecord(item))
  const publications = readBatch(params['messages'], read, batchLimits.publications)
  const stored = await Promise.all(publications.map((publication) => session.publish(publication)))
  return { result: true, after: () => stored.forEach((message) => session.announce(message)) }
}
