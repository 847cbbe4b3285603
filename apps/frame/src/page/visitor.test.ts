import { describe, expect, test } from 'vitest'
import type { Entered, HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import { memoryStore } from '../worker/store.ts'
import { createConsents } from './consents.ts'
import { createVisitor, type VisitorParts } from './visitor.ts'

const ann: HolderUser = { id: 'ann', email: 'ann@example.org', accounts: [] }
const { signal } = new AbortController()

/** A browser in which Ann is logged in; pages share what it remembers. */
function start() {
  const consents = createConsents(memoryStore())
  let signedOut = 0
  const holder = { restore: async () => ann, signOut: async () => void (signedOut += 1) }
  const open = (origin: string, parts: Partial<VisitorParts> = {}) =>
    createVisitor({
      // Nothing else of it is called.
      holder: holder as Partial<KeyHolder> as KeyHolder,
      consents,
      origin: () => origin,
      askConsent: async () => false,
      askDevice: async () => undefined,
      askWay: async () => undefined,
      ...parts,
    })
  return { open, signedOut: () => signedOut }
}

describe('who is logged in', () => {
  test('is told to no page that was not let see it', async () => {
    const page = start().open('https://app.example')
    expect(await page.find()).toBeUndefined()
    await expect(page.get()).rejects.toMatchObject({ code: 4100 })
    await expect(page.consent(signal)).rejects.toMatchObject({ code: 4001 })
    expect(await page.find()).toBeUndefined()
  })

  test('is told to the page that was allowed, and to no other', async () => {
    const { open } = start()
    const asked: unknown[] = []
    const page = open('https://app.example', { askConsent: async (who) => asked.push(who) > 0 })
    await page.consent(signal)
    await page.consent(signal)
    expect(asked).toEqual([{ origin: 'https://app.example', account: 'ann@example.org' }])
    expect(await page.get()).toEqual(ann)
    expect(await open('https://app.example').find()).toEqual(ann)
    expect(await open('https://other.example').find()).toBeUndefined()
  })

  test('is told to the page that he logged in on, until he logs out', async () => {
    const { open, signedOut } = start()
    const page = open('https://app.example')
    await page.enter({ user: ann }, signal)
    expect(await page.find()).toEqual(ann)
    await page.leave()
    expect(signedOut()).toBe(1)
    expect(await open('https://app.example').find()).toBeUndefined()
  })

  test('is nobody where a new device was not approved, or its way not gone, or the page gave it up', async () => {
    const { open } = start()
    const gone = AbortSignal.abort()
    const ways: Entered = { ways: [] }
    await expect(open('https://a.example').enter(ways, signal)).rejects.toMatchObject({ code: 4001 })
    const link: Entered = { match: '17', email: 'ann@example.org' }
    await expect(open('https://a.example').enter(link, signal)).rejects.toMatchObject({ code: 4001 })
    await expect(open('https://a.example').enter({ user: ann }, gone)).rejects.toMatchObject({ code: 4001 })
    expect(await open('https://a.example').find()).toBeUndefined()
    const asksBoth = { askDevice: async () => ways, askWay: async () => ann }
    await open('https://a.example', asksBoth).enter(link, signal)
    expect(await open('https://a.example').find()).toEqual(ann)
  })
})
