import { connectionError } from '@latchkey/protocol'
import { bytesToHex, isHex32 } from '../../crypto/bytes.ts'
import { topicOfKey } from '../../crypto/envelope.ts'
import { walletConnectError } from '../../walletConnectError.ts'
import type { SessionNamespaces } from '../../session/sessionNamespaces.ts'
import type { Inbox, InboxItem } from '../../wallet/inbox.ts'
import type { ActiveSessions } from '../../session/activeSessions.ts'
import { authenticateRejections, signMethods, type ResponseSettings } from '../../channel/signMethod.ts'
import type { PeerError } from '../../channel/peerError.ts'
import { isUnknownRecord } from '../../primitives/unknownRecord.ts'
import type { SignClient } from '../../channel/signClient.ts'
import { runInBackground } from '../../primitives/withResolvers.ts'
import { tryParse } from '../../session/tryParse.ts'
import { parseMetadata, type Metadata } from '../../session/metadata.ts'
import { sessionLifetime, type Session } from '../../session/session.ts'
import { parseAuthPayload, type AuthPayload } from '../authPayload.ts'
import type { Cacao } from '../cacao.ts'
import { createFirstResponse, type FirstResponse } from '../firstResponse.ts'
import { namespacesFromCacaos } from '../namespacesFromCacaos.ts'
import { linkModeUrl } from '../../channel/linkMode/linkModeUrl.ts'
import { parsePlainEnvelope, formatPlainEnvelope } from '../../crypto/plainEnvelope.ts'

/** A dapp's request to sign in, and for the session that the sign-in grants. */
export type AuthenticateRequest = {
  readonly id: number
  readonly pairingTopic: string
  /** The dapp's description of itself. Not verified. */
  readonly dapp: Metadata
  readonly dappPublicKey: string
  /** The sign-in, to be signed once per chain. `restrictAuthPayload` removes what the user does not approve. */
  readonly payload: AuthPayload
  /** The relay's attestation of the dapp's origin, an opaque token. Empty if there is none. */
  readonly attestation?: string
  /** The universal link of the dapp, in link mode. */
  readonly link?: string
  /** Unix seconds. */
  readonly expiry: number
}

const method = 'wc_sessionAuthenticate'

/**
 * Parses a request to sign in.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function parseAuthenticateRequest(item: InboxItem): AuthenticateRequest {
  const { id, topic, attestation, link, expiry } = item
  const { requester, authPayload } = item.params
  if (!isUnknownRecord(requester) || !isHex32(requester.publicKey)) {
    throw connectionError('session/invalid', { reason: 'the app sent no usable key' })
  }
  return {
    id,
    pairingTopic: topic,
    dapp: parseMetadata(requester.metadata),
    dappPublicKey: requester.publicKey,
    payload: parseAuthPayload(authPayload),
    attestation,
    link,
    expiry,
  }
}

/** Lists the pending sign-ins of an inbox. */
export function listAuthenticateRequests(inbox: Inbox): readonly AuthenticateRequest[] {
  return inbox
    .list()
    .flatMap((item) => (item.method === method ? (tryParse(() => parseAuthenticateRequest(item)) ?? []) : []))
}

/** True if a proposal is the fallback of a pending sign-in: it has the same key. */
export function isFallbackProposal(inbox: Inbox, { proposer }: InboxItem['params']): boolean {
  const key = isUnknownRecord(proposer) ? proposer.publicKey : undefined
  return listAuthenticateRequests(inbox).some(({ dappPublicKey }) => dappPublicKey === key)
}

/**
 * Responds with signatures, and creates the session that they grant.
 *
 * @returns `undefined` if they grant no session
 * @throws LatchkeyError `request/expired`, `session/invalid`, or `relay/…` if the response cannot be published. The session
 * is removed then.
 */
export async function approveAuthenticate(
  client: SignClient & { readonly activeSessions: ActiveSessions },
  request: AuthenticateRequest,
  cacaos: readonly Cacao[],
): Promise<Session | undefined> {
  const { relay, keyring, activeSessions, clock, metadata } = client
  const now = Math.floor(clock.now() / 1000)
  if (request.expiry <= now) throw walletConnectError('request/expired', { method })
  if (cacaos.length === 0) throw connectionError('session/invalid', { reason: 'it has no signature' })
  const response = await createFirstResponse(request.dappPublicKey)
  const topic = topicOfKey(response.key)
  const session = createSignInSession(request, topic, namespacesFromCacaos(cacaos, request.payload), now)
  if (session !== undefined) {
    // Before the response: the dapp may send a request as soon as it has the response.
    keyring.store(topic, response.key)
    activeSessions.save(session)
    runInBackground(relay.subscribe(topic))
  }
  const responder = { publicKey: bytesToHex(response.publicKey), metadata }
  try {
    await publishFirstResponse(client, request, response, { result: { cacaos, responder } }, signMethods[method])
    return session
  } catch (error) {
    if (session !== undefined) activeSessions.remove(topic)
    throw error
  }
}

/** Rejects a sign-in. @throws LatchkeyError `session/invalid`, `relay/…` */
export async function rejectAuthenticate(
  client: SignClient,
  request: AuthenticateRequest,
  error: PeerError,
): Promise<void> {
  const { code, message } = error
  const response = await createFirstResponse(request.dappPublicKey)
  await publishFirstResponse(client, request, response, { error: { code, message } }, authenticateRejections.user)
}

function createSignInSession(
  { dapp, link }: AuthenticateRequest,
  topic: string,
  namespaces: SessionNamespaces | undefined,
  now: number,
): Session | undefined {
  if (namespaces === undefined) return undefined
  return { topic, peer: dapp, namespaces, optionalNamespaces: namespaces, link, expiry: now + sessionLifetime }
}

/** Sends a response by the relay or by a link, as the request came. */
async function publishFirstResponse(
  { relay, links }: SignClient,
  { id, link }: AuthenticateRequest,
  { topic, seal }: FirstResponse,
  outcome: { result: object } | { error: PeerError },
  { responseTag: tag, ttl }: ResponseSettings,
): Promise<void> {
  const payload = { id, jsonrpc: '2.0', ...outcome }
  const removeLink = link === undefined ? undefined : links?.add(topic, link)
  const message = removeLink === undefined ? seal(payload) : formatPlainEnvelope(JSON.stringify(payload))
  try {
    await relay.publish(topic, message, { ttl, tag, prompt: false })
  } finally {
    removeLink?.()
  }
}

/** Returns the universal link of an unknown dapp that requests a sign-in by a link. */
export function linkModeUrlOfRequester(message: string): string | undefined {
  const payload = parsePlainEnvelope(message)
  const params = isUnknownRecord(payload) && payload.method === method ? payload.params : undefined
  const requester = isUnknownRecord(params) ? params.requester : undefined
  return isUnknownRecord(requester) ? linkModeUrl(parseMetadata(requester.metadata)) : undefined
}
