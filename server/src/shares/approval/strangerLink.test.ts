import { randomBytes } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionTokens } from '../../auth/sessions/sessions.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'

const projectId = 'ab'.repeat(16)
const victim = 'victim@example.org'
const attackerBrowser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

const pageUrl = (): string => `${services.sharesUrl}/shares/v1/device`

/** An attacker who can log in as the victim at the auth service, for example with a code that the victim was tricked into telling. */
async function createAttacker(): Promise<LoginClient> {
  later += 181_000
  const client = await createLoginClient(services.sharesUrl, { clock })
  const auth = await createLoginClient(services.authUrl, { twin: client, clock })
  const before = mail.received()[0]?.id ?? 0
  const { body } = await auth.request('POST', '/auth/v1/codes', {
    email: victim,
    projectId,
    origin: 'http://support.localhost',
  })
  const code = /\b\d{6}\b/.exec((await mail.waitFor(victim, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email: victim, code })
  client.use((redeemed.body as { tokens: SessionTokens }).tokens.sharesToken)
  return client
}

/** Requests a link to the victim's mailbox, from another browser and page. */
async function requestLink(attacker: LoginClient): Promise<{ id: string; match: string; link: URL; text: string }> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  const path = '/shares/v1/links'
  // The same key without the tokens of the login.
  const { prove } = await createLoginClient(services.sharesUrl, { twin: attacker, clock })
  const response = await fetch(services.sharesUrl + path, {
    method: 'POST',
    headers: { dpop: await prove('POST', path), 'user-agent': attackerBrowser },
    body: JSON.stringify({ email: victim, projectId, origin: 'http://evil.localhost' }),
  })
  expect(response.status).toBe(200)
  const { id, match } = (await response.json()) as { id: string; match: string }
  const { text } = await mail.waitFor(victim, before)
  const [, link] = /(http:\/\/127\S+)/.exec(text) ?? []
  return { id, match, link: new URL(link ?? expect.fail('no link')), text }
}

async function stateOf(attacker: LoginClient, id: string): Promise<unknown> {
  return (await attacker.request('POST', '/shares/v1/links/state', { id })).body['state']
}

const formOf = (link: URL, match: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ ...Object.fromEntries(link.searchParams), match }),
})

describe('a link that an attacker requests to a victim’s mailbox [A-07]', () => {
  test('names the attacker’s page and browser in the mail and on the page', async () => {
    const { link, text } = await requestLink(await createAttacker())
    const page = await (await fetch(link)).text()
    for (const shown of [text, page]) {
      expect(shown).toContain('http://evil.localhost')
      expect(shown).toContain('Firefox')
      expect(shown).toContain('Linux')
    }
  })

  test('approves nothing when a mail scanner opens it ten times, follows its form and fetches its head', async () => {
    const attacker = await createAttacker()
    const { id, link } = await requestLink(attacker)
    for (let count = 0; count < 10; count += 1) await fetch(link)
    for (const method of ['HEAD', 'OPTIONS', 'PUT']) await fetch(link, { method })
    const page = await (await fetch(link)).text()
    expect(page).not.toMatch(/<script|<a |http-equiv/i)
    expect(await stateOf(attacker, id)).toBe('waiting')
    // Some scanners submit forms as they are, without digits.
    await fetch(pageUrl(), formOf(link, ''))
    expect(await stateOf(attacker, id)).toBe('waiting')
    expect((await attacker.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('approves nothing for the attacker, who knows the digits and not the link’s secret', async () => {
    const attacker = await createAttacker()
    const { id, match } = await requestLink(attacker)
    for (const secret of ['', id, randomBytes(32).toString('base64url')]) {
      const forged = new URL(`${pageUrl()}?${new URLSearchParams({ id, secret })}`)
      await fetch(pageUrl(), formOf(forged, match))
      expect(await (await fetch(forged)).text()).not.toContain('<form')
    }
    expect(await stateOf(attacker, id)).toBe('waiting')
    expect((await attacker.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('approves nothing when the victim enters the digits of their own request, and allows three attempts', async () => {
    // A mailbox gets five links an hour.
    later += 60 * 60_000
    const attacker = await createAttacker()
    // The victim's own request, and the link of the attacker, which the victim opens.
    const { match: own } = await requestLink(await createLoginClient(services.sharesUrl, { clock }))
    const { id, match, link } = await requestLink(attacker)
    expect(match).not.toBe(own)
    for (let count = 0; count < 3; count += 1) {
      expect(await stateOf(attacker, id)).toBe('waiting')
      await fetch(pageUrl(), formOf(link, own))
    }
    expect(await stateOf(attacker, id)).toBe('over')
    await fetch(pageUrl(), formOf(link, match))
    expect(await stateOf(attacker, id)).toBe('over')
    expect((await attacker.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('approves the device of the requester when the secret and the digits are right', async () => {
    const attacker = await createAttacker()
    const { id, match, link } = await requestLink(attacker)
    await fetch(pageUrl(), formOf(link, match))
    expect(await stateOf(attacker, id)).toBe('approved')
    expect((await attacker.request('POST', '/shares/v1/sets/find', {})).status).toBe(404)
  })
})
