import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCustodyWorld, type CustodyWorld } from '../testing/custodyWorld.ts'
import { interceptStores } from '../testing/interceptStores.ts'
import { createWallet, unlock, type KeyShareStores, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'

const password: RecoveryMethodKey = { id: 'password', method: 'password', key: new Uint8Array(32).fill(5), facts: '{}' }
const getPasswordKey = async (): Promise<Uint8Array> => password.key

describe.each(['one', 'split'] as const)('creating a wallet in layout %s', (layout) => {
  let its: CustodyWorld
  beforeAll(async () => {
    its = await startCustodyWorld({ layout })
  })
  afterAll(() => its.close())

  const steps = [
    ['auth', 'shares.prepare'],
    ['auth', 'auth.prepare'],
    ['auth', 'device.write'],
    ['auth', 'auth.read'],
    ['auth', 'shares.commit'],
    ['auth', 'auth.commit'],
    ['shares', 'shares.prepare'],
    ['shares', 'auth.prepare'],
    ['shares', 'device.write'],
    ['shares', 'auth.read'],
    ['shares', 'shares.commit'],
    ['shares', 'auth.commit'],
  ] as const
  test.each(steps)('during a crash of %s before %s shows no address or is recovered [K-12]', async (which, step) => {
    const email = `${which}-${step.replace('.', '-')}-${layout}@example.org`
    const device = await its.fresh(email)
    const stopping = runBeforeStep(device, step, () => its.services.stop(which))
    const made = await createWallet(stopping, [password], its.now()).catch(() => undefined)
    await its.services.start()
    const other = await its.fresh(email)
    const wallet = await recover(other, getPasswordKey).catch(() => createWallet(other, [password], its.now()))
    if (made !== undefined) expect(wallet).toEqual(made)
    expect(await unlock(other)).toEqual(wallet)
    // Drafts expire and never count as a wallet.
    its.pass(2 * 86_400_000)
    await its.services.sweep()
    const third = await its.fresh(email)
    expect(await recover(third, getPasswordKey)).toEqual(wallet)
  })
})

/** Stores with an event before a step. */
function runBeforeStep(stores: KeyShareStores, step: string, act: () => Promise<void>): KeyShareStores {
  return interceptStores(stores, async (call) => {
    if (call.step === step) await act()
    return call.run()
  })
}
