import type { Clock } from '../../kit/runtime/clock.ts'
import type { Mailbox } from './mailbox.ts'

/**
 * A load balancer sends no traffic to a server that reports a failure, so no later message can show that it has ended. The
 * failure is therefore forgotten after this time.
 */
const forgottenAfterMilliseconds = 15_000

/** A mailbox, and the outcome of its writes. */
export type WatchedMailbox = {
  mailbox: Mailbox
  /** True if the last message could not be stored, within the last 15 seconds. A full disk still serves reads. */
  isFailing(): boolean
}

/** Watches whether messages can be stored. */
export function watchStores(mailbox: Mailbox, clock: Pick<Clock, 'now'>): WatchedMailbox {
  let failedAt: number | undefined
  return {
    mailbox: {
      ...mailbox,
      async store(message) {
        try {
          const result = await mailbox.store(message)
          failedAt = undefined
          return result
        } catch (error) {
          failedAt = clock.now()
          throw error
        }
      },
    },
    isFailing: () => failedAt !== undefined && clock.now() - failedAt < forgottenAfterMilliseconds,
  }
}
