import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { interceptStores } from '../testing/interceptStores.ts'
import { createWallet, unlock, type KeyShareStores, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'

let world: CustodyWorld
const now = (): number => world.now()

beforeAll(async () => {
  world = await startCustodyWorld({ layout: 'split' })
})
afterAll(() => world.close())

const password: RecoveryMethodKey = { id: 'password', method: 'password', key: new Uint8Array(32).fill(5), facts: '{}' }
const rightPassword = async (): Promise<Uint8Array> => password.key.slice()

const freshDevice = (email: string): Promise<TestDevice> => world.fresh(email)

describe('a wallet', () => {
  test('opens on its device with the auth service alone and on a new device with both services, with the same addresses [K-03]', async () => {
    const laptop = await freshDevice('ann@example.org')
    const made = await createWallet(laptop, [password], now())
    expect(await unlock(laptop)).toEqual(made)
    const phone = await freshDevice('ann@example.org')
    expect(await unlock(phone)).toBeUndefined()
    expect(await recover(phone, rightPassword)).toEqual(made)
    expect(await unlock(phone)).toEqual(made)
    expect(await unlock(laptop)).toEqual(made)
  })

  test('does not open with a wrong password, and the attempt changes nothing', async () => {
    const laptop = await freshDevice('ben@example.org')
    const made = await createWallet(laptop, [password], now())
    const phone = await freshDevice('ben@example.org')
    await expect(recover(phone, async () => new Uint8Array(32))).rejects.toEqual(
      expect.objectContaining({ code: 'custody/unreadable' }),
    )
    expect(await recover(phone, rightPassword)).toEqual(made)
  })

  test('is created once by two windows at the same time, and the other window recovers it [K-14]', async () => {
    const [one, two] = [await freshDevice('cat@example.org'), await freshDevice('cat@example.org')]
    const outcomes = await Promise.allSettled([one, two].map((stores) => createWallet(stores, [password], now())))
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(made.length).toBeLessThanOrEqual(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost.every((reason) => reason instanceof ServiceRefusal && reason.status === 409)).toBe(true)
    const third = await recover(two, rightPassword)
    if (made[0] !== undefined) expect(third).toEqual(made[0])
  })

  test('is recovered on a new device if one device was used daily and another one not for ninety days [K-12]', async () => {
    const laptop = await freshDevice('daily@example.org')
    const made = await createWallet(laptop, [password], now())
    const tablet = await freshDevice('daily@example.org')
    await recover(tablet, rightPassword)
    for (const days of [89, 2]) {
      world.pass(days * 86_400_000)
      const again = await world.login('daily@example.org', laptop)
      expect(await unlock(again)).toEqual(made)
      await world.services.sweep()
    }
    expect(await recover(await freshDevice('daily@example.org'), rightPassword)).toEqual(made)
  })

  const steps = ['shares.prepare', 'auth.prepare', 'device.write', 'shares.commit', 'auth.commit'] as const
  test.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'interrupted at %s, %s its completion, showed no address and exists on a new device [K-12]',
    { tags: 'abuse' },
    async (step, moment) => {
      const email = `${step.replace('.', '-')}-${moment}@example.org`
      const dying = dieAt(await freshDevice(email), step, moment)
      await expect(createWallet(dying, [password], now())).rejects.toThrow('died')
      const fresh = await freshDevice(email)
      // A wallet committed at the share store is recovered. Otherwise a new one is created.
      const wallet = await recover(fresh, rightPassword).catch(() => createWallet(fresh, [password], now()))
      expect(await unlock(fresh)).toEqual(wallet)
      const another = await freshDevice(email)
      expect(await recover(another, rightPassword)).toEqual(wallet)
    },
  )

  test('is recovered on a third device days after two devices were interrupted between the commits [K-12]', async () => {
    const email = 'twice@example.org'
    const first = dieAt(await freshDevice(email), 'shares.commit', 'after')
    await expect(createWallet(first, [password], now())).rejects.toThrow('died')
    const second = dieAt(await freshDevice(email), 'auth.commit', 'after')
    await expect(recover(second, rightPassword)).rejects.toThrow('died')
    world.pass(2 * 86_400_000)
    await world.services.sweep()
    const third = await freshDevice(email)
    const wallet = await recover(third, rightPassword)
    expect(await unlock(third)).toEqual(wallet)
  })
})

test.each(['shares.commit'])(
  'on a second device interrupted after %s is recovered with the first enrolment [K-12]',
  async (step) => {
    const email = `second-${step.replace('.', '-')}@example.org`
    const laptop = await freshDevice(email)
    const made = await createWallet(laptop, [password], now())
    const dying = dieAt(await freshDevice(email), step, 'after')
    await expect(recover(dying, rightPassword)).rejects.toThrow('died')
    // Also after each service has deleted unused enrolments.
    world.pass(91 * 86_400_000)
    await world.services.sweep()
    const phone = await freshDevice(email)
    expect(await recover(phone, rightPassword)).toEqual(made)
  },
)

/** Stores that disconnect permanently at a step, like a closed page. */
function dieAt(stores: KeyShareStores, step: string, moment: 'before' | 'after'): KeyShareStores {
  let dead = false
  return interceptStores(stores, async (call) => {
    const isStep = call.step === step
    if (isStep && moment === 'before') dead = true
    if (dead) throw new Error('died')
    const result = await call.run()
    if (isStep) dead = true
    if (dead) throw new Error('died')
    return result
  })
}
