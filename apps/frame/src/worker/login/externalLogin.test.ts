import {
  followCallback,
  createFakePasskey,
  secretOf,
  visitForCode,
  visitProvider,
  type FakeAssertion,
} from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startExternalLoginWorld, type ExternalLoginWorld } from '../../testing/externalLoginWorld.ts'
import { fromBase64url, toBase64url } from '../../services/toBase64url.ts'
import type { LoginResult, HolderUser, KeyHolder, PasskeyProof } from '../keyHolder.ts'

let world: ExternalLoginWorld
const origin = 'http://app.localhost'

beforeAll(async () => {
  world = await startExternalLoginWorld()
})
afterAll(() => world.close())

/** The secret that the last page of a login passes to the frame. */
function handoverOf(page: string): { id: string; secret: string } {
  return { id: /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '', secret: secretOf(page) ?? '' }
}

function userOf(entered: LoginResult): HolderUser {
  return 'user' in entered ? entered.user : expect.fail(`something else is wanted: ${JSON.stringify(entered)}`)
}

const proofOf = ({ id, ...rest }: FakeAssertion): PasskeyProof => ({
  id,
  authenticatorData: fromBase64url(rest.authenticatorData),
  clientDataJSON: fromBase64url(rest.clientDataJSON),
  signature: fromBase64url(rest.signature),
})

describe('a user with an external account', () => {
  async function logInBy(provider: 'google' | 'github', email: string, browser?: KeyHolder): Promise<LoginResult> {
    const holder = browser ?? (await world.openBrowser())
    const { uri } = await holder.beginSocial({ provider, origin })
    const ended = holder.awaitSocial()
    const user = { name: 'Fay Lee', email }
    const page = await (await followCallback(await visitProvider(uri, user))).text()
    const handover = handoverOf(page)
    expect(await (await world.openBrowser()).acceptLogin(handover)).toBe(false)
    expect(await holder.acceptLogin(handover)).toBe(true)
    const entered = await ended
    // Repeated calls get the same result, and tokens are used once.
    expect(await holder.awaitSocial()).toEqual(entered)
    if (!('needsCode' in entered)) return entered
    const next = /data-next href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? expect.fail('no next login')
    await expect(holder.approveDevice('00000000')).rejects.toMatchObject({ status: 404 })
    await holder.approveDevice((await visitForCode(next, user)) ?? expect.fail('no code'))
    return holder.awaitApproval()
  }

  test.each(['google', 'github'] as const)(
    'has the same wallet in two browsers with %s, and its owner is notified of the second one [C-07]',
    { tags: 'abuse' },
    async (provider) => {
      const email = `fay-${provider}@example.org`
      const one = userOf(await logInBy(provider, email))
      expect(userOf(await logInBy(provider, email)).accounts).toEqual(one.accounts)
      const mails = world.mail.received().filter(({ to }) => to.includes(email))
      expect(mails.map(({ subject }) => subject)).toEqual(['A new device can open your wallet'])
    },
  )

  test('logs in at the provider once in a known browser', async () => {
    const user = { name: 'Fay Lee', email: 'known@example.org' }
    const holder = await world.openBrowser()
    const one = userOf(await logInBy('github', user.email, holder))
    await holder.signOut()
    const { uri } = await holder.beginSocial({ provider: 'github', origin })
    const page = await (await followCallback(await visitProvider(uri, user))).text()
    expect(page).not.toContain('data-next href')
    expect(await holder.acceptLogin(handoverOf(page))).toBe(true)
    expect(userOf(await holder.awaitSocial()).accounts).toEqual(one.accounts)
  })

  test('is approved by a code that arrives before the wallet needs it', async () => {
    const user = { name: 'Fay Lee', email: 'early@example.org' }
    const holder = await world.openBrowser()
    const { uri } = await holder.beginSocial({ provider: 'x', origin })
    const page = await (await followCallback(await visitProvider(uri, user))).text()
    const next = /data-next href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? expect.fail('no next login')
    await holder.approveDevice((await visitForCode(next, user)) ?? expect.fail('no code'))
    expect(await holder.acceptLogin(handoverOf(page))).toBe(true)
    expect(await holder.awaitSocial()).toEqual({ needsCode: true })
    expect(userOf(await holder.awaitApproval()).accounts).toHaveLength(2)
  })

  async function logInByFarcaster(holder: KeyHolder, person = world.farcaster.people[0]): Promise<LoginResult> {
    const { url } = await holder.beginFarcaster({ origin })
    const ended = holder.awaitFarcaster()
    const body = new URLSearchParams({ fid: String(person?.fid) })
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    const { userName, ...entered } = await ended
    expect(userName).toBe(person?.userName)
    return entered
  }

  test(
    'opens the wallet in a second browser with Farcaster and one use of a passkey, without the first one [K-16]',
    { tags: 'abuse' },
    async () => {
      const [known, phone, person] = [await world.openBrowser(), await world.openBrowser(), world.farcaster.people[1]]
      const { accounts } = userOf(await logInByFarcaster(known, person))
      const [passkey, output] = [createFakePasskey(), crypto.getRandomValues(new Uint8Array(32))]
      const { id } = passkey
      await known.addPasskey({ id, output, facts: '{}', publicKey: fromBase64url(passkey.publicKey) })
      await known.removeRecoveryMethod('auto', [{ method: 'passkey', id, output }])
      await expect(phone.createDevicePasskeyRequest()).rejects.toMatchObject({ status: 409 })
      const entered = await logInByFarcaster(phone, person)
      expect(entered).toMatchObject({ needsDevice: { hasPasskey: true } })
      const opened = phone.awaitApproval()
      const { input, challenge } = await phone.createDevicePasskeyRequest()
      expect(input).toEqual((await known.createPasskeyRequest()).input)
      const foreign = proofOf(createFakePasskey().respond(toBase64url(challenge)))
      await expect(phone.approveDeviceByPasskey({ proof: foreign, output })).rejects.toMatchObject({ field: 'passkey' })
      const request = await phone.createDevicePasskeyRequest()
      await phone.approveDeviceByPasskey({ proof: proofOf(passkey.respond(toBase64url(request.challenge))), output })
      expect(userOf(await opened).accounts).toEqual(accounts)
    },
  )

  test(
    'has the same wallet in two browsers with Farcaster after the first one has approved the second',
    { tags: 'abuse' },
    async () => {
      const [known, phone] = [await world.openBrowser(), await world.openBrowser()]
      const { accounts } = userOf(await logInByFarcaster(known))
      expect(await known.waitingDevices()).toEqual([])
      const entered = await logInByFarcaster(phone)
      const { match, opensAt } = 'needsDevice' in entered ? entered.needsDevice : expect.fail('nothing to wait for')
      expect(opensAt).toBeGreaterThan(Date.now() + 23 * 3_600_000)
      const [device = expect.fail('nothing waits')] = await known.waitingDevices()
      const opened = phone.awaitApproval()
      await expect(known.approveWaitingDevice(device.id, match === '10' ? '11' : '10')).rejects.toMatchObject({
        status: 401,
        field: 'match',
      })
      await known.approveWaitingDevice(device.id, match)
      expect(userOf(await opened).accounts).toEqual(accounts)
      expect(await known.waitingDevices()).toEqual([])
      // The known device logs in again without an approval.
      await phone.signOut()
      expect(userOf(await logInByFarcaster(phone)).accounts).toEqual(accounts)
      const other = await world.openBrowser()
      await logInByFarcaster(other)
      const refused = other.awaitApproval()
      refused.catch(() => undefined)
      const [next = expect.fail('nothing waits')] = await known.waitingDevices()
      await known.stopWaitingDevice(next.id)
      await expect(refused).rejects.toMatchObject({ status: 403, field: 'stopped' })
    },
  )

  test('can’t use the link of another login [A-09]', async () => {
    const holder = await world.openBrowser()
    await expect(holder.awaitSocial()).rejects.toThrow('Start the login first.')
  })
})
