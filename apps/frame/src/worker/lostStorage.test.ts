import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stretchHere } from '../custody/stretch.ts'
import { openHolder } from './holder.ts'
import type { HolderUser, KeyHolder } from './keyHolder.ts'
import { memoryStore, openStore, type HolderStore } from './store.ts'

let mail: LocalMail
let services: LoginServices
let ahead = 0
const now = (): number => Date.now() + ahead
const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const order = { kind: 'evm-message', message: new Uint8Array(1) } as const

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
}, 60_000)
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** What a browser keeps of a site, with what may happen to it. */
type Disk = HolderStore & {
  clear(): void
  /** From now on nothing more is taken of what begins like this; what is there stays. */
  fill(...beginnings: readonly string[]): void
}

function startDisk(): Disk {
  let kept = memoryStore()
  let full: readonly string[] = []
  const mustFit = (names: readonly string[]): void => {
    if (names.some((name) => full.some((beginning) => name.startsWith(beginning)))) {
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    }
  }
  return {
    clear: () => void (kept = memoryStore()),
    fill: (...beginnings) => void (full = beginnings),
    read: (name) => kept.read(name),
    async write(entries) {
      mustFit(Object.keys(entries).filter((name) => entries[name] !== undefined))
      await kept.write(entries)
    },
    async claim(name, value) {
      if ((await kept.read(name)) === undefined) mustFit([name])
      return kept.claim(name, value)
    },
  }
}

/** A page that is opened in a browser. */
function openPage(disk: Disk): Promise<KeyHolder> {
  const { authUrl, sharesUrl } = services
  return openHolder({
    authUrl,
    sharesUrl,
    projectId,
    store: openStore('latchkey', disk),
    now,
    isFramed: true,
    stretch: stretchHere,
    later(act) {
      // Nobody waits in a test.
      const timer = setTimeout(act, 10)
      return () => clearTimeout(timer)
    },
    alone: (act) => act(),
  })
}

/** Logs in by mail, and tells whether the browser had to be approved for it. */
async function logIn(holder: KeyHolder, email: string): Promise<{ user: HolderUser; wasApproved: boolean }> {
  // One machine gets twenty mails an hour.
  ahead += 181_000
  let latest = mail.received()[0]?.id ?? 0
  const { action, match } = await holder.sendCode({ email, origin, fresh: true })
  const wasApproved = action === 'VERIFY_DEVICE'
  if (wasApproved) {
    const { id, text } = await mail.waitFor(email, latest)
    const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
    const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
    expect((await fetch(link.origin + link.pathname, { method: 'POST', body })).status).toBe(200)
    latest = id
    await holder.awaitDevice()
  }
  const { text } = await mail.waitFor(email, latest)
  const entered = await holder.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code'))
  return { user: 'user' in entered ? entered.user : expect.fail(JSON.stringify(entered)), wasApproved }
}

describe('storage that is cleared', () => {
  test('under an open page costs the approval of the browser, and no address [I-13]', async () => {
    const disk = startDisk()
    const holder = await openPage(disk)
    const { user } = await logIn(holder, 'ann@example.org')
    disk.clear()
    // What is open goes on, and opens once more by what the services keep.
    expect(await holder.sign(order)).toHaveLength(65)
    await holder.lock()
    expect(await holder.sign(order)).toHaveLength(65)
    disk.clear()
    await holder.signOut()
    const again = await logIn(holder, 'ann@example.org')
    expect(again).toEqual({ user, wasApproved: true })
    // It is kept anew: the next page finds it.
    const next = await openPage(disk)
    expect(await next.restore()).toEqual(user)
    expect(await next.sign(order)).toHaveLength(65)
  })
})

describe('storage that takes no more', () => {
  test.each([
    { what: 'everything', beginnings: [''] },
    { what: 'the part of the key', beginnings: ['share:', 'wallet:'] },
    { what: 'the vault alone', beginnings: ['wallet:'] },
  ])('and refuses $what gives a wallet until the page is closed, and the same again [I-13]', async ({ beginnings }) => {
    const email = `full${beginnings.join('').replaceAll(':', '')}@example.org`
    const disk = startDisk()
    disk.fill(...beginnings)
    const holder = await openPage(disk)
    const { user } = await logIn(holder, email)
    await holder.lock()
    expect(await holder.sign(order)).toHaveLength(65)
    // Nothing of a part is there without the rest.
    expect(await disk.read(`share:${user.id}`)).toBeUndefined()
    const again = await logIn(await openPage(disk), email)
    expect(again.user.accounts).toEqual(user.accounts)
  })

  test('in place of what there was leaves the account its addresses, with the old part and without room for a new one [I-13]', async () => {
    const email = 'old@example.org'
    const disk = startDisk()
    const { user } = await logIn(await openPage(disk), email)
    // The old part of the key stays, and this browser's keys to it do not.
    await disk.write({ keys: undefined })
    disk.fill('')
    const page = await openPage(disk)
    expect(await page.restore()).toBeUndefined()
    const again = await logIn(page, email)
    expect(again).toEqual({ user, wasApproved: true })
    await page.lock()
    expect(await page.sign(order)).toHaveLength(65)
    disk.fill()
    expect((await logIn(await openPage(disk), email)).user.accounts).toEqual(user.accounts)
  })
})
