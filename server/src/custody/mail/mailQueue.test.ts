import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../kit/runtime/clock.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createLoginClient } from '../../testing/loginClient.ts'
import { mountAuth, type Auth } from '../../auth/mountAuth.ts'
import { createSmtpMailer } from './smtpMailer.ts'

const people = 1_000
const connections = 20
const url = 'http://auth.test'
const path = '/auth/v1/codes'
const takenSlowly = 20
const from = 'Latchkey <login@example.org>'
const waitForNextTurn = () => new Promise<void>((resolve) => void setTimeout(resolve, 1))

/** A mail system that accepts some mails slowly and then stops responding. */
type MoodyMail = {
  readonly url: string
  /** The recipients of accepted mails. */
  readonly taken: readonly string[]
  /** The largest number of concurrent connections. */
  readonly most: number
  /** Accepts all mails from now on. */
  recover(): void
  close(): void
}

async function startMoodyMail(): Promise<MoodyMail> {
  let mood: 'slow' | 'silent' | 'willing' = 'slow'
  let most = 0
  const taken: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    most = Math.max(most, open.size)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    const reply = (line: string): void => void (mood !== 'silent' && socket.write(`${line}\r\n`))
    let to = ''
    let text = ''
    let isText = false
    socket.on('data', (data: Buffer) => {
      text += data.toString()
      if (isText && text.endsWith('\r\n.\r\n')) {
        isText = false
        const take = (): void => {
          if (mood === 'silent' || socket.destroyed) return
          taken.push(to)
          reply('250 taken')
          if (mood === 'slow' && taken.length === takenSlowly) mood = 'silent'
        }
        setTimeout(take, mood === 'slow' ? 40 : 0)
      } else if (!isText) {
        to = /RCPT TO:<([^>]*)>/i.exec(text)?.[1] ?? to
        isText = /^DATA/im.test(text)
        reply(isText ? '354 go on' : '250 ok')
      } else return
      text = ''
    })
    reply('220 here')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    taken,
    get most() {
      return most
    },
    recover() {
      mood = 'willing'
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

type Reply = { email: string; status: number; field: string | undefined }

describe('a thousand concurrent requests for codes with a slow and then silent mail system', { tags: 'abuse' }, () => {
  let mail: MoodyMail
  let place: TestPostgres
  let database: Database
  let app: Awaited<ReturnType<typeof createHttp>>
  let auth: Auth
  let other = 0
  let repliesBefore = 0
  /** Expires the timeouts of all mails at once, so that none expires while its acceptance is on the way. */
  let timeout = new AbortController()
  const replies: Reply[] = []
  const accepted = () => replies.filter(({ status }) => status === 200)

  /** Each request has its own client address, because requests per client are limited. */
  async function prepareRequests(): Promise<(() => Promise<Reply>)[]> {
    const client = await createLoginClient(url)
    const proofs = await Promise.all(emails.map(() => client.prove('POST', path)))
    return emails.map((email, index) => async () => {
      const response = await app.inject({
        method: 'POST',
        url: path,
        headers: { dpop: proofs[index], 'x-forwarded-for': `198.${18 + (index >> 8)}.${index & 255}.1` },
        payload: JSON.stringify({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }),
      })
      const { reasons } = response.json<{ reasons?: readonly { field: string }[] }>()
      return { email, status: response.statusCode, field: reasons?.[0]?.field }
    })
  }
  /** Needs the database, too. */
  async function redeemNothing(): Promise<number> {
    const client = await createLoginClient(url)
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `${path}/redeem`,
      headers: { dpop: await client.prove('POST', `${path}/redeem`), 'x-forwarded-for': '192.0.2.1' },
      payload: JSON.stringify({ id: '0', email: 'ann@example.org', code: '000000' }),
    })
    return statusCode
  }
  // A domain is limited to five hundred codes an hour.
  const emails = Array.from({ length: people }, (_, index) => `n${index}@${index % 4}.example.org`)

  beforeAll(async () => {
    mail = await startMoodyMail()
    place = await createTestDatabase()
    const projects = createProjects('any')
    app = await createHttp({ logLevel: 'silent', projects })
    database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, app.log)
    const mailer = createSmtpMailer({
      url: mail.url,
      from,
      timeoutMs: 60_000,
      abortAfter: () => AbortSignal.any([timeout.signal]),
    })
    let entered = 0
    auth = await mountAuth(app, {
      database,
      clock: systemClock,
      projects,
      trustedProxies: 1,
      masterKeys: [{ id: 'test', key: randomBytes(32) }],
      mailer: {
        ...mailer,
        send(mailed) {
          entered += 1
          return mailer.send(mailed)
        },
      },
      frameUrl: () => 'http://wallet.localhost:4605',
      url: () => url,
    })
    const sending: Promise<unknown>[] = []
    for (const request of await prepareRequests()) {
      sending.push(request().then((result) => replies.push(result)))
      // As many as the database has connections, because only waiting for mail is tested here.
      while (sending.length - entered > connections && sending.length - replies.length > connections)
        await waitForNextTurn()
    }
    other = await redeemNothing()
    repliesBefore = replies.length
    while (accepted().length < takenSlowly) await waitForNextTurn()
    timeout.abort()
    await Promise.all(sending)
    timeout = new AbortController()
  })
  afterAll(async () => {
    await auth.close()
    await app.close()
    await database.close()
    await place.close()
    mail.close()
  })

  test('all get a response, success or an error [A-18]', () => {
    expect(replies).toHaveLength(people)
    const others = replies.filter(({ status, field }) => status !== 200 && !(status === 503 && field === 'mail'))
    expect(others).toEqual([])
    expect(accepted()).toHaveLength(takenSlowly)
  })

  test('do not delay other requests [A-18]', () => {
    expect(other).toBe(401)
    expect(repliesBefore).toBeLessThan(people)
  })

  test('open a few connections only [A-18]', () => {
    expect(mail.most).toBeLessThanOrEqual(5)
  })

  test('store a code and a wait for each sent mail, but not for the others [A-18]', async () => {
    const { rows } = await sql`select count(*) as codes from auth_code`.execute(database.kysely)
    expect(rows).toEqual([{ codes: accepted().length }])
  })

  test('send no mail after an error, and a new one once the mail system recovers [A-18]', async () => {
    mail.recover()
    const already = mail.taken.length
    const again = (await prepareRequests()).slice(-20)
    const outcomes = await Promise.all(again.map((request) => request()))
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200))
    expect(mail.taken.slice(already).toSorted()).toEqual(outcomes.map(({ email }) => email).toSorted())
    expect(mail.taken.slice(0, already).toSorted()).toEqual(
      accepted()
        .map(({ email }) => email)
        .toSorted(),
    )
  })
})
