import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordKey, restorePasswordKey } from '../custody/passwordKey.ts'
import { passkeyKey } from '../custody/passkeyKey.ts'
import { stretchWithArgon2 } from '../custody/stretchWithArgon2.ts'
import { decodeKeyShare } from '../custody/keyShare.ts'
import { joinKeyShares } from '../custody/splitKey.ts'
import { openVault } from '../custody/sealVault.ts'
import { signStoreProof } from '../custody/signStoreProof.ts'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { watchWipes } from '../testing/watchWipes.ts'
import { createWallet, unlock, type OpenWallet, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'
import { addRecoveryMethod, rotate } from './rotate.ts'
import type { GetMethodKey } from './unwrapWithAny.ts'

const day = 86_400_000
const matchRefusal = (status: number, field: string) => expect.objectContaining({ status, field })
const matchError = (code: string) => expect.objectContaining({ code })

describe.each(['one', 'split'] as const)('the next epoch of a wallet in layout %s', (layout) => {
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
  const passwordWay = async (device: TestDevice, password: string): Promise<RecoveryMethodKey> => ({
    id: 'password',
    method: 'password',
    ...(await createPasswordKey({ password, evaluate: device.account.evaluate, stretch: stretchWithArgon2 })),
  })
  const goPassword = (device: TestDevice, password: string) => async (wrap: WrappedRecoveryKey) =>
    wrap.method === 'password'
      ? restorePasswordKey({
          password,
          facts: wrap.facts,
          evaluate: device.account.evaluate,
          stretch: stretchWithArgon2,
        })
      : undefined
  const signerOf = (device: TestDevice, { entropy }: OpenWallet) => ({
    ...device,
    sign: async (text: Uint8Array) => signStoreProof(entropy, text),
  })
  async function made(email: string) {
    const device = await world.fresh(email)
    return { device, wallet: await createWallet(device, [await autoOf(device)], world.now()) }
  }

  test(
    'keeps the addresses, and a revoked device gets no share, not even with an old token [K-08]',
    { tags: 'abuse' },
    async () => {
      const email = `stolen-${layout}@example.org`
      const { device: phone, wallet } = await made(email)
      const laptop = await world.fresh(email)
      await recover(laptop, goAuto(laptop))
      const lost = await laptop.device.read()
      const known = await laptop.auth.own()
      expect(known).toBeDefined()
      const [oldKept] = [await laptop.shares.read(lost?.setId ?? new Uint8Array())]
      await phone.auth.revoke(lost?.setId ?? new Uint8Array())
      await phone.shares.remove(lost?.setId ?? new Uint8Array())
      await expect(laptop.auth.own()).rejects.toEqual(matchRefusal(401, 'token'))
      await expect(laptop.shares.autoKey()).rejects.toEqual(matchRefusal(401, 'token'))
      const again = await world.login(email, laptop)
      expect(await again.auth.own()).toBeUndefined()
      expect(await again.auth.any(oldKept ?? expect.fail('no share'))).toBeUndefined()

      const owner = await world.login(email, phone)
      expect((await rotate(owner, { getMethodKey: goAuto(owner) })).accounts).toEqual(wallet.accounts)
      expect(await unlock(owner)).toEqual(wallet)
      // The old shares join to a key that opens nothing that is stored now.
      const [before, after] = [decodeKeyShare(lost?.share ?? new Uint8Array()), await owner.shares.find()]
      const oldKey = await joinKeyShares(before, decodeKeyShare(known?.share ?? new Uint8Array()))
      const vault = after?.vault ?? new Uint8Array()
      await expect(openVault(oldKey, before, vault)).rejects.toEqual(matchError('custody/unreadable'))
      await expect(openVault(oldKey, { ...before, epoch: 2 }, vault)).rejects.toEqual(matchError('custody/unreadable'))
      expect(after?.vault).not.toEqual(oldKept?.vault)
      expect(await owner.shares.read(lost?.setId ?? new Uint8Array())).toBeUndefined()
    },
  )

  test(
    'is begun by the first device or a device older than a day, and a new device is refused [A-08] [K-08]',
    { tags: 'abuse' },
    async () => {
      const email = `young-${layout}@example.org`
      const { wallet } = await made(email)
      const laptop = await world.fresh(email)
      await recover(laptop, goAuto(laptop))
      await expect(rotate(laptop, { getMethodKey: goAuto(laptop) })).rejects.toEqual(matchRefusal(403, 'deviceAge'))
      // Each service separately.
      const way = { id: 'other', method: 'password', key: new Uint8Array(32), facts: '{}' } as const
      await expect(addRecoveryMethod(signerOf(laptop, wallet), way, goAuto(laptop))).rejects.toEqual(
        matchRefusal(403, 'deviceAge'),
      )
      const next = {
        walletId: new Uint8Array(16),
        setId: new Uint8Array(16).fill(9),
        epoch: 2,
        share: new Uint8Array(94),
      }
      const { accounts } = wallet
      await expect(laptop.auth.prepare({ ...next, accounts, sealed: next.share })).rejects.toEqual(
        matchRefusal(403, 'deviceAge'),
      )
      expect(await unlock(laptop)).toEqual(wallet)
      world.pass(day)
      const later = await world.login(email, laptop)
      expect((await rotate(later, { getMethodKey: goAuto(later) })).accounts).toEqual(wallet.accounts)
    },
  )

  test('wipes the keys of the recovery methods and the values of the shares [K-08]', async () => {
    const { device, wallet } = await made(`wiped-${layout}@example.org`)
    const used: Uint8Array[] = []
    const spy =
      (method: GetMethodKey): GetMethodKey =>
      async (wrap) => {
        const key = await method(wrap)
        if (key !== undefined) used.push(key)
        return key
      }
    const way = { id: 'password', method: 'password', key: new Uint8Array(32).fill(7), facts: '{}' } as const
    await addRecoveryMethod(signerOf(device, wallet), way, spy(goAuto(device)))
    const wiped = watchWipes()
    await rotate(device, { getMethodKey: spy(goAuto(device)), drop: ['password'] })
    expect(used.length).toBe(2)
    for (const key of used) expect(key).toEqual(new Uint8Array(32))
    // The device's share ends with its 33 bytes of values.
    const values = (await device.device.read())?.share.slice(-33)
    expect(wiped.map(String)).toContain(String(values))
  })

  test('lets other devices recover on their next use with the same addresses [K-08]', async () => {
    const email = `others-${layout}@example.org`
    const { device: phone, wallet } = await made(email)
    const laptop = await world.fresh(email)
    await recover(laptop, goAuto(laptop))
    await rotate(phone, { getMethodKey: goAuto(phone) })
    expect(await unlock(laptop)).toBeUndefined()
    expect(await recover(laptop, goAuto(laptop))).toEqual(wallet)
    expect(await unlock(laptop)).toEqual(wallet)
    expect(await unlock(phone)).toEqual(wallet)
  })

  test(
    'without the automatic method opens with the password only, and the store lacks the old key [K-08] [K-09]',
    { tags: 'abuse' },
    async () => {
      const email = `password-${layout}@example.org`
      const { device: phone, wallet } = await made(email)
      const oldKey = await phone.shares.autoKey()
      const way = await passwordWay(phone, 'correct horse battery')
      await addRecoveryMethod(signerOf(phone, wallet), way, goAuto(phone))
      expect((await phone.shares.recoveryMethods()).map(({ id }) => id)).toEqual(['auto', 'password'])
      await expect(rotate(phone, { getMethodKey: goAuto(phone), drop: ['auto'] })).rejects.toEqual(
        matchError('custody/recovery-method-needed'),
      )
      await expect(rotate(phone, { getMethodKey: goAuto(phone), drop: ['auto', 'password'] })).rejects.toEqual(
        matchError('custody/last-recovery-method'),
      )
      expect(await unlock(phone)).toEqual(wallet)
      await rotate(phone, { getMethodKey: goPassword(phone, 'correct horse battery'), drop: ['auto'] })
      expect((await phone.shares.recoveryMethods()).map(({ id }) => id)).toEqual(['password'])
      expect(await phone.shares.autoKey()).not.toEqual(oldKey)

      const laptop = await world.fresh(email)
      await expect(recover(laptop, goAuto(laptop))).rejects.toEqual(matchError('custody/unreadable'))
      await expect(recover(laptop, async () => oldKey)).rejects.toEqual(matchError('custody/unreadable'))
      await expect(recover(laptop, goPassword(laptop, 'correct horse batterz'))).rejects.toEqual(
        matchError('custody/unreadable'),
      )
      expect(await recover(laptop, goPassword(laptop, 'correct horse battery'))).toEqual(wallet)
    },
  )

  test('opens with a passkey on a new device, and with no other output or credential [K-16]', async () => {
    const email = `passkey-${layout}@example.org`
    const { device: phone, wallet } = await made(email)
    const [id, output] = [new Uint8Array(20).fill(1), new Uint8Array(32).fill(2)]
    const way = { id: 'cred', method: 'passkey', facts: '{}', key: passkeyKey(output, id) } as const
    await rotate(phone, { getMethodKey: goAuto(phone), drop: ['auto'], add: [way] })
    const laptop = await world.fresh(email)
    for (const key of [passkeyKey(output, new Uint8Array(20)), passkeyKey(new Uint8Array(32), id)]) {
      await expect(recover(laptop, async () => key)).rejects.toEqual(matchError('custody/unreadable'))
    }
    expect(() => passkeyKey(new Uint8Array(31), id)).toThrow(matchError('custody/unreadable'))
    expect(await recover(laptop, async () => passkeyKey(output, id))).toEqual(wallet)
  })

  test('refuses the twenty-first password guess of a day across devices [K-09]', { tags: 'abuse' }, async () => {
    const email = `guess-${layout}@example.org`
    await made(email)
    // Invalid points count as guesses, too.
    const guess = async ({ account }: TestDevice) => {
      await expect(account.evaluate(new Uint8Array(32).fill(3))).rejects.toEqual(matchRefusal(400, 'blinded'))
    }
    const laptop = await world.login(email)
    for (const _ of Array.from({ length: 20 })) {
      world.pass(60_000 / 5)
      await guess(laptop)
    }
    const phone = await world.login(email)
    const again = phone.account.evaluate(new Uint8Array(32).fill(3))
    await expect(again).rejects.toEqual(matchRefusal(429, 'password'))
    world.pass(day)
    await guess(await world.login(email))
  })
})
