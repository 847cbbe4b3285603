import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHolder } from '../../testing/openTestHolder.ts'
import type { HolderUser, KeyHolder } from '../keyHolder.ts'
import { createMemoryStore, openHolderStore, type HolderStore } from './holderStore.ts'
import { logInByMail } from '../../testing/mailedLogin.ts'

let mail: LocalMail
let services: LoginServices
let ahead = 0
const now = (): number => Date.now() + ahead
const origin = 'http://app.localhost'
const order = { kind: 'evm-message', message: new Uint8Array(1) } as const

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** The storage of a site, and its failures. */
type Disk = HolderStore & {
  clear(): void
  /** From now on, refuses new entries with this prefix. Existing ones stay. */
  fill(...beginnings: readonly string[]): void
}

function startDisk(): Disk {
  let stored = createMemoryStore()
  let full: readonly string[] = []
  const mustFit = (names: readonly string[]): void => {
    if (names.some((name) => full.some((beginning) => name.startsWith(beginning)))) {
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    }
  }
  return {
    clear: () => void (stored = createMemoryStore()),
    fill: (...beginnings) => void (full = beginnings),
    read: (name) => stored.read(name),
    async write(entries) {
      mustFit(Object.keys(entries).filter((name) => entries[name] !== undefined))
      await stored.write(entries)
    },
    async claim(name, value) {
      if ((await stored.read(name)) === undefined) mustFit([name])
      return stored.claim(name, value)
    },
  }
}

/** A page in a browser. */
function openTopLevelPage(disk: Disk): Promise<KeyHolder> {
  const { authUrl, sharesUrl } = services
  return openTestHolder({ authUrl, sharesUrl, store: openHolderStore('latchkey', disk), now })
}

/** Logs in by mail. Returns whether the browser needed an approval. */
function logIn(holder: KeyHolder, email: string): Promise<{ user: HolderUser; wasApproved: boolean }> {
  // The limit is twenty mails per hour and machine.
  ahead += 181_000
  return logInByMail(mail, holder, { email, origin, fresh: true })
}

describe('cleared storage', () => {
  test('under an open page costs the approval of the browser but no address [I-13]', async () => {
    const disk = startDisk()
    const holder = await openTopLevelPage(disk)
    const { user } = await logIn(holder, 'ann@example.org')
    disk.clear()
    // The open wallet continues, and opens again with the services' data.
    expect(await holder.sign(order)).toHaveLength(65)
    await holder.lock()
    expect(await holder.sign(order)).toHaveLength(65)
    disk.clear()
    await holder.signOut()
    const again = await logIn(holder, 'ann@example.org')
    expect(again).toEqual({ user, wasApproved: true })
    // It is stored again: the next page finds it.
    const next = await openTopLevelPage(disk)
    expect(await next.restore()).toEqual(user)
    expect(await next.sign(order)).toHaveLength(65)
  })
})

describe('full storage', () => {
  test.each([
    { what: 'everything', beginnings: [''] },
    { what: 'the part of the key', beginnings: ['share:', 'wallet:'] },
    { what: 'the vault alone', beginnings: ['wallet:'] },
  ])(
    'that refuses $what keeps the wallet until the page closes, and the same wallet later [I-13]',
    { tags: 'abuse' },
    async ({ beginnings }) => {
      const email = `full${beginnings.join('').replaceAll(':', '')}@example.org`
      const disk = startDisk()
      disk.fill(...beginnings)
      const holder = await openTopLevelPage(disk)
      const { user } = await logIn(holder, email)
      await holder.lock()
      expect(await holder.sign(order)).toHaveLength(65)
      // No share exists without the rest of its record.
      expect(await disk.read(`share:${user.id}`)).toBeUndefined()
      const again = await logIn(await openTopLevelPage(disk), email)
      expect(again.user.accounts).toEqual(user.accounts)
    },
  )

  test('after cleared data keeps the addresses, with the old share and no storage for a new one [I-13]', async () => {
    const email = 'old@example.org'
    const disk = startDisk()
    const { user } = await logIn(await openTopLevelPage(disk), email)
    // The old key share stays. This browser's keys to it are gone.
    await disk.write({ keys: undefined })
    disk.fill('')
    const page = await openTopLevelPage(disk)
    expect(await page.restore()).toBeUndefined()
    const again = await logIn(page, email)
    expect(again).toEqual({ user, wasApproved: true })
    await page.lock()
    expect(await page.sign(order)).toHaveLength(65)
    disk.fill()
    expect((await logIn(await openTopLevelPage(disk), email)).user.accounts).toEqual(user.accounts)
  })
})
