import type { Latchkey } from '../latchkey.ts'

/** Gives up waiting for a phone wallet; a link that was shown connects nobody any more. */
export function abandonPairing(latchkey: Latchkey): void {
  latchkey.running.pairing?.abort()
  latchkey.running.pairing = undefined
  latchkey.pairing.setState({ status: 'idle' }, true)
}
