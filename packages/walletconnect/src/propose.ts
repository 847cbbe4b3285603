import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, hexToBytes, isHex32, randomBytes } from './bytes.ts'
import type { ExchangeOptions, PeerRequest } from './channel.ts'
import { symmetricKeyOf, topicOf } from './crypto.ts'
import { createKeyPair, type KeyPair } from './curves.ts'
import { walletConnectError } from './errors.ts'
import { isRefusal, messageKinds, peerErrors, type PeerError } from './messages.ts'
import { checkCovered, readSessionNamespaces, type ProposedNamespaces } from './grants.ts'
import { createPairing, formatPairingUri } from './pairing.ts'
import type { Link } from './links.ts'
import type { LiveSessions } from './liveSessions.ts'
import { isRecord } from './parse.ts'
import type { Peer } from './peer.ts'
import type { PendingProposals } from './pending.ts'
import { inBackground, withResolvers } from './promise.ts'
import {
  readExtras,
  readMetadata,
  readScopedProperties,
  type Properties,
  type ScopedProperties,
  type Session,
} from './session.ts'

/** The part of a dapp in which proposals become sessions. */
export type Proposer = Peer & {
  readonly live: LiveSessions
  /** Where settle requests are waited for, by session topic. */
  readonly settlements: Map<string, (request: PeerRequest) => void>
  readonly pending: PendingProposals
}

/** How long a wallet may take from its approval to the settled session, in seconds. */
const settlePatience = 60

/** What a wallet is called before it has told its name. */
const unnamedWallet = 'the wallet'

/** What a proposal asks for. */
export type Proposed = {
  readonly namespaces: ProposedNamespaces
  /** What the wallet is told beside; the keys of the scoped ones are among the namespaces. */
  readonly sessionProperties?: Properties
  readonly scopedProperties?: ScopedProperties
  /** What is asked for besides the session. */
  readonly requests?: object
  /** Looks at a settlement before it counts; what it throws refuses the settlement. */
  accept?(params: PeerRequest['params']): Promise<void>
}

/**
 * Publishes a proposal on a new pairing and waits, as long as the relay keeps it, for what a wallet makes of it: the
 * session that it settled, or `connection/rejected`, `connection/timed-out`, `session/invalid`, `request/failed` (the
 * wallet's code) or `request/expired`.
 *
 * @throws LatchkeyError `relay/unreachable`, `relay/refused` or `request/failed` when it could not be published.
 */
export async function propose(proposer: Proposer, proposed: Proposed): Promise<Link<Session>> {
  const { relay, keyring, clock, pending } = proposer
  const privateKey = randomBytes(32)
  const keys = await createKeyPair(privateKey)
  const pairing = createPairing(clock.now())
  const { topic } = pairing
  keyring.hold(topic, pairing.symmetricKey)
  const offer = offerSession(proposer, topic, keys, proposed, (message, sending) =>
    relay.proposeSession(topic, message, sending),
  )
  const drop = (): void => {
    offer.drop()
    pending.drop(topic)
    relay.unsubscribe(topic)
    keyring.drop(topic)
  }
  try {
    await offer.published
  } catch (error) {
    drop()
    throw error
  }
  // What is asked for besides needs the page that asked.
  if (proposed.requests === undefined) {
    const { symmetricKey } = pairing
    const { namespaces } = proposed
    pending.add({ id: offer.id, topic, symmetricKey, privateKey, namespaces, expiry: offer.expiry })
  }
  return { uri: formatPairingUri(pairing), settled: offer.settled, drop }
}

/** A proposal on a pairing that somebody else looks after. */
export type Offer = Omit<Link<Session>, 'uri'> & {
  readonly id: number
  /** Unix seconds. */
  readonly expiry: number
  readonly published: Promise<void>
}

/** Proposes a session on the topic of a pairing, by a plain publish unless `publish` does it. */
export function offerSession(
  proposer: Proposer,
  topic: string,
  keys: KeyPair,
  proposed: Proposed,
  publish?: ExchangeOptions['publish'],
): Offer {
  const { channel, clock, metadata } = proposer
  // Longer than the link: who scanned in the last moment still has time to approve.
  const expiry = Math.floor(clock.now() / 1000) + messageKinds.wc_sessionPropose.ttl
  const params = {
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey: bytesToHex(keys.publicKey), metadata },
    requiredNamespaces: {},
    optionalNamespaces: proposed.namespaces,
    pairingTopic: topic,
    expiryTimestamp: expiry,
    sessionProperties: proposed.sessionProperties,
    scopedProperties: readScopedProperties(proposed.scopedProperties, proposed.namespaces),
    requests: proposed.requests,
  }
  const exchange = channel.request(topic, 'wc_sessionPropose', params, { publish })
  const over = new AbortController()
  const settled = exchange.answer.then(
    (answer) => settle(proposer, keys, answer, proposed, over.signal),
    (error: unknown) => {
      throw refusalOf(error)
    },
  )
  inBackground(settled)
  return {
    id: exchange.id,
    expiry,
    published: exchange.published,
    settled,
    drop() {
      over.abort()
      exchange.forget()
    },
  }
}

/** Turns a wallet's approval into a session: derives its key, listens on its topic, waits for the settle request. */
export async function settle(
  proposer: Proposer,
  keys: KeyPair,
  answer: unknown,
  { namespaces, accept }: Proposed,
  over: AbortSignal,
): Promise<Session> {
  const { relay, channel, keyring, live } = proposer
  const responder = isRecord(answer) ? answer.responderPublicKey : undefined
  const key = await sharedKey(keys, responder)
  const topic = topicOf(key)
  keyring.hold(topic, key)
  const giveUp = (): void => {
    relay.unsubscribe(topic)
    keyring.drop(topic)
  }
  try {
    const request = await settleRequest(proposer, topic, over)
    let refusal: PeerError = peerErrors.invalidSettle
    try {
      const session = readSettlement(request, responder, namespaces)
      refusal = peerErrors.settlementFailed
      await accept?.(request.params)
      if (over.aborted) throw new LatchkeyError('connection/aborted', {})
      keyring.keep(topic, key)
      live.save(session)
      inBackground(channel.respond(request, true))
      return session
    } catch (error) {
      inBackground(channel.refuse(request, refusal))
      throw error
    }
  } catch (error) {
    giveUp()
    throw error
  }
}

/** The key that two public keys make. @throws LatchkeyError `session/invalid`. */
export async function sharedKey(keys: KeyPair, responder: unknown): Promise<Uint8Array> {
  try {
    if (isHex32(responder)) return symmetricKeyOf(await keys.agree(hexToBytes(responder)))
  } catch {
    // A key of low order: nobody honest has one.
  }
  throw new LatchkeyError('session/invalid', { reason: 'the wallet sent no usable key' })
}

async function settleRequest(proposer: Proposer, topic: string, over: AbortSignal): Promise<PeerRequest> {
  const { relay, settlements, clock } = proposer
  const { promise, resolve, reject } = withResolvers<PeerRequest>()
  const aborted = (): void => reject(new LatchkeyError('connection/aborted', {}))
  settlements.set(topic, resolve)
  over.addEventListener('abort', aborted)
  const cancel = clock.after(settlePatience * 1000, () =>
    reject(walletConnectError('connection/timed-out', { wallet: unnamedWallet, seconds: settlePatience })),
  )
  relay.subscribe(topic).catch(reject)
  try {
    return await promise
  } finally {
    cancel()
    over.removeEventListener('abort', aborted)
    settlements.delete(topic)
  }
}

function readSettlement({ topic, params }: PeerRequest, responder: unknown, asked: ProposedNamespaces): Session {
  const { controller, namespaces, expiry } = params
  if (!isRecord(controller) || controller.publicKey !== responder) {
    throw new LatchkeyError('session/invalid', { reason: 'it was settled by another key than the one that approved' })
  }
  if (typeof expiry !== 'number' || !Number.isSafeInteger(expiry)) {
    throw new LatchkeyError('session/invalid', { reason: 'its expiry is not a time' })
  }
  const granted = readSessionNamespaces(namespaces)
  checkCovered(granted, {})
  return {
    topic,
    peer: readMetadata(controller.metadata),
    namespaces: granted,
    optionalNamespaces: asked,
    ...readExtras(params, granted),
    expiry,
  }
}

/** Tells a refusal by a person from other failures. */
export function refusalOf(error: unknown): unknown {
  if (!isLatchkeyError(error, 'request/failed') || !isRefusal(error.context.code)) return error
  return new LatchkeyError('connection/rejected', { wallet: unnamedWallet }, { cause: error })
}
