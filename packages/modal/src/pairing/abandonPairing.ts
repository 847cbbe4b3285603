import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'

/**
 * Stops waiting for a phone wallet. The pairing link no longer connects.
 *
 * @example abandonPairing(latchkey)
 */
export function abandonPairing(latchkey: Latchkey): void {
  const { pairing, tasks } = modalOf(latchkey)
  tasks.pairing?.abort()
  tasks.pairing = undefined
  pairing.setState({ status: 'idle' }, true)
}
