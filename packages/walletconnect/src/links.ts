import type { Clock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { pairingLifetime, pairingMargin } from './pairing.ts'
import { withResolvers } from './promise.ts'
import type { Relay } from './relay.ts'

/** A pairing link behind which something waits for a wallet. */
export type Link<outcome> = {
  readonly uri: string
  /** What a wallet made of it; rejects with `request/expired` when none came. */
  readonly settled: Promise<outcome>
  /** Stops listening for it; a session that came of it stays. */
  drop(): void
}

export type LinkParts = {
  readonly signal: AbortSignal
  onUri?(uri: string): void
  /** Told when a person declines in the wallet: a new link follows, and waiting goes on. Without it, that is the end. */
  onRejected?(error: LatchkeyError): void
}

/** A shown link is replaced while it can still be used for longer than the margin, in seconds. */
const renewAfter = pairingLifetime - pairingMargin - 5

/** How long a relay is tried before connecting is given up, in seconds. Meanwhile its status tells what is wrong. */
const relayPatience: number = pairingLifetime

/**
 * Shows pairing links until a wallet answers through one of them. A link that is about to expire is followed by a new
 * one, and both count until they expire; one that was declined is followed by a new one where the caller wants that.
 *
 * @throws LatchkeyError `connection/aborted`, `relay/refused`, `relay/unreachable` after four minutes without a relay,
 * and what `make` or a link rejects with.
 */
export async function showLinks<outcome>(
  { relay, clock }: { relay: Pick<Relay, 'ready'>; clock: Clock },
  { signal, onUri, onRejected }: LinkParts,
  make: () => Promise<Link<outcome>>,
): Promise<outcome> {
  const links: Array<Link<outcome>> = []
  const { promise, resolve, reject } = withResolvers<outcome>()
  let isOver = false
  let cancelRenewal = (): void => {}

  async function offer(): Promise<void> {
    await relay.ready(relayPatience)
    if (isOver) return
    const link = await make()
    if (isOver) return link.drop()
    links.push(link)
    link.settled.then(resolve, (error: unknown) => {
      const isRejected = onRejected !== undefined && isLatchkeyError(error, 'connection/rejected')
      if (!isRejected && !isLatchkeyError(error, 'request/expired')) return reject(error)
      link.drop()
      // Otherwise its successor is shown already.
      if (isRejected && link === links.at(-1)) renew()
      if (isRejected) onRejected(error)
    })
    cancelRenewal = clock.after(renewAfter * 1000, renew)
    onUri?.(link.uri)
  }

  function renew(): void {
    cancelRenewal()
    offer().catch(reject)
  }

  const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  else renew()
  try {
    return await promise
  } finally {
    isOver = true
    cancelRenewal()
    signal.removeEventListener('abort', abort)
    for (const link of links) link.drop()
  }
}
