import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxPage } from './inboxPage.ts'
import { startMail, type LocalMail } from './startMail.ts'

let mail: LocalMail
beforeAll(async () => {
  mail = await startMail()
})
afterAll(() => mail.close())

const send = (to: string, subject: string, text = ''): Promise<unknown> =>
  createTransport(mail.url).sendMail({ from: 'world@example.org', to, subject, text })

describe('the local mail server', () => {
  test('a received mail resolves waiting callers', async () => {
    const coming = mail.waitFor('ann@example.org')
    await send('ann@example.org', 'Grüße', 'Your code is 123456.\n')
    expect(await coming).toMatchObject({ subject: 'Grüße', text: 'Your code is 123456.\n', to: ['ann@example.org'] })
    expect(mail.received()).toHaveLength(1)
  })

  test('mail is refused while a reason is set', async () => {
    mail.refuse('greylisted')
    await expect(send('ann@example.org', 'Again')).rejects.toThrow('greylisted')
    mail.refuse(undefined)
    await expect(send('ann@example.org', 'Again')).resolves.toBeDefined()
  })

  test('the inbox runs no content of mails and links only to this machine', () => {
    const text = '<script>alert(1)</script> http://localhost:4600/a?b=1&c=2 https://evil.example/'
    const page = inboxPage([{ id: 1, to: ['a@b.c'], from: '', subject: '<b>', text, at: 0 }])
    expect(page).not.toContain('<script')
    expect(page).not.toContain('<b>')
    expect(page.match(/<a [^>]*href="[^"]*"/g)).toEqual([
      expect.stringContaining(`href="http://localhost:4600/a?b=1&amp;c=2"`),
    ])
  })
})
