import type { FastifyBaseLogger } from 'fastify'
import type { Hub } from './hub.ts'
import type { Mailbox } from './mailbox.ts'

const lookMilliseconds = 5_000

/**
 * Looks every few seconds for messages that were kept but that nobody acknowledged, and has those who listen to their
 * topics here look into the mailbox. A process that is killed between keeping a message and announcing it, or that is cut
 * off from the others, would otherwise leave it lying until its receiver comes back.
 *
 * @returns what stops it
 */
export function watchForUnheard(mailbox: Mailbox, hub: Hub, log: FastifyBaseLogger): () => void {
  let looked: number | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const { topics, last } = await mailbox.unheard(looked)
      looked = last
      hub.reportMissed(topics)
    } catch {
      log.warn('unheard messages could not be looked for')
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), lookMilliseconds)
  void look()
  return () => clearInterval(timer)
}
