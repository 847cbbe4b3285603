import { openSite } from '../sites/sites.ts'
import { inboxPage } from './inboxPage.ts'
import { startMail } from './startMail.ts'

/** A mail server with an inbox page. */
export type LocalMailbox = {
  /** The inbox page; `/mails.json` returns the mails as JSON, newest first, and `/health` responds to any page. */
  url: string
  /** The SMTP URL. */
  smtpUrl: string
  close(): Promise<void>
}

/**
 * Starts the mail server of the local world and its inbox page.
 *
 * @throws Error if the port is in use
 * @example const { url, smtpUrl } = await startMailbox({ port: 4606 })
 */
export async function startMailbox({ port = 0 }: { port?: number } = {}): Promise<LocalMailbox> {
  const mail = await startMail()
  const site = await openSite(port).catch(async (error: unknown) => {
    await mail.close()
    throw error
  })
  site.respond((request, response) => {
    if (request.url === '/health') {
      // Any page may learn that the inbox runs, and none its mails.
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' })
      return void response.end('OK')
    }
    const isForPrograms = request.url === '/mails.json'
    response.writeHead(200, {
      'content-type': isForPrograms ? 'application/json' : 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    response.end(isForPrograms ? JSON.stringify(mail.received()) : inboxPage(mail.received()))
  })
  return {
    url: site.url,
    smtpUrl: mail.url,
    async close() {
      await site.close()
      await mail.close()
    },
  }
}
