import { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, isHex32 } from '../bytes.ts'
import type { Inbox, InboxItem } from '../inbox.ts'
import type { LiveSessions } from '../liveSessions.ts'
import { authenticateRejectTags, messageKinds, type PeerError } from '../messages.ts'
import { isRecord } from '../parse.ts'
import type { Peer } from '../peer.ts'
import { inBackground } from '../promise.ts'
import { topicOf } from '../crypto.ts'
import { readMetadata, sessionLifetime, type Metadata, type Session } from '../session.ts'
import { readAuthPayload, type AuthPayload } from './authPayload.ts'
import type { Cacao } from './cacao.ts'
import { createFirstAnswer } from './firstAnswer.ts'
import { grantedBy } from './granted.ts'

/** What a dapp asks a person to sign, and to grant with it. */
export type AuthenticateRequest = {
  readonly id: number
  readonly pairingTopic: string
  /** What the dapp says about itself; nobody has checked it. */
  readonly dapp: Metadata
  readonly dappPublicKey: string
  /** What to sign, once for each of its chains; `restrict` takes out what is not granted. */
  readonly payload: AuthPayload
  /** Unix seconds. */
  readonly expiry: number
}

const method = 'wc_sessionAuthenticate'

/**
 * Reads a request to sign in.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readAuthenticate({ id, topic, params, expiry }: InboxItem): AuthenticateRequest {
  const { requester, authPayload } = params
  if (!isRecord(requester) || !isHex32(requester.publicKey)) {
    throw new LatchkeyError('session/invalid', { reason: 'the app sent no usable key' })
  }
  const { publicKey: dappPublicKey, metadata } = requester
  const payload = readAuthPayload(authPayload)
  return { id, pairingTopic: topic, dapp: readMetadata(metadata), dappPublicKey, payload, expiry }
}

/** The requests to sign in that wait in an inbox. */
export function authenticatesIn(inbox: Inbox): readonly AuthenticateRequest[] {
  return inbox.all().flatMap((item) => (item.method === method ? readAuthenticate(item) : []))
}

/** Whether a proposal only stands in for a request to sign in that waits already: it has the same key. */
export function isFallback(inbox: Inbox, { proposer }: InboxItem['params']): boolean {
  const key = isRecord(proposer) ? proposer.publicKey : undefined
  return authenticatesIn(inbox).some(({ dappPublicKey }) => dappPublicKey === key)
}

/**
 * Answers with signatures, and makes the session that they grant, if they do.
 *
 * @throws LatchkeyError `request/expired`, `session/invalid`, or `relay/…` when it could not be published; nothing is left
 * then.
 */
export async function approveAuthenticate(
  { relay, keyring, live, clock, metadata }: Peer & { readonly live: LiveSessions },
  { id, dapp, dappPublicKey, payload, expiry }: AuthenticateRequest,
  cacaos: readonly Cacao[],
): Promise<Session | undefined> {
  const now = Math.floor(clock.now() / 1000)
  if (expiry <= now) throw new LatchkeyError('request/expired', { method })
  if (cacaos.length === 0) throw new LatchkeyError('session/invalid', { reason: 'nothing was signed' })
  const answer = await createFirstAnswer(dappPublicKey)
  const topic = topicOf(answer.key)
  const namespaces = grantedBy(cacaos, payload)
  const session =
    namespaces === undefined
      ? undefined
      : { topic, peer: dapp, namespaces, optionalNamespaces: namespaces, expiry: now + sessionLifetime }
  if (session !== undefined) {
    // Before the answer: the dapp may ask for something as soon as it has that.
    keyring.keep(topic, answer.key)
    live.save(session)
    inBackground(relay.subscribe(topic))
  }
  const result = { cacaos, responder: { publicKey: bytesToHex(answer.publicKey), metadata } }
  const { ttl, responseTag: tag } = messageKinds[method]
  try {
    await relay.publish(answer.topic, answer.seal({ id, jsonrpc: '2.0', result }), { ttl, tag, prompt: false })
    return session
  } catch (error) {
    if (session !== undefined) live.drop(topic)
    throw error
  }
}

/** Declines. @throws LatchkeyError `session/invalid`, `relay/…`. */
export async function rejectAuthenticate(
  { relay }: Pick<Peer, 'relay'>,
  { id, dappPublicKey }: Pick<AuthenticateRequest, 'id' | 'dappPublicKey'>,
  { code, message }: PeerError,
): Promise<void> {
  const answer = await createFirstAnswer(dappPublicKey)
  const { ttl } = messageKinds[method]
  const sealed = answer.seal({ id, jsonrpc: '2.0', error: { code, message } })
  await relay.publish(answer.topic, sealed, { ttl, tag: authenticateRejectTags.visitor, prompt: false })
}
