import { Problem } from '../../kit/http/problem.ts'
import type { Locale } from '../../messages/generated/index.ts'

/** A mail in plain text, and its language. */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Default: English. */
  readonly language?: Locale
}

/** Sends mail. */
export type Mailer = {
  /**
   * Resolves once the mail system has accepted the mail.
   *
   * @throws Error after ten seconds. The mail is then never sent.
   */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/**
 * Sends a mail that the request depends on.
 *
 * @throws Problem 503 `mail` if it could not be sent
 */
export async function sendRequiredMail(mailer: Mailer, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail)
  } catch (cause) {
    throw new Problem(503, 'mail', 'The mail could not be sent. Try again in a moment.', { cause })
  }
}
