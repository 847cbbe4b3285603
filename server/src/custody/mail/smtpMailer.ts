import { isIPv4 } from 'node:net'
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
  /** True for mail systems that are reached without a network. They need no TLS. Default: loopback names and addresses. */
  readonly isLocal?: (hostname: string) => boolean
}

const defaultTimeoutMs = 10_000

/**
 * Creates a mailer that sends over SMTP. A mail system in the network must offer TLS with a valid certificate: an attacker
 * on the way could otherwise remove the offer (STARTTLS, RFC 3207 section 6) and read the codes.
 *
 * @example const mailer = createSmtpMailer({ url: 'smtps://…', from: 'Latchkey <login@example.org>' })
 */
export function createSmtpMailer({
  url,
  from,
  timeoutMs = defaultTimeoutMs,
  abortAfter = (milliseconds) => AbortSignal.timeout(milliseconds),
  isLocal,
}: SmtpOptions): Mailer {
  const transport = nodemailer.createTransport({
    ...smtpConnection(new URL(url), isLocal),
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

/** Returns the connection that a URL of a mail system names. */
export function smtpConnection(
  { protocol, hostname, port, username, password }: URL,
  isLocal: (hostname: string) => boolean = isLoopback,
) {
  const secure = protocol === 'smtps:'
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLocal(host),
    auth,
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || (isIPv4(hostname) && hostname.startsWith('127.'))
}
