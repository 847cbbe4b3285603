import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { pairingLifetime, pairingMargin } from './pairing.ts'
import type { Peer } from './peer.ts'
import { withResolvers } from './promise.ts'

/** A pairing link behind which something waits for a wallet. */
export type Link<outcome> = {
  readonly uri: string
  /** What a wallet made of it; rejects with `request/expired` when none came. */
  readonly settled: Promise<outcome>
  /** Stops listening for it; a session that came of it stays. */
  drop(): void
}

export type LinkParts = { readonly signal: AbortSignal; onUri?(uri: string): void }

/** A shown link is replaced while it can still be used for longer than the margin, in seconds. */
const renewAfter = pairingLifetime - pairingMargin - 5

/** How long a relay is tried before connecting is given up, in seconds. Meanwhile its status tells what is wrong. */
const relayPatience: number = pairingLifetime

/**
 * Shows pairing links until a wallet answers through one of them. A link that is about to expire is followed by a new
 * one; both count until they expire.
 *
 * @throws LatchkeyError `connection/aborted`, `relay/refused`, `relay/unreachable` after four minutes without a relay,
 * and what `make` or a link rejects with.
 */
export async function showLinks<outcome>(
  { relay, clock }: Pick<Peer, 'relay' | 'clock'>,
  { signal, onUri }: LinkParts,
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
      // Its successor is shown already.
      if (isLatchkeyError(error, 'request/expired')) link.drop()
      else reject(error)
    })
    cancelRenewal = clock.after(renewAfter * 1000, () => void offer().catch(reject))
    onUri?.(link.uri)
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
    for (const link of links) link.drop()
  }
}
