import { connectionError } from '@latchkey/protocol'
import { peerErrors } from '../../channel/peerError.ts'
import { bytesToHex } from '../../crypto/bytes.ts'
import type { KeyPair } from '../../crypto/curves.ts'
import { topicOfKey } from '../../crypto/envelope.ts'
import type { DappClient } from '../../dapp/dappClient.ts'
import { agreeOnSessionKey } from '../../dapp/settleSession.ts'
import { isUnknownRecord } from '../../primitives/unknownRecord.ts'
import { runInBackground } from '../../primitives/withResolvers.ts'
import { parseMetadata } from '../../session/metadata.ts'
import { getNamespaceScope, signInNamespace } from '../../session/namespaceScopes.ts'
import { sessionLifetime, type Session } from '../../session/session.ts'
import type { ProposedNamespaces } from '../../session/sessionNamespaces.ts'
import type { AuthPayload } from '../authPayload.ts'
import { parseCacao, type Cacao } from '../cacao.ts'
import { checkSignIn, type VerifyContract } from '../checkSignIn.ts'
import { namespacesFromCacaos } from '../namespacesFromCacaos.ts'

/** The outcome of a sign-in. */
export type SignedIn = {
  /** The session that was granted with the sign-in, or instead of it. */
  readonly session?: Session
  /** The verified signatures. Empty if the wallet does not support one-click sign-in and settled a session instead. */
  readonly auths: readonly Cacao[]
}

/** A sign-in that is ready to be sent. */
export type PreparedSignIn = {
  readonly payload: AuthPayload
  readonly methods: readonly string[]
  readonly timeoutSeconds: number
  readonly keys: KeyPair
  readonly verifyContract: VerifyContract | undefined
  /** The universal link of the wallet, in link mode. */
  readonly link?: string
}

/** Formats the parameters of `wc_sessionAuthenticate`. */
export function formatAuthenticateParams(
  { clock, metadata }: DappClient,
  { payload: authPayload, timeoutSeconds, keys }: PreparedSignIn,
): object {
  const requester = { publicKey: bytesToHex(keys.publicKey), metadata }
  return { requester, authPayload, expiryTimestamp: Math.floor(clock.now() / 1000) + timeoutSeconds }
}

/** Returns the namespaces of the session that is proposed in addition. They allow a later sign-in by `personal_sign`. */
export function fallbackNamespaces({
  payload: { chains },
  methods,
}: Pick<PreparedSignIn, 'payload' | 'methods'>): ProposedNamespaces {
  const { events } = getNamespaceScope(signInNamespace)
  return { [signInNamespace]: { chains, methods: [...new Set(['personal_sign', ...methods])], events } }
}

/**
 * Verifies a wallet's response and creates the session that it grants. Both sides can derive its key at this point.
 *
 * @throws LatchkeyError `session/invalid`, `connection/aborted`
 */
export async function completeSignIn(
  client: DappClient,
  signIn: PreparedSignIn,
  result: unknown,
  signal: AbortSignal,
): Promise<SignedIn> {
  const { keyring, clock } = client
  const { payload, keys, verifyContract } = signIn
  const { cacaos, responder } = isUnknownRecord(result) ? result : {}
  if (!Array.isArray(cacaos) || !isUnknownRecord(responder)) {
    throw connectionError('session/invalid', { reason: 'its response to the sign-in is malformed' })
  }
  const key = await agreeOnSessionKey(keys, responder.publicKey)
  const topic = topicOfKey(key)
  try {
    const auths = cacaos.map(parseCacao)
    await checkSignIn(auths, payload, clock.now(), verifyContract)
    if (signal.aborted) throw connectionError('connection/aborted', {})
    const namespaces = namespacesFromCacaos(auths, payload)
    if (namespaces === undefined) return { auths }
    keyring.store(topic, key)
    const session = saveSession(client, signIn, { topic, peer: parseMetadata(responder.metadata), namespaces })
    return { session, auths }
  } catch (error) {
    endGrantedSession(client, topic, key, signIn.link)
    throw error
  }
}

function saveSession(
  { relay, activeSessions, clock }: DappClient,
  { payload, methods, link }: PreparedSignIn,
  { topic, peer, namespaces }: Pick<Session, 'topic' | 'peer' | 'namespaces'>,
): Session {
  const session: Session = {
    topic,
    peer,
    namespaces,
    optionalNamespaces: fallbackNamespaces({ payload, methods }),
    link,
    expiry: Math.floor(clock.now() / 1000) + sessionLifetime,
  }
  activeSessions.save(session)
  runInBackground(relay.subscribe(topic))
  return session
}

/** Tells the wallet to delete the session that it may have granted already. */
function endGrantedSession(client: DappClient, topic: string, key: Uint8Array, link?: string): void {
  const { channel, keyring, links } = client
  keyring.holdInMemory(topic, key)
  const removeLink = link === undefined ? undefined : links?.add(topic, link)
  const notified = channel.notify(topic, 'wc_sessionDelete', peerErrors.settlementFailed).finally(() => {
    keyring.remove(topic)
    removeLink?.()
  })
  runInBackground(notified)
}
