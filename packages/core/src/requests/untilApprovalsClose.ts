import { requestError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import type { ActiveConnection } from '../state/connectedWallets.ts'

/**
 * Waits for an approval until the user closes the approval UI. An extension or a phone can't drop its prompt on request, and the
 * user may still approve there, so the outcome is unknown then [R2.2.7]. The embedded wallet rejects its requests itself.
 *
 * @param method for the error
 * @throws LatchkeyError `request/unknown` if the approval UI was closed, and any error of the request
 */
export function untilApprovalsClose<result>(
  latchkey: Pick<Latchkey, 'connectors' | 'internal'>,
  { state }: ActiveConnection,
  method: string,
  request: Promise<result>,
): Promise<result> {
  const { approvals } = latchkey.internal.tasks
  if (isEmbedded(latchkey, state.connectorId)) return request
  return new Promise((resolve, reject) => {
    const close = (): void => reject(requestError('request/unknown', { method }))
    approvals.add(close)
    request.then(resolve, reject).finally(() => approvals.delete(close))
  })
}

function isEmbedded(latchkey: Pick<Latchkey, 'connectors'>, id: string): boolean {
  return latchkey.connectors.getState().some((connector) => connector.id === id && connector.login !== undefined)
}

/** Ends the wait for all approvals, because the user closed the approval UI. */
export function closeApprovals({ internal }: Pick<Latchkey, 'internal'>): void {
  for (const close of internal.tasks.approvals) close()
  internal.tasks.approvals.clear()
}
