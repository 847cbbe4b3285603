import { isChainId, type ChainId } from '@latchkey/protocol'
import { peerErrors, type PeerError } from '../channel/peerError.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import type { Metadata } from '../session/metadata.ts'
import type { Session } from '../session/session.ts'
import { namespaceOfId, type SessionNamespaces } from '../session/sessionNamespaces.ts'
import type { SessionStore } from '../session/sessionStore.ts'
import type { Inbox, InboxItem } from './inbox.ts'

/** A dapp's session request. */
export type WalletRequest = {
  readonly id: number
  readonly topic: string
  /** The dapp's description of itself. */
  readonly dapp: Metadata
  readonly chainId: ChainId
  readonly method: string
  readonly params: unknown
  /** The relay's attestation of the dapp's origin, an opaque token. Empty if there is none. */
  readonly attestation?: string
  /** Unix seconds. */
  readonly expiry: number
}

/** Parses a session request. Returns the error for the dapp if the session does not allow it. */
export function parseWalletRequest(item: InboxItem, session: Session): WalletRequest | PeerError {
  const { id, topic, params, expiry, attestation } = item
  const { request, chainId } = params
  if (typeof chainId !== 'string' || !isChainId(chainId) || !isChainApproved(session.namespaces, chainId)) {
    return peerErrors.unauthorizedChain
  }
  const method = isUnknownRecord(request) ? request.method : undefined
  if (!isUnknownRecord(request) || typeof method !== 'string') return peerErrors.unauthorizedMethod
  const namespace = session.namespaces[namespaceOfId(chainId)]
  if (namespace?.methods.includes(method) !== true) return peerErrors.unauthorizedMethod
  return { id, topic, dapp: session.peer, chainId, method, params: request.params, attestation, expiry }
}

/** Lists the pending requests of an inbox whose sessions still exist. */
export function listWalletRequests(inbox: Inbox, sessions: SessionStore): readonly WalletRequest[] {
  return inbox.list().flatMap((item) => {
    const session = sessions.get(item.topic)
    const request = session === undefined ? undefined : parseWalletRequest(item, session)
    return request === undefined || 'code' in request ? [] : request
  })
}

function isChainApproved(namespaces: SessionNamespaces, chainId: ChainId): boolean {
  return namespaces[namespaceOfId(chainId)]?.chains.includes(chainId) === true
}
