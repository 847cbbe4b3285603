import {
  startAnvil,
  startFarcaster,
  startIdentity,
  startMail,
  type Anvil,
  type LocalFarcaster,
  type LocalIdentity,
  type LocalMail,
} from '@latchkey/devnet'
import { comeBack, secretOf, startLoginServices, visitProvider, type LoginServices } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stretchWithArgon2 } from '../../custody/stretchWithArgon2.ts'
import { openKeyHolder } from '../openKeyHolder.ts'
import type { LoginResult, HolderUser, KeyHolder } from '../keyHolder.ts'
import { createMemoryStore } from '../storage/holderStore.ts'

let mail: LocalMail
let anvil: Anvil
let identity: LocalIdentity
let farcaster: LocalFarcaster
let services: LoginServices
const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'

beforeAll(async () => {
  mail = await startMail()
  identity = await startIdentity()
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
  const { appUrl, rpcUrl } = farcaster
  const told = { farcaster: { appUrl, rpcUrl } }
  const { socials } = identity
  services = await startLoginServices({ mailUrl: mail.url, socials, parts: { auth: told, shares: told } })
}, 60_000)
afterAll(async () => {
  await services.close()
  await farcaster.close()
  await anvil.close()
  await identity.close()
  await mail.close()
})

/** A new browser. */
function openBrowser(): Promise<KeyHolder> {
  const { authUrl, sharesUrl } = services
  return openKeyHolder({
    authUrl,
    sharesUrl,
    projectId,
    isFramed: true,
    stretch: stretchWithArgon2,
    store: createMemoryStore(),
    now: Date.now,
    later(act) {
      const timer = setTimeout(act, 50)
      return () => clearTimeout(timer)
    },
    alone: (act) => act(),
  })
}

/** Opens the mail and enters its digits. */
async function approve(email: string, match: string): Promise<void> {
  const { text } = await mail.waitFor(email, 0)
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match })
  expect((await fetch(link.origin + link.pathname, { method: 'POST', body })).status).toBe(200)
}

function userOf(entered: LoginResult): HolderUser {
  return 'user' in entered ? entered.user : expect.fail(`something else is wanted: ${JSON.stringify(entered)}`)
}

describe('a user with an external account', () => {
  async function logInBy(provider: 'google' | 'github', email: string): Promise<LoginResult> {
    const holder = await openBrowser()
    const { uri } = await holder.beginSocial({ provider, origin })
    const ended = holder.awaitSocial()
    const page = await (await comeBack(await visitProvider(uri, { name: 'Fay Lee', email }))).text()
    const handover = { id: /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '', secret: secretOf(page) ?? '' }
    expect(await (await openBrowser()).acceptLogin(handover)).toBe(false)
    expect(await holder.acceptLogin(handover)).toBe(true)
    const entered = await ended
    // Repeated calls get the same result, and tokens are used once.
    expect(await holder.awaitSocial()).toEqual(entered)
    if (!('match' in entered)) return entered
    await approve(email, entered.match)
    return holder.awaitApproval()
  }

  test('has the same wallet in two browsers with a verifiable provider, without a mail', async () => {
    const one = userOf(await logInBy('google', 'fay@example.org'))
    expect(one).toMatchObject({ email: 'fay@example.org', userName: 'Fay Lee' })
    expect(userOf(await logInBy('google', 'fay@example.org')).accounts).toEqual(one.accounts)
    expect(mail.received().flatMap(({ to }) => to)).not.toContain('fay@example.org')
  })

  test('approves the second browser by mail if only the auth service can verify the provider', async () => {
    const one = userOf(await logInBy('github', 'gus@example.org'))
    expect(mail.received().flatMap(({ to }) => to)).not.toContain('gus@example.org')
    expect(userOf(await logInBy('github', 'gus@example.org')).accounts).toEqual(one.accounts)
    expect(mail.received().flatMap(({ to }) => to)).toContain('gus@example.org')
  })

  test('has the same wallet in two browsers with Farcaster', async () => {
    const users: HolderUser[] = []
    for (let browser = 0; browser < 2; browser += 1) {
      const holder = await openBrowser()
      const { url } = await holder.beginFarcaster({ origin })
      const ended = holder.awaitFarcaster()
      const body = new URLSearchParams({ fid: String(farcaster.people[0]?.fid) })
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
      const { userName, ...entered } = await ended
      expect(userName).toBe(farcaster.people[0]?.userName)
      users.push(userOf(entered))
    }
    expect(users[1]?.accounts).toEqual(users[0]?.accounts)
  })

  test('can’t use the link of another login [A-09]', async () => {
    const holder = await openBrowser()
    await expect(holder.awaitSocial()).rejects.toThrow('Start the login first.')
  })
})
