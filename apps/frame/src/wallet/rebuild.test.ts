import { letThiefIn } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeptWrap } from '../services/services.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { createWallet, recover, unlock, type RecoveryWay } from './enrol.ts'
import { rebuildAuth, rebuildShares } from './rebuild.ts'

const refusal = (status: number, field: string) => expect.objectContaining({ status, field })

describe.each(['one', 'split'] as const)('a wallet of which a service lost everything, in layout %s', (layout) => {
  let world: CustodyWorld
  beforeAll(async () => {
    world = await startCustodyWorld({ layout })
  }, 60_000)
  afterAll(() => world.close())

  const autoOf = async ({ shares }: TestDevice): Promise<RecoveryWay> => ({
    id: 'auto',
    method: 'auto',
    key: await shares.autoKey(),
    facts: '{}',
  })
  const goAuto = (device: TestDevice) => async (wrap: KeptWrap) =>
    wrap.method === 'auto' ? device.shares.autoKey() : undefined

  async function empty(databaseUrl: string, tables: string): Promise<void> {
    const thief = await letThiefIn(databaseUrl)
    await thief.run(`truncate ${tables} cascade`)
    await thief.leave()
  }

  test('is opened by the device and the share store when the auth service is empty, and has three parts again [K-04]', async () => {
    const email = `auth-lost-${layout}@example.org`
    const device = await world.fresh(email)
    const wallet = await createWallet(device, [await autoOf(device)], world.now())
    await empty(world.services.authDatabaseUrl, 'auth_user, auth_session')
    // The approval of the beginning is over.
    world.pass(15 * 60_000)
    const again = await world.login(email, device)
    expect(again.user).not.toBe(device.user)
    // The login alone is not enough, and neither is another device that its owner approved.
    await expect(again.shares.adopt()).rejects.toEqual(refusal(403, 'device'))
    const stranger = await world.fresh(email)
    await expect(stranger.shares.adopt()).rejects.toEqual(refusal(403, 'device'))
    await world.approve(again, email)
    await again.shares.adopt()
    expect(await rebuildAuth(again, goAuto(again))).toEqual(wallet)
    expect(await unlock(again)).toEqual(wallet)
    const other = await world.fresh(email)
    expect(await recover(other, goAuto(other))).toEqual(wallet)
  })

  test('is opened by the device and the auth service when the share store is empty, and has three parts again [K-04]', async () => {
    const email = `shares-lost-${layout}@example.org`
    const device = await world.fresh(email)
    const wallet = await createWallet(device, [await autoOf(device)], world.now())
    await empty(world.services.sharesDatabaseUrl, 'share_wallet, share_set, share_wrap, share_device, share_auto')
    await world.approve(device, email)
    const again = await world.login(email, device)
    expect(await again.shares.find()).toBeUndefined()
    expect(await unlock(again)).toEqual(wallet)
    expect(await rebuildShares(again, [await autoOf(again)])).toEqual(wallet)
    const other = await world.fresh(email)
    expect(await recover(other, goAuto(other))).toEqual(wallet)
  })
})
