import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAsk, ServiceRefusal, type Ask } from '../services/ask.ts'
import { createDeviceKey, type DeviceKey } from '../services/deviceKey.ts'
import { createAuthKeeper, createShareKeeper } from '../services/services.ts'
import { memoryDeviceStore } from './deviceStore.ts'
import { createWallet, recover, unlock, type Keepers, type RecoveryWay } from './enrol.ts'

let mail: LocalMail
let services: LoginServices
let later = 0
const now = (): number => Date.now() + later
const projectId = 'ab'.repeat(16)

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
}, 60_000)
afterAll(async () => {
  await services.close()
  await mail.close()
})

const password: RecoveryWay = { id: 'password', method: 'password', key: new Uint8Array(32).fill(5), facts: '{}' }
const rightPassword = async (): Promise<Uint8Array> => password.key

/** A browser that nobody has used before: logged in by code, and approved by link. */
async function freshDevice(email: string): Promise<Keepers> {
  // One machine gets twenty mails an hour.
  later += 181_000
  const key = await createDeviceKey()
  const [plainAuth, plainShares] = [asker(services.authUrl, key), asker(services.sharesUrl, key)]
  const asking = { email, projectId, origin: 'http://app.localhost' }
  const before = mail.received()[0]?.id ?? 0
  const { id } = await plainAuth('POST', '/auth/v1/codes', asking)
  const codeMail = await mail.waitFor(email, before)
  const code = /\b\d{6}\b/.exec(codeMail.text)?.[0]
  const { tokens } = await plainAuth('POST', '/auth/v1/codes/redeem', { id, email, code })
  const { match } = await plainShares('POST', '/shares/v1/links', asking)
  const linkMail = await mail.waitFor(email, codeMail.id)
  const link = new URL(/http:\/\/127\S+/.exec(linkMail.text)?.[0] ?? expect.fail('no link'))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  const { accessToken } = tokens as { accessToken: string }
  return {
    auth: createAuthKeeper(asker(services.authUrl, key, accessToken)),
    shares: createShareKeeper(asker(services.sharesUrl, key, accessToken)),
    device: memoryDeviceStore(),
  }
}

const asker = (url: string, key: DeviceKey, token?: string): Ask =>
  createAsk({ url, key, now, accessToken: () => token })

describe('a wallet', () => {
  test('opens on its device with the auth service alone, and on a new one with both, at the same addresses [K-03]', async () => {
    const laptop = await freshDevice('ann@example.org')
    const made = await createWallet(laptop, [password], now())
    expect(await unlock(laptop)).toEqual(made)
    const phone = await freshDevice('ann@example.org')
    expect(await unlock(phone)).toBeUndefined()
    expect(await recover(phone, rightPassword)).toEqual(made)
    expect(await unlock(phone)).toEqual(made)
    expect(await unlock(laptop)).toEqual(made)
  })

  test('does not open with another password, and nothing is changed by trying', async () => {
    const laptop = await freshDevice('ben@example.org')
    const made = await createWallet(laptop, [password], now())
    const phone = await freshDevice('ben@example.org')
    await expect(recover(phone, async () => new Uint8Array(32))).rejects.toEqual(
      expect.objectContaining({ code: 'custody/unreadable' }),
    )
    expect(await recover(phone, rightPassword)).toEqual(made)
  })

  test('is one, when two windows make it at once; the other one recovers it [K-14]', async () => {
    const [one, two] = [await freshDevice('cat@example.org'), await freshDevice('cat@example.org')]
    const outcomes = await Promise.allSettled([one, two].map((keepers) => createWallet(keepers, [password], now())))
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(made.length).toBeLessThanOrEqual(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost.every((reason) => reason instanceof ServiceRefusal && reason.status === 409)).toBe(true)
    const third = await recover(two, rightPassword)
    if (made[0] !== undefined) expect(third).toEqual(made[0])
  })

  const steps = ['shares.prepare', 'auth.prepare', 'device.write', 'shares.commit', 'auth.commit'] as const
  test.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'whose making died at %s, %s it was done, told no address, and is had on a fresh device all the same [K-12]',
    async (step, moment) => {
      const email = `${step.replace('.', '-')}-${moment}@example.org`
      const dying = dieAt(await freshDevice(email), step, moment)
      await expect(createWallet(dying, [password], now())).rejects.toThrow('died')
      const fresh = await freshDevice(email)
      // What counts at the share store is recovered; otherwise there is none yet, and one is made.
      const wallet = await recover(fresh, rightPassword).catch(() => createWallet(fresh, [password], now()))
      expect(await unlock(fresh)).toEqual(wallet)
      const another = await freshDevice(email)
      expect(await recover(another, rightPassword)).toEqual(wallet)
    },
  )
})

/** Keepers that are cut off for good at a step, as a page is that is closed. */
function dieAt(keepers: Keepers, step: string, moment: 'before' | 'after'): Keepers {
  let dead = false
  const guard = <keeper extends object>(name: string, keeper: keeper): keeper =>
    new Proxy(keeper, {
      get(target, method) {
        const act: unknown = Reflect.get(target, method)
        if (typeof act !== 'function') return act
        return async (...args: unknown[]) => {
          const isStep = `${name}.${String(method)}` === step
          if (isStep && moment === 'before') dead = true
          if (dead) throw new Error('died')
          const result: unknown = await Reflect.apply(act, target, args)
          if (isStep) dead = true
          if (dead) throw new Error('died')
          return result
        }
      },
    })
  return {
    auth: guard('auth', keepers.auth),
    shares: guard('shares', keepers.shares),
    device: guard('device', keepers.device),
  }
}
