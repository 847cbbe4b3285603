import nodemailer from 'nodemailer'
import { mailHtml } from './mailHtml.ts'
import type { Mailer } from './mailer.ts'

/** The mail system and the sender. */
export type SmtpOptions = {
  /** Like `smtps://user:password@mail.example.org`. */
  readonly url: string
  /** Like `Latchkey <login@example.org>`. */
  readonly from: string
  /** Timeout in milliseconds. A mail that is not accepted by then is not sent. Default: 10 s. */
  readonly timeoutMs?: number
  /** Returns a signal that aborts after some milliseconds. Default: `AbortSignal.timeout`. */
  readonly abortAfter?: (milliseconds: number) => AbortSignal
}

const defaultTimeoutMs = 10_000

/**
 * Creates a mailer that sends over SMTP, with TLS if the server offers it.
 *
 * @example const mailer = createSmtpMailer({ url: 'smtps://…', from: 'Latchkey <login@example.org>' })
 */
export function createSmtpMailer({
  url,
  from,
  timeoutMs = defaultTimeoutMs,
  abortAfter = (milliseconds) => AbortSignal.timeout(milliseconds),
}: SmtpOptions): Mailer {
  const transport = nodemailer.createTransport({
    ...parseSmtpUrl(new URL(url)),
    pool: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The library must not read a file or fetch a page that a mail names.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, language = 'en' }) {
      // After the timeout the mail leaves the queue or its connection is closed, so it cannot arrive after an error.
      const signal = abortAfter(timeoutMs)
      const html = mailHtml(text, language)
      const headers = { 'content-language': language }
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html, headers, signal })
    },
    close: async () => transport.close(),
  }
}

function parseSmtpUrl({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:'
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return { host: hostname, port: port === '' ? (secure ? 465 : 587) : Number(port), secure, auth }
}
