import { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, isHex32 } from '../bytes.ts'
import { topicOf } from '../crypto.ts'
import { walletConnectError } from '../errors.ts'
import type { SessionNamespaces } from '../grants.ts'
import type { Inbox, InboxItem } from '../inbox.ts'
import type { LiveSessions } from '../liveSessions.ts'
import { authenticateRejectTags, messageKinds, type PeerError } from '../messages.ts'
import { isRecord } from '../parse.ts'
import type { Peer } from '../peer.ts'
import { inBackground } from '../promise.ts'
import { readable } from '../readable.ts'
import { readMetadata, sessionLifetime, type Metadata, type Session } from '../session.ts'
import { readAuthPayload, type AuthPayload } from './authPayload.ts'
import type { Cacao } from './cacao.ts'
import { createFirstAnswer, type FirstAnswer } from './firstAnswer.ts'
import { grantedBy } from './granted.ts'
import { linkOf, readPlain, writePlain } from './linkMode.ts'

/** What a dapp asks a person to sign, and to grant with it. */
export type AuthenticateRequest = {
  readonly id: number
  readonly pairingTopic: string
  /** What the dapp says about itself; nobody has checked it. */
  readonly dapp: Metadata
  readonly dappPublicKey: string
  /** What to sign, once for each of its chains; `restrict` takes out what is not granted. */
  readonly payload: AuthPayload
  /** What the relay says that the dapp's page proves of itself, opaque; empty when it proves nothing. */
  readonly attestation?: string
  /** The universal link of the dapp, when it asked by a link. */
  readonly link?: string
  /** Unix seconds. */
  readonly expiry: number
}

const method = 'wc_sessionAuthenticate'

/**
 * Reads a request to sign in.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readAuthenticate(item: InboxItem): AuthenticateRequest {
  const { id, topic, attestation, link, expiry } = item
  const { requester, authPayload } = item.params
  if (!isRecord(requester) || !isHex32(requester.publicKey)) {
    throw new LatchkeyError('session/invalid', { reason: 'the app sent no usable key' })
  }
  return {
    id,
    pairingTopic: topic,
    dapp: readMetadata(requester.metadata),
    dappPublicKey: requester.publicKey,
    payload: readAuthPayload(authPayload),
    attestation,
    link,
    expiry,
  }
}

/** The requests to sign in that wait in an inbox. */
export function authenticatesIn(inbox: Inbox): readonly AuthenticateRequest[] {
  return inbox.all().flatMap((item) => (item.method === method ? (readable(() => readAuthenticate(item)) ?? []) : []))
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
  peer: Peer & { readonly live: LiveSessions },
  request: AuthenticateRequest,
  cacaos: readonly Cacao[],
): Promise<Session | undefined> {
  const { relay, keyring, live, clock, metadata } = peer
  const now = Math.floor(clock.now() / 1000)
  if (request.expiry <= now) throw walletConnectError('request/expired', { method })
  if (cacaos.length === 0) throw new LatchkeyError('session/invalid', { reason: 'nothing was signed' })
  const answer = await createFirstAnswer(request.dappPublicKey)
  const topic = topicOf(answer.key)
  const session = sessionOf(request, topic, grantedBy(cacaos, request.payload), now)
  if (session !== undefined) {
    // Before the answer: the dapp may ask for something as soon as it has that.
    keyring.keep(topic, answer.key)
    live.save(session)
    inBackground(relay.subscribe(topic))
  }
  const responder = { publicKey: bytesToHex(answer.publicKey), metadata }
  try {
    await send(peer, request, answer, { result: { cacaos, responder } }, messageKinds[method].responseTag)
    return session
  } catch (error) {
    if (session !== undefined) live.drop(topic)
    throw error
  }
}

/** Declines. @throws LatchkeyError `session/invalid`, `relay/…`. */
export async function rejectAuthenticate(peer: Peer, request: AuthenticateRequest, error: PeerError): Promise<void> {
  const { code, message } = error
  const answer = await createFirstAnswer(request.dappPublicKey)
  await send(peer, request, answer, { error: { code, message } }, authenticateRejectTags.visitor)
}

function sessionOf(
  { dapp, link }: AuthenticateRequest,
  topic: string,
  namespaces: SessionNamespaces | undefined,
  now: number,
): Session | undefined {
  if (namespaces === undefined) return undefined
  return { topic, peer: dapp, namespaces, optionalNamespaces: namespaces, link, expiry: now + sessionLifetime }
}

/** Sends an answer the way that the request came. */
async function send(
  { relay, links }: Peer,
  { id, link }: AuthenticateRequest,
  { topic, seal }: FirstAnswer,
  outcome: { result: object } | { error: PeerError },
  tag: number,
): Promise<void> {
  const payload = { id, jsonrpc: '2.0', ...outcome }
  const lift = link === undefined ? undefined : links?.lay(topic, link)
  const message = lift === undefined ? seal(payload) : writePlain(JSON.stringify(payload))
  try {
    await relay.publish(topic, message, { ttl: messageKinds[method].ttl, tag, prompt: false })
  } finally {
    lift?.()
  }
}

/** The universal link of a dapp that asks to sign in by a link, of whom nothing was heard before. */
export function linkOfStranger(message: string): string | undefined {
  const payload = readPlain(message)
  const params = isRecord(payload) && payload.method === method ? payload.params : undefined
  const requester = isRecord(params) ? params.requester : undefined
  return isRecord(requester) ? linkOf(readMetadata(requester.metadata)) : undefined
}
