import type { Hub } from './hub.ts'
import type { Mailbox, Publication } from './mailbox.ts'
import type { RelayTap } from './tap.ts'

/**
 * Takes in a publication that came by another way than a client's connection: keeps it, then tells the subscribers of
 * its topic.
 *
 * @returns what became of it, once it would survive the loss of the process
 */
export type Intake = (publication: Publication) => Promise<'stored' | 'repeat' | 'full'>

/** Makes the intake of a relay. */
export function createIntake(mailbox: Mailbox, hub: Hub, tap: Required<RelayTap>): Intake {
  return async (publication) => {
    const stored = await mailbox.store(publication)
    if (stored.outcome === 'stored') {
      tap.accepted(stored.message)
      hub.announce(stored.message)
    }
    return stored.outcome
  }
}
