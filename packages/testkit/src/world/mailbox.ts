/** A received mail. */
export type TestMail = {
  readonly id: number
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Reads the inbox of a test world. */
export type MailboxReader = {
  /** Returns all mails, newest first. */
  list(): Promise<readonly TestMail[]>
  /**
   * Waits for a mail to an address, and returns the newest one.
   *
   * @param options.matching only mails whose text matches
   * @param options.timeout milliseconds; 30,000 by default
   * @throws Error if none arrives in time
   */
  waitFor(address: string, options?: { matching?: RegExp; timeout?: number }): Promise<TestMail>
}

const pollMilliseconds = 50

/**
 * Reads the inbox of a test world, or of the local world of the repository.
 *
 * @param url the address of the mailbox
 * @example
 * const { text } = await createMailboxReader(world.mailbox).waitFor('ann@example.org', { matching: /\d{6}/ })
 */
export function createMailboxReader(url: string): MailboxReader {
  const list = async (): Promise<readonly TestMail[]> => {
    const response = await fetch(new URL('/mails.json', url))
    // Written by the mailbox of this project.
    return (await response.json()) as readonly TestMail[]
  }
  return {
    list,
    async waitFor(address, { matching = /^/, timeout = 30_000 } = {}) {
      const end = performance.now() + timeout
      while (performance.now() < end) {
        const mail = (await list()).find(({ to, text }) => to.includes(address) && matching.test(text))
        if (mail !== undefined) return mail
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
      }
      throw new Error(`No mail to ${address} arrived within ${timeout} ms.`)
    },
  }
}
