import type { FastifyBaseLogger } from 'fastify'
import type { Mailbox, StoredMessage } from '../mailbox.ts'
import type { Outcome } from './forward.ts'
import { createLanes } from './lanes.ts'

/** What is kept here and has not gone up. */
export type Outbox = {
  /** Sends a message that was just kept. */
  add(message: StoredMessage): void
  /** There is a connection again. */
  resume(): void
  /** Looks in the mailbox for what nobody sent: what waited when we started, or was left by a process that ended. */
  check(): void
  close(): Promise<void>
}

export type OutboxParts = {
  clientId: string
  mailbox: Pick<Mailbox, 'unread' | 'acknowledge'>
  forward(message: StoredMessage): Promise<Outcome>
  log: FastifyBaseLogger
}

/**
 * Sends up what clients of this relay publish. The bridge is one of the mailbox's clients: what it has not acknowledged
 * there was not taken by the other relay, whatever becomes of this process. So nothing has to be kept here, and what does
 * not fit is read again.
 */
export function createOutbox({ clientId, mailbox, forward, log }: OutboxParts): Outbox {
  const lanes = createLanes(async (message) => {
    const outcome = await forward(message)
    // Nobody waits for it: should it be lost, the message goes up once more and is known there.
    if (outcome === 'done') mailbox.acknowledge(message.sequence, clientId).catch(onFault)
    return outcome
  })
  let isClosing = false
  /** Only when level is what comes sent at once; else it is found in the mailbox, in its order. */
  let state: 'behind' | 'reading' | 'level' = 'behind'
  let reading = Promise.resolve()
  /** Messages came while the mailbox was read. */
  let again = false
  /** Up to here everything was read, and the last sequence that was known at this check and at the one before. */
  let settled = 0
  let known = { before: 0, now: 0 }
  let last = 0

  async function read(): Promise<void> {
    state = 'reading'
    // Processes commit in an order of their own: only what was known one check ago is all there by now.
    const complete = known.before
    try {
      await readFrom(settled)
      settled = complete
      state = 'level'
    } catch (error) {
      state = 'behind'
      onFault(error)
    }
  }

  async function readFrom(start: number): Promise<void> {
    let after = start
    do {
      again = false
      await lanes.room()
      if (isClosing) return
      const { messages, hasMore } = await mailbox.unread(clientId, after)
      for (const message of messages) lanes.add(message)
      after = messages.at(-1)?.sequence ?? after
      again ||= hasMore
    } while (again)
    last = Math.max(last, after)
  }

  function startReading(): void {
    again = true
    if (state !== 'reading') reading = read()
  }

  function onFault(error: unknown): void {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'bridge fault')
  }

  return {
    add(message) {
      last = Math.max(last, message.sequence)
      if (state === 'level' && lanes.hasRoom()) lanes.add(message)
      else startReading()
    },
    resume: () => lanes.resume(),
    check() {
      known = { before: known.now, now: last }
      startReading()
    },
    async close() {
      isClosing = true
      await lanes.close()
      await reading
    },
  }
}
