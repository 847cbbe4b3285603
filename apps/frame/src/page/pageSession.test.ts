import { describe, expect, test } from 'vitest'
import type { LoginResult, HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import { createMemoryStore } from '../worker/storage/holderStore.ts'
import { createConsents } from './consents.ts'
import { createPageSession, type PageSessionDependencies } from './pageSession.ts'

const ann: HolderUser = { id: 'ann', email: 'ann@example.org', accounts: [] }
const { signal } = new AbortController()

/** A browser in which Ann is logged in. Its pages share the storage. */
function start() {
  const consents = createConsents(createMemoryStore())
  let signedOut = 0
  const holder = { restore: async () => ann, signOut: async () => void (signedOut += 1) }
  const open = (origin: string, dependencies: Partial<PageSessionDependencies> = {}) =>
    createPageSession({
      // No other member is called.
      holder: holder as Partial<KeyHolder> as KeyHolder,
      consents,
      origin: () => origin,
      confirmConnection: async () => false,
      showDeviceApproval: async () => undefined,
      showKnownDeviceApproval: async () => undefined,
      reviewDevices: async () => undefined,
      showRecovery: async () => undefined,
      ...dependencies,
    })
  return { open, signedOut: () => signedOut }
}

describe('the logged-in user', () => {
  test('is hidden from pages without a consent', async () => {
    const page = start().open('https://app.example')
    expect(await page.find()).toBeUndefined()
    await expect(page.get()).rejects.toMatchObject({ code: 4100 })
    await expect(page.consent(signal)).rejects.toMatchObject({ code: 4001 })
    expect(await page.find()).toBeUndefined()
  })

  test('is visible to the page with a consent only', async () => {
    const { open } = start()
    const requests: unknown[] = []
    const page = open('https://app.example', { confirmConnection: async (who) => requests.push(who) > 0 })
    await page.consent(signal)
    await page.consent(signal)
    expect(requests).toEqual([{ origin: 'https://app.example', account: 'ann@example.org' }])
    expect(await page.get()).toEqual(ann)
    expect(await open('https://app.example').find()).toEqual(ann)
    expect(await open('https://other.example').find()).toBeUndefined()
  })

  test('is visible to the page of the login until the logout', async () => {
    const { open, signedOut } = start()
    const page = open('https://app.example')
    await page.enter({ user: ann }, signal)
    expect(await page.find()).toEqual(ann)
    await page.leave()
    expect(signedOut()).toBe(1)
    expect(await open('https://app.example').find()).toBeUndefined()
  })

  test('is missing if the device approval or the recovery failed, or the page aborted', async () => {
    const { open } = start()
    const gone = AbortSignal.abort()
    const methods: LoginResult = { recoveryMethods: [] }
    await expect(open('https://a.example').enter(methods, signal)).rejects.toMatchObject({ code: 4001 })
    const link: LoginResult = { needsCode: true }
    await expect(open('https://a.example').enter(link, signal)).rejects.toMatchObject({ code: 4001 })
    await expect(open('https://a.example').enter({ user: ann }, gone)).rejects.toMatchObject({ code: 4001 })
    expect(await open('https://a.example').find()).toBeUndefined()
    const bothScreens = { showDeviceApproval: async () => methods, showRecovery: async () => ann }
    await open('https://a.example', bothScreens).enter(link, signal)
    expect(await open('https://a.example').find()).toEqual(ann)
  })

  test('waits for a known device, and reviews devices that wait for this one after the login and the consent', async () => {
    const { open } = start()
    const requested: unknown[] = []
    const waits: LoginResult = { needsDevice: { match: '42', opensAt: 1 } }
    await expect(open('https://a.example').enter(waits, signal)).rejects.toMatchObject({ code: 4001 })
    const page = open('https://a.example', {
      showKnownDeviceApproval: async (wait) => {
        requested.push(wait)
        return { user: ann }
      },
      reviewDevices: async () => void requested.push('reviews'),
      confirmConnection: async () => true,
    })
    await page.enter(waits, signal)
    expect(requested).toEqual([{ match: '42', opensAt: 1 }, 'reviews'])
    const reviewDevices = async () => void requested.push('reviews again')
    await open('https://b.example', { confirmConnection: async () => true, reviewDevices }).consent(signal)
    expect(requested.at(-1)).toBe('reviews again')
  })
})
