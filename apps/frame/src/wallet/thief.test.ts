import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { letThiefIn, type ServiceKeys, type Thief } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordKey } from '../custody/password.ts'
import { openRecoveryShare, unwrapRecoveryKey } from '../custody/recovery.ts'
import { decodeShare } from '../custody/share.ts'
import type { KeptWrap } from '../services/services.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { memoryDeviceStore } from './deviceStore.ts'
import { createWallet, open, recover, unlock, type Keepers, type RecoveryWay } from './enrol.ts'
import { rotate } from './rotate.ts'

const masterKeys: ServiceKeys = {
  auth: [{ id: 'auth', key: randomBytes(32) }],
  shares: [{ id: 'shares', key: randomBytes(32) }],
}
const refusal = (status: number, field: string) => expect.objectContaining({ status, field })

describe.each(['one', 'split'] as const)('whoever gets at the services, in layout %s,', (layout) => {
  let world: CustodyWorld
  let auth: Thief
  let shares: Thief
  beforeAll(async () => {
    world = await startCustodyWorld({ layout, masterKeys })
    auth = await letThiefIn(world.services.authDatabaseUrl)
    shares = await letThiefIn(world.services.sharesDatabaseUrl)
  }, 60_000)
  afterAll(async () => {
    await auth.leave()
    await shares.leave()
    await world.close()
  })

  const autoOf = async ({ shares: store }: TestDevice): Promise<RecoveryWay> => ({
    id: 'auto',
    method: 'auto',
    key: await store.autoKey(),
    facts: '{}',
  })
  const goAuto = (device: TestDevice) => async (wrap: KeptWrap) =>
    wrap.method === 'auto' ? device.shares.autoKey() : undefined
  async function made(email: string) {
    const device = await world.fresh(email)
    return { device, wallet: await createWallet(device, [await autoOf(device)], world.now()) }
  }
  /** What a secret would look like in a copy of the database. */
  const spellings = (secret: Uint8Array): string[] => [
    bytesToHex(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('latin1'),
  ]

  test('finds none of the secrets in both databases, in any spelling [K-05]', async () => {
    const email = `canary-${layout}@example.org`
    const { device, wallet } = await made(email)
    const key = await device.shares.autoKey()
    const [local, remote, kept] = [await device.device.read(), await device.auth.own(), await device.shares.find()]
    if (local === undefined || remote === undefined || kept === undefined) return expect.fail('not there')
    const wrap = kept.wraps[0] ?? expect.fail('no wrap')
    const recoveryKey = await unwrapRecoveryKey(key, { walletId: kept.walletId, method: 'auto' }, wrap.wrapped)
    const third = await openRecoveryShare(recoveryKey, kept, kept.share)
    const secrets = [
      wallet.entropy,
      key,
      recoveryKey,
      third.values,
      ...[local, remote].map(({ share }) => share.slice(-33)),
    ]
    const copies = `${await auth.copy()}\n${await shares.copy()}`.toLowerCase()
    expect(copies).toContain(bytesToHex(local.setId))
    for (const secret of secrets) {
      for (const spelling of spellings(secret)) expect(copies).not.toContain(spelling.toLowerCase())
    }
    for (const text of [email, 'canary-', Buffer.from(email).toString('hex'), device.refreshToken]) {
      expect(copies).not.toContain(text.toLowerCase())
    }
    for (const code of world.mail.received().flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])) {
      expect(copies).not.toMatch(new RegExp(`[^0-9a-f]${code}[^0-9a-f]`))
    }
  })

  test('gives nobody another one’s part by swapping rows, and the log says that something does not open [K-06]', async () => {
    const [ann, ben] = [await made(`ann-${layout}@example.org`), await made(`ben-${layout}@example.org`)]
    const [annSet, benSet] = [await ann.device.device.read(), await ben.device.device.read()].map((record) =>
      bytesToHex(record?.setId ?? new Uint8Array()),
    )
    for (const [thief, table] of [
      [auth, 'auth_share'],
      [shares, 'share_set'],
    ] as const) {
      await thief.run(`
        update ${table} set share = (select share from ${table} where set_id = '\\x${annSet}')
        where set_id = '\\x${benSet}'`)
    }
    await expect(ben.device.auth.own()).rejects.toThrow('Internal server error')
    await expect(ben.device.shares.find()).rejects.toThrow('Internal server error')
    expect(await unlock(ann.device)).toEqual(ann.wallet)
    for (const [thief, log] of [
      [auth, 'auth_audit'],
      [shares, 'share_audit'],
    ] as const) {
      const [last] = await thief.run(`select event, about from ${log} order by id desc limit 1`)
      expect(last).toMatchObject({ event: 'secret unreadable', about: expect.stringContaining(benSet ?? '') })
    }
  })

  test('gets nothing out of a row of an earlier epoch, wherever it is put back [K-06] [K-08]', async () => {
    const { device, wallet } = await made(`rollback-${layout}@example.org`)
    const before = await device.device.read()
    const setId = bytesToHex(before?.setId ?? new Uint8Array())
    const [row] = await auth.run(`select encode(share, 'hex') as share from auth_share where set_id = '\\x${setId}'`)
    await rotate(device, { wayOf: goAuto(device) })
    const now = await device.device.read()
    await auth.run(`
      update auth_share set share = '\\x${String(row?.['share'])}'
      where set_id = '\\x${bytesToHex(now?.setId ?? new Uint8Array())}'`)
    await expect(device.auth.own()).rejects.toThrow('Internal server error')
    // Put back as it was, under its own name: what it was sealed under is gone.
    await auth.run(`
      update auth_share set share = '\\x${String(row?.['share'])}', set_id = '\\x${setId}', epoch = 1
      where set_id = '\\x${bytesToHex(now?.setId ?? new Uint8Array())}'`)
    await auth.run(`update auth_wallet set epoch = 1 where user_id = '${device.user}'`)
    await expect(device.auth.own()).rejects.toThrow('Internal server error')
    expect(wallet.accounts).toHaveLength(2)
  })

  test('of both, with their keys, opens what recovers by itself, and not what recovers by a password [K-10]', async () => {
    const auto = await made(`root-auto-${layout}@example.org`)
    const held = await made(`root-password-${layout}@example.org`)
    const way = await createPasswordKey({
      password: 'correct horse battery',
      evaluate: held.device.account.evaluate,
      stretch: async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt]),
    })
    await rotate(held.device, {
      wayOf: goAuto(held.device),
      drop: ['auto'],
      add: [{ id: 'password', method: 'password', ...way }],
    })
    // The root of the machine can make himself whatever the services would give to the user.
    const asRoot = async ({ device }: { device: TestDevice }) => {
      const key = await device.shares.autoKey()
      const kept = (await device.shares.find()) ?? expect.fail('no wallet')
      const remote = (await device.auth.any(kept.setId)) ?? expect.fail('no part')
      const wrap = kept.wraps[0] ?? expect.fail('no way')
      const recoveryKey = await unwrapRecoveryKey(key, { walletId: kept.walletId, method: wrap.method }, wrap.wrapped)
      return open(await openRecoveryShare(recoveryKey, kept, kept.share), decodeShare(remote.share), kept.vault)
    }
    expect(await asRoot(auto)).toEqual(auto.wallet)
    await expect(asRoot(held)).rejects.toEqual(expect.objectContaining({ code: 'custody/unreadable' }))
  })

  test('of one of them alone has half of what it takes [K-11]', async () => {
    const email = `half-${layout}@example.org`
    const { device, wallet } = await made(email)
    // The auth service makes a login for itself: the share store wants an approval of its own.
    const forged = await world.login(email)
    for (const act of [() => forged.shares.autoKey(), () => forged.shares.find(), () => forged.shares.ways()]) {
      await expect(act()).rejects.toEqual(refusal(403, 'device'))
    }
    await world.approve(forged, `mallory-${layout}@example.org`)
    await expect(forged.shares.autoKey()).rejects.toEqual(refusal(403, 'device'))
    // The share store has everything of its own, opened: the wallet wants one part more.
    const owner = await world.login(email, device)
    const key = await owner.shares.autoKey()
    const kept = (await owner.shares.find()) ?? expect.fail('no wallet')
    const wrap = kept.wraps[0] ?? expect.fail('no way')
    const recoveryKey = await unwrapRecoveryKey(key, { walletId: kept.walletId, method: 'auto' }, wrap.wrapped)
    const third = await openRecoveryShare(recoveryKey, kept, kept.share)
    await expect(open(third, third, kept.vault)).rejects.toEqual(expect.objectContaining({ code: 'custody/mismatch' }))
    const stranger: Keepers = { ...(await world.login(`eve-${layout}@example.org`)), device: memoryDeviceStore() }
    expect(await stranger.auth.any(kept.setId)).toBeUndefined()
    expect(await unlock(owner)).toEqual(wallet)
  })

  test('and puts yesterday’s copies back, opens no deleted account with the keys of today; its owner begins anew [K-13]', async () => {
    const email = `deleted-${layout}@example.org`
    const { device, wallet } = await made(email)
    const saved = [await auth.save(), await shares.save()]
    await device.account.requestDeletion()
    await device.shares.requestDeletion()
    world.pass(3 * 86_400_000)
    await world.services.sweep()
    await auth.restore(saved[0] ?? [])
    await shares.restore(saved[1] ?? [])
    // His session is back, too; what it would open is not.
    const { refreshToken } = device
    const { accessToken } = await device.ask.auth('POST', '/auth/v1/tokens', { refreshToken })
    device.use(String(accessToken))
    await expect(device.auth.own()).rejects.toThrow('Internal server error')
    await expect(device.shares.find()).rejects.toThrow('Internal server error')
    await expect(device.shares.autoKey()).rejects.toThrow('Internal server error')
    const again = await world.fresh(email)
    expect(again.user).not.toBe(device.user)
    expect(await again.shares.find()).toBeUndefined()
    const next = await createWallet(again, [await autoOf(again)], world.now())
    expect(next.accounts).not.toEqual(wallet.accounts)
    const other = await world.fresh(email)
    expect(await recover(other, goAuto(other))).toEqual(next)
  })
})
