import { isChainId, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { isHex32 } from './bytes.ts'
import type { InboxItem } from './inbox.ts'
import { namespaceOf, readProposedNamespaces, type ProposedNamespaces, type SessionNamespaces } from './grants.ts'
import { peerErrors, type PeerError } from './messages.ts'
import { isRecord } from './parse.ts'
import { readMetadata, readProperties, type Metadata, type Session } from './session.ts'

/** What a dapp asks a wallet to grant. */
export type SessionProposal = {
  readonly id: number
  readonly pairingTopic: string
  /** What the dapp says about itself; nobody has checked it. */
  readonly proposer: Metadata
  readonly proposerPublicKey: string
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: { readonly [name: string]: string }
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
  /** Unix seconds. */
  readonly expiry: number
}

/**
 * Reads a proposal.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readProposal({ id, topic, params, expiry }: InboxItem): SessionProposal {
  const { proposer, requiredNamespaces, optionalNamespaces, sessionProperties } = params
  if (!isRecord(proposer) || !isHex32(proposer.publicKey)) {
    throw new LatchkeyError('session/invalid', { reason: 'the app sent no usable key' })
  }
  return {
    id,
    pairingTopic: topic,
    proposer: readMetadata(proposer.metadata),
    proposerPublicKey: proposer.publicKey,
    requiredNamespaces: readProposedNamespaces(requiredNamespaces ?? {}),
    optionalNamespaces: readProposedNamespaces(optionalNamespaces ?? {}),
    sessionProperties: readProperties(sessionProperties),
    expiry,
  }
}

/** Reads a session request, or says why the session does not allow it. */
export function readRequest({ id, topic, params, expiry }: InboxItem, session: Session): WalletRequest | PeerError {
  const { request, chainId } = params
  if (typeof chainId !== 'string' || !isChainId(chainId) || !allowsChain(session.namespaces, chainId)) {
    return peerErrors.unauthorizedChain
  }
  const method = isRecord(request) ? request.method : undefined
  if (!isRecord(request) || typeof method !== 'string') return peerErrors.unauthorizedMethod
  if (session.namespaces[namespaceOf(chainId)]?.methods.includes(method) !== true) return peerErrors.unauthorizedMethod
  return { id, topic, dapp: session.peer, chainId, method, params: request.params, expiry }
}

/** When a request expires, in Unix seconds: what it says itself, or `otherwise`. */
export function expiryOf(params: InboxItem['params'], otherwise: number): number {
  const { request, expiryTimestamp } = params
  const said = isRecord(request) ? request.expiryTimestamp : expiryTimestamp
  return typeof said === 'number' ? said : otherwise
}

function allowsChain(namespaces: SessionNamespaces, chainId: ChainId): boolean {
  return namespaces[namespaceOf(chainId)]?.chains.includes(chainId) === true
}
