import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSmtpMailer } from './smtpMailer.ts'

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
    const nobody = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from })
    await expect(nobody.send({ to: 'ann@example.org', subject: 'Code', text: '' })).rejects.toThrow('ECONNREFUSED')
    await nobody.close()
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
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    timeout.abort()
    expect(await outcome).toContain('aborted')
    expect(waits).toEqual([10_000])
    // The mailer has given up: a server that greets now receives no mail.
    const heard: Buffer[] = []
    for (const socket of sockets) {
      socket.on('error', () => undefined).on('data', (data: Buffer) => heard.push(data))
      if (!socket.destroyed) socket.write('220 here\r\n')
    }
    await mailer.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
    expect(Buffer.concat(heard).toString()).not.toContain('ann@example.org')
  })
})
