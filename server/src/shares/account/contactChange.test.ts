import { randomBytes } from 'node:crypto'
import { startMail, type LocalMail, type ReceivedMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const hour = 3_600_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })
const isFound = async (client: LoginClient) => (await client.request('POST', '/shares/v1/sets/find', {})).status === 200

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, clock })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

async function mailFor(email: string, act: () => Promise<unknown>): Promise<ReceivedMail> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return mail.waitFor(email, before)
}

/** Mails a link to an address and enters the client's digits on its page. */
async function approveLink(client: LoginClient, email: string, purpose: 'device' | 'contact'): Promise<void> {
  let match: unknown
  const link = linkIn(
    await mailFor(email, async () => {
      ;({ match } = (await client.request('POST', '/shares/v1/links', { email, projectId, origin, purpose })).body)
    }),
  )
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
}

/** Logs a device in and lets an address approve it. */
async function logInDevice(email: string, approvedBy = email, twin?: LoginClient): Promise<LoginClient> {
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  let id: unknown
  const { text } = await mailFor(email, async () => {
    ;({ id } = (await auth.request('POST', '/auth/v1/codes', { email, projectId, origin })).body)
  })
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const { body } = await auth.request('POST', '/auth/v1/codes/redeem', { id, email, code })
  const client = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  await approveLink(client, approvedBy, 'device')
  client.use((body as { tokens: { sharesToken: string } }).tokens.sharesToken)
  return client
}

/** A device that created the wallet. */
async function createFounder(email: string): Promise<LoginClient> {
  const client = await logInDevice(email)
  const set = {
    walletId: randomBase64Url(16),
    setId: randomBase64Url(16),
    epoch: 1,
    share: randomBase64Url(120),
    vault: randomBase64Url(60),
  }
  const wraps = [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }]
  await client.request('POST', '/shares/v1/sets', { ...set, wraps })
  expect((await client.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  return client
}

const linkIn = ({ text }: ReceivedMail): URL => new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
const confirmLink = async (link: URL): Promise<string> =>
  (await fetch(link.origin + link.pathname, { method: 'POST', body: link.searchParams })).text()
const requestChange = (client: LoginClient, current: string, email: string) =>
  client.request('POST', '/shares/v1/contact', { current, email })

/** Requests a change of the contact that the new address has confirmed. */
async function changeContact(client: LoginClient, current: string, email: string) {
  await approveLink(client, email, 'contact')
  return requestChange(client, current, email)
}

test('the present contact is notified of the next one, which approves devices after a day [C-04]', async () => {
  const [ann, next] = ['ann@example.org', 'ann@example.net']
  const client = await createFounder(ann)
  const notice = await mailFor(ann, async () => {
    expect((await changeContact(client, ann, next)).status).toBe(200)
  })
  expect(notice.subject).toBe('Another address will approve your new devices')
  expect(notice.text).toContain(next)
  expect(await isFound(await logInDevice(ann, next))).toBe(false)
  later += 24 * hour
  expect(await isFound(await logInDevice(ann, next))).toBe(true)
})

test('the link of the notice stops the change, and no other one can follow for a day [C-04]', async () => {
  const [ben, mallory] = ['ben@example.org', 'mallory@example.net']
  const client = await createFounder(ben)
  const link = linkIn(await mailFor(ben, () => changeContact(client, ben, mallory)))
  // Mail systems open links, which must change nothing.
  expect(await (await fetch(link)).text()).toContain('Stop the change')
  expect(await confirmLink(link)).toContain('The change was stopped')
  expect(await confirmLink(link)).toContain('no longer valid')
  const again = await logInDevice(ben, ben, client)
  expect(await changeContact(again, ben, mallory)).toMatchObject(createRefusal(409, 'contact'))
  later += 25 * hour
  expect(await isFound(await logInDevice(ben, mallory))).toBe(false)
  expect(await isFound(await logInDevice(ben))).toBe(true)
})

test('a change can’t be made silent by naming another present contact or by repeating it [C-04]', async () => {
  const [cat, mallory] = ['cat@example.org', 'mallory@example.org']
  const client = await createFounder(cat)
  await approveLink(client, mallory, 'contact')
  const before = mail.received()[0]?.id
  for (const current of [mallory, `other-${cat}`]) {
    expect(await requestChange(client, current, mallory)).toMatchObject(createRefusal(409, 'contact'))
    const movable = await client.request('POST', '/shares/v1/contact/movable', { current })
    expect(movable.body).toEqual({ isMovable: false })
  }
  expect((await client.request('POST', '/shares/v1/contact', { email: mallory })).status).toBe(400)
  expect(mail.received()[0]?.id).toBe(before)
  const link = linkIn(await mailFor(cat, () => requestChange(client, cat, mallory)))
  // A second change would replace the secret of the link.
  expect(await requestChange(client, cat, mallory)).toMatchObject(createRefusal(409, 'contact'))
  expect(await confirmLink(link)).toContain('The change was stopped')
})

test('a new contact can’t be replaced while the previous one can still stop it [C-04]', async () => {
  const [dan, mallory] = ['dan@example.org', 'mal@example.org']
  const client = await createFounder(dan)
  const link = linkIn(await mailFor(dan, () => changeContact(client, dan, mallory)))
  later += 30 * hour
  const known = await logInDevice(dan, mallory, client)
  expect(await changeContact(known, mallory, 'mal@example.net')).toMatchObject(createRefusal(409, 'contact'))
  expect(await confirmLink(link)).toContain('The change was stopped')
})

test('a contact that can’t be notified stays [C-04] [A-18]', async () => {
  const eve = 'eve@example.org'
  const client = await createFounder(eve)
  await approveLink(client, 'eve@example.net', 'contact')
  mail.refuse('try later')
  expect(await requestChange(client, eve, 'eve@example.net')).toMatchObject(createRefusal(503, 'mail'))
  mail.refuse(undefined)
  expect((await client.request('POST', '/shares/v1/contact/movable', { current: eve })).body).toEqual({
    isMovable: true,
  })
})

test('a new device can’t change the contact or remove the founding device [C-04] [C-05]', async () => {
  const fay = 'fay@example.org'
  const owner = await createFounder(fay)
  const { setId } = (await owner.request('POST', '/shares/v1/sets/find', {})).body
  const attacker = await logInDevice(fay)
  expect(await changeContact(attacker, fay, 'mallory@example.com')).toMatchObject(createRefusal(403, 'deviceAge'))
  expect(await attacker.request('POST', '/shares/v1/sets/remove', { setId })).toMatchObject(
    createRefusal(403, 'deviceAge'),
  )
  expect(await isFound(await logInDevice(fay, fay, owner))).toBe(true)
})
