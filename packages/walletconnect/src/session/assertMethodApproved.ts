import { type ChainId, requestError } from '@latchkey/protocol'
import { walletConnectError } from '../walletConnectError.ts'
import type { Session } from './session.ts'
import { listUsableChains, namespaceOfId, type SessionNamespace } from './sessionNamespaces.ts'

/** EIP-1193: the code of a method that the wallet does not support. */
const unsupportedMethod = 4200

/**
 * Asserts that a wallet approved a method on a chain.
 *
 * @throws LatchkeyError `network/unsupported`, `request/failed` with code 4200
 */
export function assertMethodApproved(session: Pick<Session, 'namespaces'>, method: string, chainId: ChainId): void {
  if (assertChainApproved(session, chainId).methods.includes(method)) return
  const reason = 'the wallet did not approve this method for the session'
  throw requestError('request/failed', { method, code: unsupportedMethod, reason })
}

/** Asserts that a wallet approved a chain. Returns its namespace. @throws LatchkeyError `network/unsupported` */
export function assertChainApproved({ namespaces }: Pick<Session, 'namespaces'>, chainId: ChainId): SessionNamespace {
  const scope = namespaces[namespaceOfId(chainId)]
  if (scope !== undefined && listUsableChains(scope).includes(chainId)) return scope
  throw walletConnectError('network/unsupported', { chainId })
}
