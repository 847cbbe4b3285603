import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import type { KyselyPlugin } from 'kysely'
import type { Mail, Mailer } from '../custody/mail/mailer.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { createTestDatabase } from './database.ts'
import { createLoginClient, type LoginClient } from './loginClient.ts'
import { startLoginServices } from './loginServices.ts'

/** An observed request for a code or for an approval link. */
export type ProbeResult = {
  readonly status: number
  /** The fields of the response with the lengths of their values. */
  readonly fields: readonly (readonly [string, number])[]
  readonly headers: readonly (readonly [string, string])[]
  /** The statements and mails of the request, in their order. */
  readonly work: readonly string[]
  /** The time to the response in milliseconds. */
  readonly milliseconds: number
}

/** A client that tries to find out which addresses have an account. */
export type AccountProbe = {
  /** Creates the account of an address. */
  register(email: string): Promise<void>
  probe(service: ProbedService, email: string): Promise<ProbeResult>
  close(): Promise<void>
}

export type ProbedService = 'auth' | 'shares'

export type AccountProbeOptions = {
  /** Work before each mail, such as a planted difference between addresses. */
  beforeMail?: (email: string, database: Database) => Promise<void>
}

const paths = { auth: '/auth/v1/codes', shares: '/shares/v1/links' } as const
/** Spreads requests over a client's hourly limit. */
const intervalMs = 5 * 60_000

/**
 * Starts both key services on a clock that advances by minutes with each request, so that no limit applies.
 *
 * @example
 * const world = await startAccountProbe()
 * await world.register('known@example.org')
 * const { work } = await world.probe('auth', 'known@example.org')
 */
export async function startAccountProbe({ beforeMail }: AccountProbeOptions = {}): Promise<AccountProbe> {
  const recorder = createWorkRecorder()
  const mails: Mail[] = []
  let now = Date.now()
  const clock = { now: () => now }
  const [auth, shares] = [await openRecordedDatabase(recorder), await openRecordedDatabase(recorder)]
  const mailerOf = ({ database }: RecordedDatabase): Mailer => ({
    async send(mail) {
      recorder.record('mail')
      await beforeMail?.(mail.to, database)
      mails.push(mail)
    },
    close: async () => {},
  })
  const services = await startLoginServices({
    // The mailers of the options are used instead.
    mailUrl: 'smtp://127.0.0.1:9',
    clock,
    parts: {
      auth: { database: auth.database, mailer: mailerOf(auth) },
      shares: { database: shares.database, mailer: mailerOf(shares) },
    },
  })
  const urls = { auth: services.authUrl, shares: services.sharesUrl }
  const client = await createLoginClient(urls.auth, { clock })
  const prober: Record<ProbedService, LoginClient> = {
    auth: client,
    shares: await createLoginClient(urls.shares, { clock, twin: client }),
  }

  return {
    async register(email) {
      now += intervalMs
      const device = await createLoginClient(urls.auth, { clock })
      const { body } = await device.request('POST', paths.auth, codeRequest(email))
      const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0]
      const { status } = await device.request('POST', `${paths.auth}/redeem`, { id: body['id'], email, code })
      if (status !== 200) throw new Error(`The account of ${email} was not created: ${status}.`)
    },
    async probe(service, email) {
      now += intervalMs
      const dpop = await prober[service].prove('POST', paths[service])
      recorder.take()
      const since = performance.now()
      const response = await fetch(urls[service] + paths[service], {
        method: 'POST',
        headers: { dpop },
        body: JSON.stringify(codeRequest(email)),
      })
      const body = await response.text()
      const milliseconds = performance.now() - since
      return { status: response.status, ...shapeOf(response, body), work: recorder.take(), milliseconds }
    },
    async close() {
      await services.close()
      await auth.close()
      await shares.close()
    },
  }
}

/** An address of random characters, as long as every other one. */
export function randomEmail(): string {
  return `${randomUUID()}@example.org`
}

function codeRequest(email: string): object {
  return { email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
}

/** Values of ids are random, so only their lengths can be compared. */
function shapeOf({ headers }: Response, body: string): Pick<ProbeResult, 'fields' | 'headers'> {
  // Our own services respond with objects only.
  const parsed = JSON.parse(body) as Record<string, unknown>
  return {
    fields: Object.entries(parsed).map(([name, value]) => [name, JSON.stringify(value).length] as const),
    headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
  }
}

type RecordedDatabase = { readonly database: Database; close(): Promise<void> }

/** Creates a database whose statements are recorded. */
async function openRecordedDatabase({ plugin }: WorkRecorder): Promise<RecordedDatabase> {
  const { log } = Fastify({ logger: false })
  const place = await createTestDatabase()
  const plain = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  return {
    database: { ...plain, kysely: plain.kysely.withPlugin(plugin) },
    async close() {
      await plain.close()
      await place.close()
    },
  }
}

type WorkRecorder = { plugin: KyselyPlugin; record(step: string): void; take(): readonly string[] }

/** Records the statements that a service executes, without their values. */
function createWorkRecorder(): WorkRecorder {
  let steps: string[] = []
  return {
    record: (step) => void steps.push(step),
    take() {
      const taken = steps
      steps = []
      return taken
    },
    plugin: {
      transformQuery({ node }) {
        const text: unknown = Reflect.get(node, 'sqlFragments')
        steps.push(Array.isArray(text) ? text.join('?').replaceAll(/\s+/g, ' ').trim() : node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    },
  }
}
