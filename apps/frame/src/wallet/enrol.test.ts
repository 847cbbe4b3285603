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
const getPasswordKey = async (): Promise<Uint8Array> => password.key.slice()

const createFreshDevice = (email: string): Promise<TestDevice> => world.fresh(email)

describe('a wallet', () => {
  test('opens on its device with the auth service alone and on a new device with both services, with the same addresses [K-03]', async () => {
    const laptop = await createFreshDevice('ann@example.org')
    const made = await createWallet(laptop, [password], now())
    expect(await unlock(laptop)).toEqual(made)
    const phone = await createFreshDevice('ann@example.org')
    expect(await unlock(phone)).toBeUndefined()
    expect(await recover(phone, getPasswordKey)).toEqual(made)
    expect(await unlock(phone)).toEqual(made)
    expect(await unlock(laptop)).toEqual(made)
  })

  test('does not open with a wrong password, and the attempt changes nothing', async () => {
    const laptop = await createFreshDevice('ben@example.org')
    const made = await createWallet(laptop, [password], now())
    const phone = await createFreshDevice('ben@example.org')
    await expect(recover(phone, async () => new Uint8Array(32))).rejects.toEqual(
      expect.objectContaining({ code: 'custody/unreadable' }),
    )
    expect(await recover(phone, getPasswordKey)).toEqual(made)
  })

  test('is created once by two windows at the same time, and the other window recovers it [K-14]', async () => {
    const [one, two] = [await createFreshDevice('cat@example.org'), await createFreshDevice('cat@example.org')]
    const outcomes = await Promise.allSettled([one, two].map((stores) => createWallet(stores, [password], now())))
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(made.length).toBeLessThanOrEqual(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost.every((reason) => reason instanceof ServiceRefusal && reason.status === 409)).toBe(true)
    const third = await recover(two, getPasswordKey)
    if (made[0] !== undefined) expect(third).toEqual(made[0])
  })

  test('is recovered on a new device if one device was used daily and another one not for ninety days [K-12]', async () => {
    const laptop = await createFreshDevice('daily@example.org')
    const made = await createWallet(laptop, [password], now())
    const tablet = await createFreshDevice('daily@example.org')
    await recover(tablet, getPasswordKey)
    for (const days of [89, 2]) {
      world.pass(days * 86_400_000)
      const again = await world.login('daily@example.org', laptop)
      expect(await unlock(again)).toEqual(made)
      await world.services.sweep()
    }
    expect(await recover(await createFreshDevice('daily@example.org'), getPasswordKey)).toEqual(made)
  })

  const steps = ['shares.prepare', 'auth.prepare', 'device.write', 'shares.commit', 'auth.commit'] as const
  test.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'interrupted at %s, %s its completion, showed no address and exists on a new device [K-12]',
    { tags: 'abuse' },
    async (step, moment) => {
      const email = `${step.replace('.', '-')}-${moment}@example.org`
      const dying = failAtStep(await createFreshDevice(email), step, moment)
      await expect(createWallet(dying, [password], now())).rejects.toThrow('died')
      const fresh = await createFreshDevice(email)
      // A wallet committed at the share store is recovered. Otherwise a new one is created.
      const wallet = await recover(fresh, getPasswordKey).catch(() => createWallet(fresh, [password], now()))
      expect(await unlock(fresh)).toEqual(wallet)
      const another = await createFreshDevice(email)
      expect(await recover(another, getPasswordKey)).toEqual(wallet)
    },
  )

  test('is recovered on a third device days after two devices were interrupted between the commits [K-12]', async () => {
    const email = 'twice@example.org'
    const first = failAtStep(await createFreshDevice(email), 'shares.commit', 'after')
    await expect(createWallet(first, [password], now())).rejects.toThrow('died')
    const second = failAtStep(await createFreshDevice(email), 'auth.commit', 'after')
    await expect(recover(second, getPasswordKey)).rejects.toThrow('died')
    world.pass(2 * 86_400_000)
    await world.services.sweep()
    const third = await createFreshDevice(email)
    const wallet = await recover(third, getPasswordKey)
    expect(await unlock(third)).toEqual(wallet)
  })
})

test.each(['auth.commitProven', 'shares.commitProven'])(
  'on a second device interrupted after %s is recovered with the first enrolment [K-12]',
  async (step) => {
    const email = `second-${step.replace('.', '-')}@example.org`
    const laptop = await createFreshDevice(email)
    const made = await createWallet(laptop, [password], now())
    const dying = failAtStep(await createFreshDevice(email), step, 'after')
    await expect(recover(dying, getPasswordKey)).rejects.toThrow('died')
    // Also after each service has deleted unused enrolments.
    world.pass(91 * 86_400_000)
    await world.services.sweep()
    const phone = await createFreshDevice(email)
    expect(await recover(phone, getPasswordKey)).toEqual(made)
  },
)

/** Stores that disconnect permanently at a step, like a closed page. */
function failAtStep(stores: KeyShareStores, step: string, moment: 'before' | 'after'): KeyShareStores {
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
