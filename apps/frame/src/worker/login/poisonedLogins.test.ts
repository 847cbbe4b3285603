import { followCallback, secretOf, visitForCode, visitProvider } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startExternalLoginWorld, type ExternalLoginWorld } from '../../testing/externalLoginWorld.ts'
import { logInByMail } from '../../testing/mailedLogin.ts'
import type { KeyHolder, LoginResult } from '../keyHolder.ts'

// An attacker begins a login in a browser of their own and lures a victim to its link. The victim logs in with their own
// account. The attacker gets nothing, with each of the eight logins.

const origin = 'http://app.localhost'
const providers = ['google', 'apple', 'facebook', 'x', 'github', 'discord'] as const
type Provider = (typeof providers)[number]

let world: ExternalLoginWorld
let later = 0

beforeAll(async () => {
  world = await startExternalLoginWorld(() => Date.now() + later)
})
afterAll(() => world.close())

const fieldOf = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? expect.fail(`no ${name}`)

/** Three pairs of digits that are not those of the attacker. */
const wrongDigits = (match: string | undefined): readonly string[] =>
  ['11', '22', '33', '44'].filter((digits) => digits !== match).slice(0, 3)

async function enterDigits(page: string, match: string): Promise<string> {
  const fields = { id: fieldOf(page, 'id'), secret: fieldOf(page, 'secret'), match }
  const body = new URLSearchParams(fields)
  return (await fetch(`${world.services.authUrl}/auth/v1/social/confirm`, { method: 'POST', body })).text()
}

async function logInBy(provider: Provider, user: { name: string; email: string }): Promise<KeyHolder> {
  const holder = await world.openBrowser()
  const { uri } = await holder.beginSocial({ provider, origin })
  const page = await (await followCallback(await visitProvider(uri, user))).text()
  await holder.acceptLogin({ id: fieldOf(page, 'id'), secret: secretOf(page) ?? '' })
  expect(await holder.awaitSocial()).toEqual({ needsCode: true })
  const next = /data-next href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? expect.fail('no next login')
  await holder.approveDevice((await visitForCode(next, user)) ?? expect.fail('no code'))
  expect(await holder.awaitApproval()).toHaveProperty('user')
  return holder
}

describe('an attacker whose login a victim completes', { tags: 'abuse' }, () => {
  test.each(providers)('gets nothing with %s [A-21]', async (provider) => {
    const victim = { name: 'Victim', email: `victim-${provider}@example.org` }
    const frame = await logInBy(provider, victim)
    const attacker = await world.openBrowser()
    const lure = await attacker.beginSocial({ provider, origin })
    const page = await (await followCallback(await visitProvider(lure.uri, victim))).text()
    // The page passes its secret to the frames of the victim's browser, and shows no digits.
    const handover = { id: fieldOf(page, 'id'), secret: secretOf(page) ?? '' }
    expect(await frame.acceptLogin(handover)).toBe(false)
    const ended = attacker.awaitSocial()
    ended.catch(() => undefined)
    await attacker.acceptLogin({ ...handover, secret: 'A'.repeat(43) })
    for (const digits of wrongDigits(lure.match)) await enterDigits(page, digits)
    await expect(ended).rejects.toMatchObject({ status: 404, field: 'id' })
    // Even the secret is of no use then.
    expect(await enterDigits(page, lure.match ?? '')).toContain('This login has expired')
    await expect(attacker.awaitApproval()).rejects.toMatchObject({ status: 409 })
  })

  test.each(['a new address', 'an address with a wallet'])(
    'gets nothing with the mailed link of %s [A-07]',
    async (kind) => {
      const email = kind === 'a new address' ? 'new@example.org' : 'victim@example.org'
      if (kind !== 'a new address') await logInByMail(world.mail, await world.openBrowser(), { email, origin })
      later += 181_000
      const attacker = await world.openBrowser()
      const before = world.mail.received()[0]?.id ?? 0
      const { action, match } = await attacker.sendCode({ email, origin })
      expect(action).toBe('VERIFY_DEVICE')
      const link = new URL(/http:\/\/127\S+/.exec((await world.mail.waitFor(email, before)).text)?.[0] ?? '')
      expect((await fetch(link)).status).toBe(200)
      const ended = attacker.awaitDevice()
      ended.catch(() => undefined)
      for (const digits of wrongDigits(match)) {
        const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: digits })
        await fetch(link.origin + link.pathname, { method: 'POST', body })
      }
      await expect(ended).rejects.toMatchObject({ status: 410, field: 'link' })
      await expect(attacker.redeem('000000')).rejects.toMatchObject({ status: 409, field: 'email' })
    },
  )

  test('gets no wallet with Farcaster: the known device shows other digits, or refuses [A-21]', async () => {
    const { fid } = world.farcaster.people[0] ?? expect.fail('no account')
    const logIn = async (browser: KeyHolder): Promise<LoginResult> => {
      const { url } = await browser.beginFarcaster({ origin })
      const ended = browser.awaitFarcaster()
      await fetch(url, { method: 'POST', body: new URLSearchParams({ fid: String(fid) }) })
      return ended
    }
    const victim = await world.openBrowser()
    expect(await logIn(victim)).toHaveProperty('user')
    const attacker = await world.openBrowser()
    const entered = await logIn(attacker)
    const { match } = 'needsDevice' in entered ? entered.needsDevice : expect.fail('the attacker has the wallet')
    const ended = attacker.awaitApproval()
    ended.catch(() => undefined)
    const [device = expect.fail('nothing waits')] = await victim.waitingDevices()
    const [digits = ''] = wrongDigits(match)
    await expect(victim.approveWaitingDevice(device.id, digits)).rejects.toMatchObject({ field: 'match' })
    await victim.stopWaitingDevice(device.id)
    await expect(ended).rejects.toMatchObject({ status: 403, field: 'stopped' })
  })
})
