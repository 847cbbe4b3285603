import nodemailer from 'nodemailer'
import { expect, test } from 'vitest'
import { startMailbox } from './startMailbox.ts'

test('a sent mail appears on the inbox page and in its JSON', async () => {
  const mailbox = await startMailbox()
  try {
    const { hostname: host, port } = new URL(mailbox.smtpUrl)
    const transport = nodemailer.createTransport({ host, port: Number(port), secure: false, ignoreTLS: true })
    await transport.sendMail({ from: 'a@example.org', to: 'b@example.org', subject: 'A code', text: '123456' })
    transport.close()
    const mails: unknown = await (await fetch(`${mailbox.url}/mails.json`)).json()
    expect(mails).toMatchObject([{ to: ['b@example.org'], subject: 'A code', text: expect.stringContaining('123456') }])
    expect(await (await fetch(mailbox.url)).text()).toContain('123456')
    const health = await fetch(`${mailbox.url}/health`)
    expect([health.status, health.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  } finally {
    await mailbox.close()
  }
})
