import { openStolenDatabase } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { adoptWallet } from './adoptWallet.ts'
import { createWallet, unlock, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'
import { rebuildAuthShare, rebuildRecoveryShare } from './rebuildAuthShare.ts'

const matchRefusal = (status: number, field: string) => expect.objectContaining({ status, field })

describe.each(['one', 'split'] as const)('a wallet after a service lost its data, in layout %s', (layout) => {
  let world: CustodyWorld
  beforeAll(async () => {
    world = await startCustodyWorld({ layout })
  })
  afterAll(() => world.close())

  const autoOf = async ({ shares }: TestDevice): Promise<RecoveryMethodKey> => ({
    id: 'auto',
    method: 'auto',
    key: await shares.autoKey(),
    facts: '{}',
  })
  const goAuto = (device: TestDevice) => async (wrap: WrappedRecoveryKey) =>
    wrap.method === 'auto' ? device.shares.autoKey() : undefined

  async function empty(databaseUrl: string, tables: string): Promise<void> {
    const thief = await openStolenDatabase(databaseUrl)
    await thief.run(`truncate ${tables} cascade`)
    await thief.leave()
  }

  test(
    'is opened by device and share store if the auth service is empty, and has three shares again [K-04]',
    { tags: 'abuse' },
    async () => {
      const email = `auth-lost-${layout}@example.org`
      const device = await world.fresh(email)
      const wallet = await createWallet(device, [await autoOf(device)], world.now())
      await empty(world.services.authDatabaseUrl, 'auth_user, auth_session')
      // The first approval has expired.
      world.pass(15 * 60_000)
      const again = await world.login(email, device)
      expect(again.user).not.toBe(device.user)
      // A login alone is not enough, and neither is another approved device.
      await expect(again.shares.findLost()).rejects.toEqual(matchRefusal(403, 'device'))
      const stranger = await world.fresh(email)
      await expect(stranger.shares.findLost()).rejects.toEqual(matchRefusal(403, 'device'))
      await world.approve(again, email)
      await adoptWallet(again, await again.shares.findLost(), goAuto(again))
      expect(await rebuildAuthShare(again, goAuto(again))).toEqual(wallet)
      expect(await unlock(again)).toEqual(wallet)
      const other = await world.fresh(email)
      expect(await recover(other, goAuto(other))).toEqual(wallet)
    },
  )

  test('is opened by device and auth service if the share store is empty, and has three shares again [K-04]', async () => {
    const email = `shares-lost-${layout}@example.org`
    const device = await world.fresh(email)
    const wallet = await createWallet(device, [await autoOf(device)], world.now())
    await empty(world.services.sharesDatabaseUrl, 'share_wallet, share_set, share_wrap, share_device, share_auto')
    await world.approve(device, email)
    const again = await world.login(email, device)
    expect(await again.shares.find()).toBeUndefined()
    expect(await unlock(again)).toEqual(wallet)
    expect(await rebuildRecoveryShare(again, [await autoOf(again)])).toEqual(wallet)
    const other = await world.fresh(email)
    expect(await recover(other, goAuto(other))).toEqual(wallet)
  })
})
