import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyEncryption } from '../kit/secrets/keyEncryption.ts'
import type { KeyEncryptionProvider } from '../kit/secrets/secrets.ts'
import { createLoginClient, type LoginClient } from '../testing/loginClient.ts'
import { startLoginServices } from '../testing/loginServices.ts'
import { openStolenDatabase } from '../testing/thief.ts'
import { createSmtpMailer } from '../custody/mail/smtpMailer.ts'

const createCodeRequest = (email: string) => ({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' })
const masterKey = (id: string) => ({ id, key: randomBytes(32) })

let mail: LocalMail
beforeAll(async () => {
  mail = await startMail()
})
afterAll(() => mail.close())

async function logIn(url: string, email: string, clock = { now: () => Date.now() }): Promise<LoginClient> {
  const client = await createLoginClient(url, { clock })
  const before = mail.received()[0]?.id ?? 0
  const { body } = await client.request('POST', '/auth/v1/codes', createCodeRequest(email))
  const { text } = await mail.waitFor(email, before)
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
  client.use((redeemed.body as { tokens: { accessToken: string } }).tokens.accessToken)
  return client
}

describe('the key services', () => {
  test('do not start with the wrong master keys, and change nothing [K-07]', async () => {
    const keys = { auth: [masterKey('a')] as const, shares: [masterKey('b')] as const }
    const services = await startLoginServices({ mailUrl: mail.url, masterKeys: keys })
    const thief = await openStolenDatabase(services.authDatabaseUrl)
    await services.stop('auth')
    const before = await thief.copy()
    const others = [[masterKey('other')], [{ id: 'a', key: randomBytes(32) }]] as const
    for (const other of others) {
      await expect(services.start({ ...keys, auth: other })).rejects.toThrow(/is missing|does not open/)
    }
    const tables = (text: string) => text.split('\n\n').filter((part) => !part.startsWith('auth_audit'))
    expect(tables(await thief.copy())).toEqual(tables(before))
    await thief.leave()
    await services.close()
  })

  test(
    'rotate the master key under load without a failed read, and leave no data under the old key [K-07]',
    { tags: 'faults' },
    async () => {
      const [old, next, shares] = [masterKey('old'), masterKey('next'), masterKey('shares')]
      const services = await startLoginServices({ mailUrl: mail.url, masterKeys: { auth: [old], shares: [shares] } })
      const clients = await Promise.all(
        ['ann', 'ben', 'cat'].map((name) => logIn(services.authUrl, `${name}@rotated.example.org`)),
      )
      await services.stop('auth')
      await services.start({ auth: [next, old], shares: [shares] })
      const reads = clients.flatMap((client) =>
        Array.from({ length: 12 }, () => client.request('GET', '/auth/v1/user')),
      )
      const [replies] = await Promise.all([Promise.all(reads), services.sweep()])
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
      const thief = await openStolenDatabase(services.authDatabaseUrl)
      expect(await thief.run(`select count(*) as n from auth_data_key where key_id = 'old'`)).toEqual([{ n: 0 }])
      await thief.leave()
      await services.stop('auth')
      await services.start({ auth: [next], shares: [shares] })
      for (const client of clients) expect((await client.request('GET', '/auth/v1/user')).status).toBe(200)
      await services.close()
    },
  )

  test('seal with an asynchronous external key provider', { tags: 'abuse' }, async () => {
    const inner = createKeyEncryption([masterKey('far')])
    const requested: string[] = []
    const far: KeyEncryptionProvider = {
      primary: 'far',
      async seal(place, secret) {
        requested.push(`seal ${place.owner}`)
        return inner.seal(place, secret)
      },
      async open(place, sealed) {
        await new Promise((resolve) => void setTimeout(resolve, 5))
        return inner.open(place, sealed)
      },
    }
    const services = await startLoginServices({ mailUrl: mail.url, masterKeys: { auth: far, shares: far } })
    const client = await logIn(services.authUrl, 'kms@example.org')
    const { body } = await client.request('GET', '/auth/v1/user')
    expect(body['email']).toBe('kms@example.org')
    expect(requested).toContain(`seal ${String(body['id'])}`)
    await services.close()
  })
})

describe('mail that cannot be sent', () => {
  /** An SMTP server that rejects mail with the given replies. */
  async function refusing(
    replies: Partial<Record<'hello' | 'RCPT' | 'DATA', string>>,
  ): Promise<{ url: string; close(): void }> {
    const server = createServer((socket) => {
      if (replies.hello === undefined) return
      socket.write(`${replies.hello}\r\n`)
      socket.on('error', () => undefined)
      socket.on('data', (data: Buffer) => {
        const verb = data.toString().slice(0, 4).toUpperCase()
        const response = verb === 'RCPT' ? replies.RCPT : verb === 'DATA' ? replies.DATA : '250 ok'
        if (response !== undefined) socket.write(`${response}\r\n`)
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return { url: `smtp://127.0.0.1:${port}`, close: () => void server.close() }
  }

  test.each([
    ['the port is closed', undefined],
    ['the server sends nothing', {}],
    ['the server is closed for now', { hello: '421 too busy' }],
    ['the sender is greylisted', { hello: '220 here', RCPT: '451 greylisted, try later' }],
    ['the mailbox does not exist', { hello: '220 here', RCPT: '550 no such mailbox' }],
    ['the mailbox is full', { hello: '220 here', RCPT: '250 ok', DATA: '552 full' }],
    ['the server stops responding', { hello: '220 here', RCPT: '250 ok' }],
  ] as const)(
    'because %s is reported at once, and costs neither a code nor a wait [A-18]',
    { tags: 'abuse' },
    async (_, replies) => {
      const smtp =
        replies === undefined ? { url: 'smtp://127.0.0.1:9', close: () => undefined } : await refusing(replies)
      const services = await startLoginServices({
        mailUrl: mail.url,
        parts: { auth: { mailer: createSmtpMailer({ url: smtp.url, from: 'a@example.org', timeoutMs: 300 }) } },
      })
      const client = await createLoginClient(services.authUrl)
      for (const name of ['late', 'late']) {
        const { status, body } = await client.request(
          'POST',
          '/auth/v1/codes',
          createCodeRequest(`${name}@example.org`),
        )
        expect([status, body]).toMatchObject([503, { reasons: [{ field: 'mail' }] }])
      }
      const thief = await openStolenDatabase(services.authDatabaseUrl)
      expect(await thief.run('select id from auth_code')).toEqual([])
      await thief.leave()
      await services.close()
      smtp.close()
    },
  )
})
