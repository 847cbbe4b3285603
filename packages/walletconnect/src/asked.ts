import { isChainId, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { isHex32 } from './bytes.ts'
import type { InboxItem } from './inbox.ts'
import { namespaceOf, readProposedNamespaces, type ProposedNamespaces, type SessionNamespaces } from './grants.ts'
import { messageKinds, peerErrors, type PeerError } from './messages.ts'
import type { PeerRequest } from './channel.ts'
import { isRecord } from './parse.ts'
import { readAuthPayloads, type AuthPayload } from './signIn/authPayload.ts'
import {
  readMetadata,
  readProperties,
  readScopedProperties,
  type Metadata,
  type Properties,
  type ScopedProperties,
  type Session,
} from './session.ts'

/** The longest life of a request, and a little for clocks, in seconds. */
const longestExpiry = 604_860

/** What a dapp asks a wallet to grant. */
export type SessionProposal = {
  readonly id: number
  readonly pairingTopic: string
  /** What the dapp says about itself; nobody has checked it. */
  readonly proposer: Metadata
  readonly proposerPublicKey: string
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: ScopedProperties
  /** What the relay says that the dapp's page proves of itself, opaque; empty when it proves nothing. */
  readonly attestation?: string
  /** What the dapp would have signed with the approval, of `createCacao`; nobody has to. */
  readonly authentication: readonly AuthPayload[]
  /** Unix seconds. */
  readonly expiry: number
}

/** What a dapp asks a wallet to do. */
export type WalletRequest = {
  readonly id: number
  readonly topic: string
  /** What the dapp says about itself. */
  readonly dapp: Metadata
  readonly chainId: ChainId
  readonly method: string
  readonly params: unknown
  /** What the relay says that the dapp's page proves of itself, opaque; empty when it proves nothing. */
  readonly attestation?: string
  /** Unix seconds. */
  readonly expiry: number
}

/**
 * Reads a proposal.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readProposal({ id, topic, params, expiry, attestation }: InboxItem): SessionProposal {
  const { proposer, sessionProperties, scopedProperties } = params
  if (!isRecord(proposer) || !isHex32(proposer.publicKey)) {
    throw new LatchkeyError('session/invalid', { reason: 'the app sent no usable key' })
  }
  if (sessionProperties === null || scopedProperties === null) {
    throw new LatchkeyError('session/invalid', { reason: 'its properties are null' })
  }
  const requiredNamespaces = readProposedNamespaces(params.requiredNamespaces ?? {})
  const optionalNamespaces = readProposedNamespaces(params.optionalNamespaces ?? {})
  return {
    id,
    pairingTopic: topic,
    proposer: readMetadata(proposer.metadata),
    proposerPublicKey: proposer.publicKey,
    authentication: readAuthPayloads(params.requests),
    requiredNamespaces,
    optionalNamespaces,
    sessionProperties: readProperties(sessionProperties),
    scopedProperties: readScopedProperties(scopedProperties, { ...requiredNamespaces, ...optionalNamespaces }),
    attestation,
    expiry,
  }
}

/** Reads a session request, or says why the session does not allow it. */
export function readRequest(item: InboxItem, session: Session): WalletRequest | PeerError {
  const { id, topic, params, expiry, attestation } = item
  const { request, chainId } = params
  if (typeof chainId !== 'string' || !isChainId(chainId) || !allowsChain(session.namespaces, chainId)) {
    return peerErrors.unauthorizedChain
  }
  const method = isRecord(request) ? request.method : undefined
  if (!isRecord(request) || typeof method !== 'string') return peerErrors.unauthorizedMethod
  if (session.namespaces[namespaceOf(chainId)]?.methods.includes(method) !== true) return peerErrors.unauthorizedMethod
  return { id, topic, dapp: session.peer, chainId, method, params: request.params, attestation, expiry }
}

/**
 * When a request expires, in Unix seconds by the relay's clock: the life that its sender gave it, counted from when the
 * relay took it. The sender's own clock may be wrong; how long it gave follows from its id, which begins with the time.
 *
 * @param now milliseconds, for relays that do not tell when they took it
 */
export function expiryOf({ id, method, params, publishedAt }: PeerRequest, now: number): number {
  const { request, expiryTimestamp } = params
  const said = isRecord(request) ? request.expiryTimestamp : expiryTimestamp
  const life = typeof said === 'number' ? said - id / 1e6 : 0
  const isPlausible = life > 0 && life <= longestExpiry
  return Math.floor((publishedAt ?? now) / 1000 + (isPlausible ? life : messageKinds[method].ttl))
}

function allowsChain(namespaces: SessionNamespaces, chainId: ChainId): boolean {
  return namespaces[namespaceOf(chainId)]?.chains.includes(chainId) === true
}
