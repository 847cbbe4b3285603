import { isLatchkeyError, LatchkeyError, type Network } from '@latchkey/protocol'
import { proposedNamespaces, type ProposedNamespaces } from './grants.ts'
import { pairingLifetime, pairingMargin } from './pairing.ts'
import { withResolvers } from './promise.ts'
import { propose, type Proposal, type Proposer } from './propose.ts'
import type { Session } from './session.ts'

export type ConnectParts = {
  /** What is asked for, in the words that this package has for it … */
  networks?: readonly Network[]
  /** … or in the app's own, which count instead. */
  namespaces?: ProposedNamespaces
  signal: AbortSignal
  onUri?(uri: string): void
}

/** A shown link is replaced while it can still be used for longer than the margin, in seconds. */
const renewAfter = pairingLifetime - pairingMargin - 5

/** How long a relay is tried before connecting is given up, in seconds. Meanwhile its status tells what is wrong. */
const relayPatience: number = pairingLifetime

/**
 * Shows pairing links until a wallet settles a session through one of them. A link that is about to expire is followed
 * by a new one; both count until they expire.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
 * `relay/refused`, `relay/unreachable` after four minutes without a relay, or `request/failed` with the wallet's code.
 */
export async function connectSession(
  proposer: Proposer,
  { networks = [], signal, onUri, ...asked }: ConnectParts,
): Promise<Session> {
  const { relay, clock } = proposer
  const namespaces = asked.namespaces ?? proposedNamespaces(networks)
  const proposals: Proposal[] = []
  const { promise, resolve, reject } = withResolvers<Session>()
  let isOver = false
  let cancelRenewal = (): void => {}

  async function offer(): Promise<void> {
    await relay.ready(relayPatience)
    if (isOver) return
    const proposal = await propose(proposer, { namespaces })
    if (isOver) return proposal.drop()
    proposals.push(proposal)
    proposal.settled.then(resolve, (error: unknown) => {
      // Its successor is shown already.
      if (isLatchkeyError(error, 'request/expired')) proposal.drop()
      else reject(error)
    })
    cancelRenewal = clock.after(renewAfter * 1000, () => void offer().catch(reject))
    onUri?.(proposal.uri)
  }

  const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  else offer().catch(reject)
  try {
    return await promise
  } finally {
    isOver = true
    cancelRenewal()
    signal.removeEventListener('abort', abort)
    for (const proposal of proposals) proposal.drop()
  }
}
