import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Mail } from '../../custody/mail/mailer.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { createRefusal, mountTestEndpoints, type TestEndpoints } from '../../custody/testing/mountTestEndpoints.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { createTestAccess } from '../testing/createTestAccess.ts'
import { contactEndpoints, contactStopPath, serveContactStopPage } from './contactEndpoints.ts'

const at = Date.UTC(2026, 11, 1)
const [current, next] = ['ann@example.org', 'ann@example.net']
const body = { email: next, current }

let endpoints: TestEndpoints
let calls: unknown[][]
let mails: Mail[]
let isMailDown = false
let confirmed: Buffer | undefined

beforeAll(async () => {
  endpoints = await mountTestEndpoints(
    contactEndpoints({
      access: createTestAccess(),
      clock: { now: () => at - 86_400_000 },
      places: createPlaces(),
      trustedProxies: 1,
      contacts: {
        canChange: async (user, from) => user === 'ann' && sha256(current).equals(from),
        change: async (...given) => (calls.push(['change', ...given]), at),
        cancel: async (user) => void calls.push(['cancel', user]),
      },
      links: {
        hashMailbox: (email) => sha256(email),
        findApproval: async (key, purpose) => (key === 'laptop' && purpose === 'contact' ? confirmed : undefined),
      },
      mailer: {
        async send(mail) {
          if (isMailDown) throw new Error('The mail server is down.')
          mails.push(mail)
        },
        close: async () => undefined,
      },
      auditLog: { record: async (event, { raw, ...facts }) => void calls.push([event, raw?.method, facts]) },
      stopPage: () => 'https://shares.example/stopped',
    }),
  )
})
beforeEach(() => {
  ;[calls, mails, isMailDown, confirmed] = [[], [], false, sha256(next)]
})
afterAll(() => endpoints.close())

const post = (path: string, given: object = body, claims?: object | null) =>
  endpoints.post(`/shares/v1/contact${path}`, given, claims)

test.each(['', '/movable'])('a request to contact%s needs an approved, established device [C-04]', async (path) => {
  expect(await post(path, body, null)).toMatchObject(createRefusal(401, 'token'))
  expect(await post(path, body, { key: 'stranger' })).toMatchObject(createRefusal(403, 'device'))
  expect(await post(path, body, { key: 'phone' })).toMatchObject(createRefusal(403, 'deviceAge'))
  expect(await post(path, { ...body, current: 'a'.repeat(255) })).toMatchObject(createRefusal(400, 'current'))
  expect([calls, mails]).toEqual([[], []])
})

test('an established device learns whether an address can be replaced', async () => {
  expect(await post('/movable', { current })).toEqual({ status: 200, body: { isMovable: true } })
  expect(await post('/movable', { current: next })).toEqual({ status: 200, body: { isMovable: false } })
  expect(await post('/movable', { current }, { user: 'ben' })).toEqual({ status: 200, body: { isMovable: false } })
})

describe('a change of the contact', () => {
  test('is announced to the present address, with a link that stops it [C-04]', async () => {
    expect(await post('')).toEqual({ status: 200, body: { at } })
    expect(mails.map(({ to }) => to)).toEqual([current])
    const text = mails[0]?.text ?? ''
    for (const fact of [next, 'Firefox on Linux', 'local network', 'December 1, 2026', 'November 30, 2026']) {
      expect(text).toContain(fact)
    }
    const link = new URL(/https:\S+/.exec(text)?.[0] ?? expect.fail('no link'))
    expect(link.origin + link.pathname).toBe('https://shares.example/stopped')
    const secret = link.searchParams.get('secret') ?? ''
    expect([link.searchParams.get('id'), secret.length]).toEqual(['ann', 43])
    expect(calls).toEqual([
      ['change', 'ann', { from: sha256(current), to: sha256(next), secret }],
      ['contact changed', 'POST', { user: 'ann', key: 'laptop', about: 'requested' }],
    ])
  })

  test('needs the confirmation of the next address by this device [K-11]', async () => {
    const refusal = createRefusal(403, 'confirmation')
    for (const other of [undefined, sha256(current)]) {
      confirmed = other
      expect(await post('')).toMatchObject(refusal)
    }
    expect([calls, mails]).toEqual([[], []])
  })

  test('is cancelled if the owner cannot be notified [C-04]', async () => {
    isMailDown = true
    expect(await post('')).toMatchObject(createRefusal(503, 'mail'))
    expect(calls.map(([name]) => name)).toEqual(['change', 'cancel'])
    expect(calls[1]).toEqual(['cancel', 'ann'])
  })
})

test('the page of the stop link explains it, and stops the change once its button is pressed [C-04]', async () => {
  const app = Fastify({ logger: false })
  onTestFinished(() => app.close())
  const stopped: object[] = []
  const isRight = ({ id, secret }: { id: string; secret: string }): boolean => id === 'ann' && secret === 'right'
  serveContactStopPage(app, {
    canStop: async (link) => isRight(link),
    stop: async (link) => (stopped.push(link), isRight(link)),
  })
  const pageOf = async (query: string) => (await app.inject({ url: `${contactStopPath}?${query}` })).body
  const press = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await app.inject({ method: 'POST', url: contactStopPath, body, headers })).body
  }
  const page = await pageOf('id=ann&secret=right&browser=Firefox&place=DE&at=0')
  for (const text of ['Stop the address change?', 'value="right"', 'Germany', 'January 1, 1970']) {
    expect(page).toContain(text)
  }
  expect(await pageOf('id=ann&secret=wrong')).toContain('no longer valid')
  expect(stopped).toEqual([])
  expect(await press('id=ann&secret=right')).toContain('The change was stopped')
  expect(await press('id=ann&secret=wrong')).toContain('no longer valid')
  expect(stopped).toEqual([
    { id: 'ann', secret: 'right' },
    { id: 'ann', secret: 'wrong' },
  ])
})
