import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A received mail. */
export type ReceivedMail = {
  readonly id: number
  /** The envelope recipients. */
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The mail server of the local world: it accepts every mail into one inbox. */
export type LocalMail = {
  /** The URL for a server: `smtp://127.0.0.1:…`. */
  readonly url: string
  /** Newest first. */
  received(): readonly ReceivedMail[]
  /** Resolves with the newest mail to an address, as soon as there is one. */
  waitFor(to: string, after?: number): Promise<ReceivedMail>
  /** Accepts mail, or refuses it with a reason, like a full or greylisting server. */
  refuse(reason: string | undefined): void
  close(): Promise<void>
}

const maxMails = 100

type StartMailOptions = { port?: number; hasTls?: boolean }

/**
 * Starts an SMTP server on loopback.
 *
 * @param hasTls offers TLS with a certificate that no authority signed
 *
 * @example
 * const mail = await startMail()
 * const { text } = await mail.waitFor('ann@example.org')
 */
export async function startMail({ port = 0, hasTls = false }: StartMailOptions = {}): Promise<LocalMail> {
  let mails: readonly ReceivedMail[] = []
  let count = 0
  let reason: string | undefined
  const waiting = new Set<() => void>()

  async function take(raw: Buffer, to: readonly string[]): Promise<void> {
    const { from, subject = '', text = '' } = await PostalMime.parse(raw)
    count += 1
    mails = [{ id: count, to, from: from?.address ?? '', subject, text, at: Date.now() }, ...mails].slice(0, maxMails)
    for (const look of waiting) look()
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: hasTls ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: (_address, _session, finish) => finish(reason === undefined ? null : createRefusal(reason)),
    onData(stream, { envelope }, finish) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address)
        take(Buffer.concat(chunks), to).then(() => finish(null), finish)
      })
    },
  })
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  // A server that listens on a port always has an address of this type.
  const { port: actual } = listening.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${actual}`,
    received: () => mails,
    waitFor: (to, after = 0) =>
      new Promise((resolve) => {
        const look = (): void => {
          const mail = mails.find((each) => each.id > after && each.to.includes(to))
          if (mail === undefined) return void waiting.add(look)
          waiting.delete(look)
          resolve(mail)
        }
        look()
      }),
    refuse(why) {
      reason = why
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function createRefusal(reason: string): Error {
  return Object.assign(new Error(reason), { responseCode: 451 })
}
