import { connectionError } from '@latchkey/protocol'
import type { PeerRequest } from '../channel/channel.ts'
import { peerErrors, type PeerError } from '../channel/peerError.ts'
import { hexToBytes, isHex32 } from '../crypto/bytes.ts'
import type { KeyPair } from '../crypto/curves.ts'
import { deriveSymmetricKey, topicOfKey } from '../crypto/envelope.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { runInBackground, withResolvers } from '../primitives/withResolvers.ts'
import { parseMetadata } from '../session/metadata.ts'
import type { Session } from '../session/session.ts'
import { assertNamespacesCovered, parseSessionNamespaces } from '../session/sessionNamespaces.ts'
import { parseSessionExtras } from '../session/sessionExtras.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { DappClient } from './dappClient.ts'
import type { SessionProposalOptions } from './sessionProposalOptions.ts'

/** Timeout of the settlement after a wallet's approval, in seconds. */
const settlementTimeout = 60

/** The name of a wallet in errors before its name is known. */
export const unnamedWallet = 'the wallet'

/**
 * Turns a wallet's approval into a session: derives its key, subscribes to its topic, and waits for the settlement.
 *
 * @throws LatchkeyError `session/invalid`, `connection/timed-out`, `connection/aborted`, `relay/…`
 */
export async function settleSession(
  client: DappClient,
  keys: KeyPair,
  response: unknown,
  options: Pick<SessionProposalOptions, 'namespaces' | 'requiredNamespaces' | 'accept'>,
  signal: AbortSignal,
): Promise<Session> {
  const { relay, keyring } = client
  const responder = isUnknownRecord(response) ? response.responderPublicKey : undefined
  const key = await agreeOnSessionKey(keys, responder)
  const topic = topicOfKey(key)
  keyring.holdInMemory(topic, key)
  try {
    const request = await waitForSettlement(client, topic, signal)
    return await acceptSettlement(client, request, { ...options, key, responder, signal })
  } catch (error) {
    relay.unsubscribe(topic)
    keyring.remove(topic)
    throw error
  }
}

type SettlementOptions = Pick<SessionProposalOptions, 'namespaces' | 'requiredNamespaces' | 'accept'> & {
  key: Uint8Array
  responder: unknown
  signal: AbortSignal
}

/** Stores the session of a settlement, or rejects the settlement and throws. */
async function acceptSettlement(
  { channel, keyring, activeSessions }: DappClient,
  request: PeerRequest,
  { key, responder, accept, signal, ...proposed }: SettlementOptions,
): Promise<Session> {
  let peerError: PeerError = peerErrors.invalidSettle
  try {
    const session = parseSettlement(request, responder, proposed)
    peerError = peerErrors.settlementFailed
    await accept?.(request.params)
    if (signal.aborted) throw connectionError('connection/aborted', {})
    keyring.store(session.topic, key)
    activeSessions.save(session)
    runInBackground(channel.respond(request, true))
    return session
  } catch (error) {
    runInBackground(channel.reject(request, peerError))
    throw error
  }
}

/** Derives the key that two public keys share. @throws LatchkeyError `session/invalid` */
export async function agreeOnSessionKey(keys: KeyPair, responder: unknown): Promise<Uint8Array> {
  try {
    if (isHex32(responder)) return deriveSymmetricKey(await keys.deriveSharedSecret(hexToBytes(responder)))
  } catch {
    // A key of low order. No honest wallet has one.
  }
  throw connectionError('session/invalid', { reason: 'the wallet sent no usable key' })
}

async function waitForSettlement(client: DappClient, topic: string, signal: AbortSignal): Promise<PeerRequest> {
  const { relay, settlements, clock } = client
  const { promise, resolve, reject } = withResolvers<PeerRequest>()
  const onAbort = (): void => reject(connectionError('connection/aborted', {}))
  settlements.set(topic, resolve)
  signal.addEventListener('abort', onAbort)
  const cancelTimeout = clock.after(settlementTimeout * 1000, () =>
    reject(walletConnectError('connection/timed-out', { wallet: unnamedWallet, seconds: settlementTimeout })),
  )
  relay.subscribe(topic).catch(reject)
  try {
    return await promise
  } finally {
    cancelTimeout()
    signal.removeEventListener('abort', onAbort)
    settlements.delete(topic)
  }
}

function parseSettlement(
  { topic, params }: PeerRequest,
  responder: unknown,
  {
    namespaces: optionalNamespaces,
    requiredNamespaces,
  }: Pick<SessionProposalOptions, 'namespaces' | 'requiredNamespaces'>,
): Session {
  const { controller, namespaces: value, expiry } = params
  if (!isUnknownRecord(controller) || controller.publicKey !== responder) {
    throw connectionError('session/invalid', { reason: 'a different key settled it than the one that approved it' })
  }
  if (typeof expiry !== 'number' || !Number.isSafeInteger(expiry)) {
    throw connectionError('session/invalid', { reason: 'its expiry is not a time' })
  }
  const namespaces = parseSessionNamespaces(value)
  assertNamespacesCovered(namespaces, requiredNamespaces ?? {})
  return {
    topic,
    peer: parseMetadata(controller.metadata),
    namespaces,
    requiredNamespaces,
    optionalNamespaces,
    ...parseSessionExtras(params, namespaces),
    expiry,
  }
}
