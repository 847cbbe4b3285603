import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../kit/clock.ts'
import { openDatabase, type Database } from '../kit/database.ts'
import { createHttp } from '../kit/http.ts'
import { createProjects } from '../kit/projects.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createLoginClient } from '../testing/loginClient.ts'
import { mountAuth, type Auth } from './mountAuth.ts'
import { createSmtpMailer } from './smtpMailer.ts'

const people = 1_000
const connections = 20
const url = 'http://auth.test'
const path = '/auth/v1/codes'
/** Long enough for some mail to be taken, short enough to be waited for. */
const patience = 2_000
const takenSlowly = 20
const from = 'Latchkey <login@example.org>'
const nextTurn = () => new Promise<void>((resolve) => void setTimeout(resolve, 1))

/** A mail system that takes some mail in its own time, and then falls silent in the middle of all. */
type MoodyMail = {
  readonly url: string
  /** Whom it took a mail for. */
  readonly taken: readonly string[]
  /** The most connections there were at once. */
  readonly most: number
  /** Takes everything from now on. */
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
    const say = (line: string): void => void (mood !== 'silent' && socket.write(`${line}\r\n`))
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
          say('250 taken')
          if (mood === 'slow' && taken.length === takenSlowly) mood = 'silent'
        }
        setTimeout(take, mood === 'slow' ? 40 : 0)
      } else if (!isText) {
        to = /RCPT TO:<([^>]*)>/i.exec(text)?.[1] ?? to
        isText = /^DATA/im.test(text)
        say(isText ? '354 go on' : '250 ok')
      } else return
      text = ''
    })
    say('220 here')
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

type Answer = { email: string; status: number; field: string | undefined }

describe('a thousand who ask for a code at once, of a mail system that is slow and then silent,', () => {
  let mail: MoodyMail
  let place: TestPostgres
  let database: Database
  let app: Awaited<ReturnType<typeof createHttp>>
  let auth: Auth
  let other = 0
  let answeredBefore = 0
  const answers: Answer[] = []
  const toldSent = () => answers.filter(({ status }) => status === 200)

  /** Each of a machine of his own: what one machine may ask for is limited long before. */
  async function askAll(): Promise<(() => Promise<Answer>)[]> {
    const client = await createLoginClient(url)
    const proofs = await Promise.all(emails.map(() => client.prove('POST', path)))
    return emails.map((email, index) => async () => {
      const answer = await app.inject({
        method: 'POST',
        url: path,
        headers: { dpop: proofs[index], 'x-forwarded-for': `198.${18 + (index >> 8)}.${index & 255}.1` },
        payload: JSON.stringify({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }),
      })
      const { reasons } = answer.json<{ reasons?: readonly { field: string }[] }>()
      return { email, status: answer.statusCode, field: reasons?.[0]?.field }
    })
  }
  /** Takes the database, too. */
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
  // No domain gets more than five hundred an hour.
  const emails = Array.from({ length: people }, (_, index) => `n${index}@${index % 4}.example.org`)

  beforeAll(async () => {
    mail = await startMoodyMail()
    place = await createTestDatabase()
    const projects = createProjects('any')
    app = await createHttp({ logLevel: 'silent', projects })
    database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, app.log)
    const mailer = createSmtpMailer({ url: mail.url, from, patience })
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
      url: () => url,
    })
    const asking: Promise<unknown>[] = []
    for (const ask of await askAll()) {
      asking.push(ask().then((answer) => answers.push(answer)))
      // As many as the database has connections: those who wait for mail are the question here.
      while (asking.length - entered > connections && asking.length - answers.length > connections) await nextTurn()
    }
    other = await redeemNothing()
    answeredBefore = answers.length
    await Promise.all(asking)
  })
  afterAll(async () => {
    await auth.close()
    await app.close()
    await database.close()
    await place.close()
    mail.close()
  })

  test('are all answered: that it was sent, or that it could not be [A-18]', () => {
    expect(answers).toHaveLength(people)
    const others = answers.filter(({ status, field }) => status !== 200 && !(status === 503 && field === 'mail'))
    expect(others).toEqual([])
    expect(toldSent().length).toBeGreaterThan(0)
    expect(toldSent().length).toBeLessThanOrEqual(takenSlowly)
  })

  test('hold up nobody who wants something else [A-18]', () => {
    expect(other).toBe(401)
    expect(answeredBefore).toBeLessThan(people)
  })

  test('make a handful of connections, however many they are [A-18]', () => {
    expect(mail.most).toBeLessThanOrEqual(5)
  })

  test('have a code and a wait for the next one where it was sent, and neither where it was not [A-18]', async () => {
    const { rows } = await sql`select count(*) as codes from auth_code`.execute(database.kysely)
    expect(rows).toEqual([{ codes: toldSent().length }])
  })

  test('get no mail later that they were told was not sent, and another as soon as mail goes again [A-18]', async () => {
    mail.recover()
    const already = mail.taken.length
    const again = (await askAll()).slice(-20)
    const outcomes = await Promise.all(again.map((ask) => ask()))
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200))
    expect(mail.taken.slice(already).toSorted()).toEqual(outcomes.map(({ email }) => email).toSorted())
    expect(mail.taken.slice(0, already).toSorted()).toEqual(
      toldSent()
        .map(({ email }) => email)
        .toSorted(),
    )
  })
})
