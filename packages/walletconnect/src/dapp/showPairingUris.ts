import type { Clock } from '@latchkey/core'
import { isLatchkeyError, type LatchkeyError, connectionError } from '@latchkey/protocol'
import { pairingLifetime, pairingMargin } from '../session/pairing.ts'
import { withResolvers } from '../primitives/withResolvers.ts'
import type { Relay } from '../relay/relay.ts'

/** A pairing URI with a pending request for a wallet. */
export type PairingOffer<outcome> = {
  readonly uri: string
  /** The outcome of the request. Rejects with `request/expired` if no wallet responds. */
  readonly settled: Promise<outcome>
  /** Stops waiting. A settled session stays valid. */
  cancel(): void
}

export type PairingUriOptions = {
  readonly signal: AbortSignal
  onUri?(uri: string): void
  /** Called when the user declines in the wallet. A new URI follows. Without this callback, declining ends the attempt. */
  onRejected?(error: LatchkeyError): void
}

/** A URI is replaced before it expires, in seconds. */
const renewAfter = pairingLifetime - pairingMargin - 5

/** Timeout of the relay before the attempt fails, in seconds. Its status reports the problem in the meantime. */
const relayTimeout: number = pairingLifetime

/**
 * Shows pairing URIs until a wallet responds through one of them. A new URI replaces one that is about to expire, and both
 * stay valid until they expire. With `onRejected`, a new URI also replaces a declined one.
 *
 * @param createOffer creates a pairing with a request
 * @throws LatchkeyError `connection/aborted`, `relay/refused`, `relay/unreachable` after four minutes without a relay,
 * and the errors of `createOffer` and of the offers
 */
export async function showPairingUris<outcome>(
  { relay, clock }: { relay: Pick<Relay, 'ready'>; clock: Clock },
  { signal, onUri, onRejected }: PairingUriOptions,
  createOffer: () => Promise<PairingOffer<outcome>>,
): Promise<outcome> {
  const offers: Array<PairingOffer<outcome>> = []
  const { promise, resolve, reject } = withResolvers<outcome>()
  let isOver = false
  let cancelRenewal = (): void => {}

  async function showOffer(): Promise<void> {
    await relay.ready(relayTimeout)
    if (isOver) return
    const offer = await createOffer()
    if (isOver) return offer.cancel()
    offers.push(offer)
    offer.settled.then(resolve, (error: unknown) => {
      const isRejected = onRejected !== undefined && isLatchkeyError(error, 'connection/rejected')
      if (!isRejected && !isLatchkeyError(error, 'request/expired')) return reject(error)
      offer.cancel()
      // A newer URI is already on display otherwise.
      if (isRejected && offer === offers.at(-1)) renew()
      if (isRejected) onRejected(error)
    })
    cancelRenewal = clock.after(renewAfter * 1000, renew)
    onUri?.(offer.uri)
  }

  function renew(): void {
    cancelRenewal()
    showOffer().catch(reject)
  }

  const abort = (): void => reject(connectionError('connection/aborted', {}))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  else renew()
  try {
    return await promise
  } finally {
    isOver = true
    cancelRenewal()
    signal.removeEventListener('abort', abort)
    for (const offer of offers) offer.cancel()
  }
}
