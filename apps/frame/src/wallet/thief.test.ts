import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { openStolenDatabase, type ServiceKeys, type DatabaseThief } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordKey } from '../custody/passwordKey.ts'
import { signStoreProof } from '../custody/signStoreProof.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'
import { openRecoveryKeyShare, unwrapRecoveryKey } from '../custody/recoveryMethod.ts'
import { decodeKeyShare } from '../custody/keyShare.ts'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { createMemoryDeviceStore } from './deviceStore.ts'
import { createWallet, openWithShares, unlock, type KeyShareStores, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'
import { rotate } from './rotate.ts'

const masterKeys: ServiceKeys = {
  auth: [{ id: 'auth', key: randomBytes(32) }],
  shares: [{ id: 'shares', key: randomBytes(32) }],
}
const matchRefusal = (status: number, field: string) => expect.objectContaining({ status, field })

describe.each(['one', 'split'] as const)('an attacker of the services in layout %s', (layout) => {
  let world: CustodyWorld
  let auth: DatabaseThief
  let shares: DatabaseThief
  beforeAll(async () => {
    world = await startCustodyWorld({ layout, masterKeys })
    auth = await openStolenDatabase(world.services.authDatabaseUrl)
    shares = await openStolenDatabase(world.services.sharesDatabaseUrl)
  })
  afterAll(async () => {
    await auth.leave()
    await shares.leave()
    await world.close()
  })

  const autoOf = async ({ shares: store }: TestDevice): Promise<RecoveryMethodKey> => ({
    id: 'auto',
    method: 'auto',
    key: await store.autoKey(),
    facts: '{}',
  })
  const goAuto = (device: TestDevice) => async (wrap: WrappedRecoveryKey) =>
    wrap.method === 'auto' ? device.shares.autoKey() : undefined
  async function made(email: string) {
    const device = await world.fresh(email)
    return { device, wallet: await createWallet(device, [await autoOf(device)], world.now()) }
  }
  /** The encodings of a secret in a database dump. */
  const spellings = (secret: Uint8Array): string[] => [
    bytesToHex(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('latin1'),
  ]

  test('finds no secrets in both databases, in any encoding [K-05]', async () => {
    const email = `canary-${layout}@example.org`
    const { device, wallet } = await made(email)
    const key = await device.shares.autoKey()
    const [local, remote, stored] = [await device.device.read(), await device.auth.own(), await device.shares.find()]
    if (local === undefined || remote === undefined || stored === undefined) return expect.fail('not there')
    const wrap = stored.wraps[0] ?? expect.fail('no wrap')
    const recoveryKey = await unwrapRecoveryKey(key, { walletId: stored.walletId, method: 'auto' }, wrap.wrapped)
    const third = await openRecoveryKeyShare(recoveryKey, stored, stored.share)
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

  test('can’t hand out another user’s share by swapping rows, and the failure is logged [K-06]', async () => {
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
      // The service responds without waiting for its log.
      await expect
        .poll(() => thief.run(`select about from ${log} where event = 'secret unreadable' order by id desc limit 1`))
        .toMatchObject([{ about: expect.stringContaining(benSet ?? '') }])
    }
  })

  test('gets no access by restoring a row of an earlier epoch [K-06] [K-08]', async () => {
    const { device, wallet } = await made(`rollback-${layout}@example.org`)
    const before = await device.device.read()
    const setId = bytesToHex(before?.setId ?? new Uint8Array())
    const [row] = await auth.run(`select encode(share, 'hex') as share from auth_share where set_id = '\\x${setId}'`)
    await rotate(device, { getMethodKey: goAuto(device) })
    const now = await device.device.read()
    await auth.run(`
      update auth_share set share = '\\x${String(row?.['share'])}'
      where set_id = '\\x${bytesToHex(now?.setId ?? new Uint8Array())}'`)
    await expect(device.auth.own()).rejects.toThrow('Internal server error')
    // Restored under its own id: its data key is gone.
    await auth.run(`
      update auth_share set share = '\\x${String(row?.['share'])}', set_id = '\\x${setId}', epoch = 1
      where set_id = '\\x${bytesToHex(now?.setId ?? new Uint8Array())}'`)
    await auth.run(`update auth_wallet set epoch = 1 where user_id = '${device.user}'`)
    await expect(device.auth.own()).rejects.toThrow('Internal server error')
    expect(wallet.accounts).toHaveLength(2)
  })

  test(
    'with both services and their keys opens automatic recovery but no password [K-10]',
    { tags: 'abuse' },
    async () => {
      const auto = await made(`root-auto-${layout}@example.org`)
      const held = await made(`root-password-${layout}@example.org`)
      const way = await createPasswordKey({
        password: 'correct horse battery',
        evaluate: held.device.account.evaluate,
        stretch: async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt]),
      })
      await rotate(held.device, {
        getMethodKey: goAuto(held.device),
        drop: ['auto'],
        add: [{ id: 'password', method: 'password', ...way }],
      })
      // Root access yields everything that the services return to the user.
      const asRoot = async ({ device }: { device: TestDevice }) => {
        const key = await device.shares.autoKey()
        const stored = (await device.shares.find()) ?? expect.fail('no wallet')
        const remote = (await device.auth.any(stored)) ?? expect.fail('no part')
        const wrap = stored.wraps[0] ?? expect.fail('no way')
        const recoveryKey = await unwrapRecoveryKey(
          key,
          { walletId: stored.walletId, method: wrap.method },
          wrap.wrapped,
        )
        return openWithShares(
          await openRecoveryKeyShare(recoveryKey, stored, stored.share),
          decodeKeyShare(remote.share),
          stored.vault,
        )
      }
      expect(await asRoot(auto)).toEqual(auto.wallet)
      await expect(asRoot(held)).rejects.toEqual(expect.objectContaining({ code: 'custody/unreadable' }))
    },
  )

  test('with one service alone lacks a share [K-11]', async () => {
    const email = `half-${layout}@example.org`
    const { device, wallet } = await made(email)
    // The auth service forges a login. The share store requires its own approval.
    const forged = await world.login(email)
    for (const act of [
      () => forged.shares.autoKey(),
      () => forged.shares.find(),
      () => forged.shares.recoveryMethods(),
    ]) {
      await expect(act()).rejects.toEqual(matchRefusal(403, 'device'))
    }
    await world.approve(forged, `mallory-${layout}@example.org`)
    await expect(forged.shares.autoKey()).rejects.toEqual(matchRefusal(403, 'device'))
    // The share store opens all of its own data. The wallet needs one more share.
    const owner = await world.login(email, device)
    const key = await owner.shares.autoKey()
    const stored = (await owner.shares.find()) ?? expect.fail('no wallet')
    const wrap = stored.wraps[0] ?? expect.fail('no way')
    const recoveryKey = await unwrapRecoveryKey(key, { walletId: stored.walletId, method: 'auto' }, wrap.wrapped)
    const third = await openRecoveryKeyShare(recoveryKey, stored, stored.share)
    await expect(openWithShares(third, third, stored.vault)).rejects.toEqual(
      expect.objectContaining({ code: 'custody/mismatch' }),
    )
    const stranger: KeyShareStores = {
      ...(await world.login(`eve-${layout}@example.org`)),
      device: createMemoryDeviceStore(),
    }
    expect(await stranger.auth.any(stored)).toBeUndefined()
    expect(await unlock(owner)).toEqual(wallet)
  })

  test(
    'can’t open a deleted account by restoring backups with today’s keys, and its owner starts again [K-13]',
    { tags: 'abuse' },
    async () => {
      const email = `deleted-${layout}@example.org`
      const { device, wallet } = await made(email)
      const saved = [await auth.save(), await shares.save()]
      await device.account.requestDeletion((challenge) => signWalletProof(wallet.entropy, challenge))
      await device.shares.requestDeletion(async (text) => signStoreProof(wallet.entropy, text))
      world.pass(3 * 86_400_000)
      await world.services.sweep()
      await auth.restore(saved[0] ?? [])
      await shares.restore(saved[1] ?? [])
      // The restored session is valid, but its data is gone.
      const { refreshToken } = device
      const renewed = await device.requests.auth('POST', '/auth/v1/tokens', { refreshToken })
      device.use({ accessToken: String(renewed.accessToken), sharesToken: String(renewed.sharesToken) })
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
    },
  )
})
