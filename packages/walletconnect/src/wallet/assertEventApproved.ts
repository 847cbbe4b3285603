import type { ChainId } from '@latchkey/protocol'
import { assertChainApproved } from '../session/assertMethodApproved.ts'
import type { Session } from '../session/session.ts'
import { walletError } from './walletError.ts'

/**
 * Asserts that a session contains an event on a chain.
 *
 * @throws LatchkeyError `network/unsupported`, `event/not-approved`
 */
export function assertEventApproved(session: Pick<Session, 'namespaces'>, event: string, chainId: ChainId): void {
  if (assertChainApproved(session, chainId).events.includes(event)) return
  throw walletError('event/not-approved', { event })
}
