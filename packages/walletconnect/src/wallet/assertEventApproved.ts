import { createErrors, type ChainId, type ErrorMaker } from '@latchkey/protocol'
import { assertChainApproved } from '../session/assertMethodApproved.ts'
import type { Session } from '../session/session.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'event/not-approved': { event: string }
  }
}

const eventError: ErrorMaker<'event/not-approved'> = /* @__PURE__ */ createErrors({
  'event/not-approved': ({ event }) =>
    `The session does not contain the event ${event}. Update the session, or send an event that the app accepts.`,
})

/**
 * Asserts that a session contains an event on a chain.
 *
 * @throws LatchkeyError `network/unsupported`, `event/not-approved`
 */
export function assertEventApproved(session: Pick<Session, 'namespaces'>, event: string, chainId: ChainId): void {
  if (assertChainApproved(session, chainId).events.includes(event)) return
  throw eventError('event/not-approved', { event })
}
