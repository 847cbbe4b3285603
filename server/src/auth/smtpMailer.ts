import nodemailer from 'nodemailer'
import type { Mailer } from './mailer.ts'

/** Where mail is handed over, and whom it is from. */
export type SmtpPlace = {
  /** Like `smtps://user:password@mail.example.org`. */
  readonly url: string
  /** Like `Latchkey <login@example.org>`. */
  readonly from: string
  /** How long somebody waits for the mail, in milliseconds: what is not taken by then is not sent. */
  readonly patience?: number
}

const atMost = 10_000

/**
 * Sends mail over SMTP, with TLS wherever the other side has it.
 *
 * @example const mailer = createSmtpMailer({ url: 'smtps://…', from: 'Latchkey <login@example.org>' })
 */
export function createSmtpMailer({ url, from, patience = atMost }: SmtpPlace): Mailer {
  const transport = nodemailer.createTransport({
    ...optionsOf(new URL(url)),
    pool: true,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // A mail names no file and no page that is to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      // Whoever was told that nothing was sent gets nothing later: it leaves the queue, or its connection is closed.
      const signal = AbortSignal.timeout(patience)
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, signal })
    },
    close: async () => transport.close(),
  }
}

function optionsOf({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:'
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return { host: hostname, port: port === '' ? (secure ? 465 : 587) : Number(port), secure, auth }
}
