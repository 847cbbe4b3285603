import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSmtpMailer, smtpConnection } from './smtpMailer.ts'

let mail: LocalMail
beforeAll(async () => {
  mail = await startMail()
})
afterAll(() => mail.close())

const from = 'Latchkey <login@example.org>'

describe('mail over SMTP', () => {
  test('arrives at one recipient, whatever the address contains [A-19]', async () => {
    const mailer = createSmtpMailer({ url: mail.url, from })
    for (const to of ['ann@example.org', "o'neil@example.org", 'a+b@example.org']) {
      await mailer.send({ to, subject: 'Code', text: 'one' })
      expect(await mail.waitFor(to)).toMatchObject({ to: [to], subject: 'Code', from: 'login@example.org' })
    }
    await mailer.close()
  })

  test('that is rejected or not accepted in time is an error [A-18]', async () => {
    const mailer = createSmtpMailer({ url: mail.url, from })
    mail.refuse('try later')
    await expect(mailer.send({ to: 'ann@example.org', subject: 'Code', text: '' })).rejects.toThrow('try later')
    mail.refuse(undefined)
    await mailer.close()
    const gone = createServer()
    gone.listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const address = gone.address()
    gone.close()
    const port = typeof address === 'object' ? address?.port : 0
    const anonymous = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from })
    await expect(anonymous.send({ to: 'ann@example.org', subject: 'Code', text: '' })).rejects.toThrow('ECONNREFUSED')
    await anonymous.close()
  })

  test('that is not accepted is an error after ten seconds by default, and is not sent later [A-18]', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const waits: number[] = []
    const timeout = new AbortController()
    const abortAfter = (milliseconds: number): AbortSignal => {
      waits.push(milliseconds)
      return timeout.signal
    }
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from, abortAfter })
    const sending = mailer.send({ to: 'ann@example.org', subject: 'Code', text: '' })
    const outcome = sending.catch(String)
    await vi.waitFor(() => expect(sockets).toHaveLength(1), 60_000)
    timeout.abort()
    expect(await outcome).toContain('aborted')
    expect(waits).toEqual([10_000])
    // The mailer has given up: a server that greets now receives no mail.
    const received: Buffer[] = []
    for (const socket of sockets) {
      socket.on('error', () => undefined).on('data', (data: Buffer) => received.push(data))
      if (!socket.destroyed) socket.write('220 here\r\n')
    }
    await mailer.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
    expect(Buffer.concat(received).toString()).not.toContain('ann@example.org')
  })
})

/** A mail server behind an attacker on the way, who removes the offer of TLS and reads what follows. */
async function startStrippedMail(
  offer: readonly string[] = [],
): Promise<{ url: string; read(): string; close(): void }> {
  let read = ''
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => {
      read += data.toString()
      if (/^EHLO/im.test(data.toString())) {
        const lines = ['mail.example.org', ...offer, 'AUTH PLAIN']
        return socket.write(lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join(''))
      }
      // The response of a server without the command.
      if (/^STARTTLS/im.test(data.toString())) return socket.write('454 TLS not available\r\n')
      socket.write(/^DATA/im.test(data.toString()) ? '354 go on\r\n' : '235 ok\r\n')
    })
    socket.write('220 mail.example.org\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://login:secret@127.0.0.1:${port}`,
    read: () => read,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('mail over a network', () => {
  const mailed = { to: 'ann@example.org', subject: '123456 is your code', text: 'Your code is 123456.' }
  const isLocal = () => false

  test.each([
    ['does not offer TLS', []],
    ['offers TLS and then refuses it', ['STARTTLS']],
  ])('sends neither the password nor the mail if the server %s [A-23]', async (_what, offer) => {
    const stripped = await startStrippedMail(offer)
    const mailer = createSmtpMailer({ url: stripped.url, from, isLocal })
    await expect(mailer.send(mailed)).rejects.toThrow(/TLS/)
    expect(stripped.read()).not.toMatch(/AUTH|MAIL FROM|123456/i)
    await mailer.close()
    stripped.close()
  })

  test('is not sent to a server with a certificate that no authority signed [A-23]', async () => {
    const unsigned = await startMail({ hasTls: true })
    const mailer = createSmtpMailer({ url: unsigned.url, from, isLocal })
    await expect(mailer.send(mailed)).rejects.toThrow(/certificate/i)
    expect(unsigned.received()).toEqual([])
    await mailer.close()
    await unsigned.close()
  })

  test.each(['mail.example.org', '127.0.0.1.example.org', 'localhost.example.org', '10.0.0.1', '127.1', '[fd00::1]'])(
    'needs TLS to reach %s [A-23]',
    (host) => expect(smtpConnection(new URL(`smtp://${host}:25`))).toMatchObject({ requireTLS: true }),
  )

  test.each(['127.0.0.1', '127.8.9.1', 'localhost', '[::1]'])('needs no TLS to reach %s', (host) =>
    expect(smtpConnection(new URL(`smtp://${host}:25`))).toMatchObject({ requireTLS: false }),
  )
})
