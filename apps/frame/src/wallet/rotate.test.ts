import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordKey, passwordKey } from '../custody/password.ts'
import { passkeyKey } from '../custody/passkey.ts'
import { stretchHere } from '../custody/stretch.ts'
import { decodeShare } from '../custody/share.ts'
import { joinShares } from '../custody/split.ts'
import { openVault } from '../custody/vault.ts'
import type { KeptWrap } from '../services/services.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { createWallet, recover, unlock, type RecoveryWay } from './enrol.ts'
import { addWay, rotate } from './rotate.ts'

const day = 86_400_000
const refusal = (status: number, field: string) => expect.objectContaining({ status, field })
const failure = (code: string) => expect.objectContaining({ code })

describe.each(['one', 'split'] as const)('the next epoch of a wallet, in layout %s', (layout) => {
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
  const passwordWay = async (device: TestDevice, password: string): Promise<RecoveryWay> => ({
    id: 'password',
    method: 'password',
    ...(await createPasswordKey({ password, evaluate: device.account.evaluate, stretch: stretchHere })),
  })
  const goPassword = (device: TestDevice, password: string) => async (wrap: KeptWrap) =>
    wrap.method === 'password'
      ? passwordKey({ password, facts: wrap.facts, evaluate: device.account.evaluate, stretch: stretchHere })
      : undefined
  async function made(email: string) {
    const device = await world.fresh(email)
    return { device, wallet: await createWallet(device, [await autoOf(device)], world.now()) }
  }

  test('keeps the addresses, and a device that was taken away gets no part any more, nor by an old token [K-08]', async () => {
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
    await expect(laptop.auth.own()).rejects.toEqual(refusal(401, 'token'))
    await expect(laptop.shares.autoKey()).rejects.toEqual(refusal(403, 'device'))
    const again = await world.login(email, laptop)
    expect(await again.auth.own()).toBeUndefined()
    expect(await again.auth.any(lost?.setId ?? new Uint8Array())).toBeUndefined()

    const owner = await world.login(email, phone)
    expect((await rotate(owner, { wayOf: goAuto(owner) })).accounts).toEqual(wallet.accounts)
    expect(await unlock(owner)).toEqual(wallet)
    // What was split before joins to a key that opens nothing of what is kept now.
    const [before, after] = [decodeShare(lost?.share ?? new Uint8Array()), await owner.shares.find()]
    const oldKey = await joinShares(before, decodeShare(known?.share ?? new Uint8Array()))
    const vault = after?.vault ?? new Uint8Array()
    await expect(openVault(oldKey, before, vault)).rejects.toEqual(failure('custody/unreadable'))
    await expect(openVault(oldKey, { ...before, epoch: 2 }, vault)).rejects.toEqual(failure('custody/unreadable'))
    expect(after?.vault).not.toEqual(oldKept?.vault)
    expect(await owner.shares.read(lost?.setId ?? new Uint8Array())).toBeUndefined()
  })

  test('is begun by the device that made the wallet, or one of a day; a device of today is refused [A-08] [K-08]', async () => {
    const email = `young-${layout}@example.org`
    const { wallet } = await made(email)
    const laptop = await world.fresh(email)
    await recover(laptop, goAuto(laptop))
    await expect(rotate(laptop, { wayOf: goAuto(laptop) })).rejects.toEqual(refusal(403, 'deviceAge'))
    // Each service by itself.
    const way = { id: 'other', method: 'password', key: new Uint8Array(32), facts: '{}' } as const
    await expect(addWay(laptop, way, goAuto(laptop))).rejects.toEqual(refusal(403, 'deviceAge'))
    const next = {
      walletId: new Uint8Array(16),
      setId: new Uint8Array(16).fill(9),
      epoch: 2,
      share: new Uint8Array(94),
    }
    await expect(laptop.auth.prepare({ ...next, accounts: wallet.accounts })).rejects.toEqual(refusal(403, 'deviceAge'))
    expect(await unlock(laptop)).toEqual(wallet)
    world.pass(day)
    const later = await world.login(email, laptop)
    expect((await rotate(later, { wayOf: goAuto(later) })).accounts).toEqual(wallet.accounts)
  })

  test('leaves the other devices to recover by themselves on their next use, at the same addresses [K-08]', async () => {
    const email = `others-${layout}@example.org`
    const { device: phone, wallet } = await made(email)
    const laptop = await world.fresh(email)
    await recover(laptop, goAuto(laptop))
    await rotate(phone, { wayOf: goAuto(phone) })
    expect(await unlock(laptop)).toBeUndefined()
    expect(await recover(laptop, goAuto(laptop))).toEqual(wallet)
    expect(await unlock(laptop)).toEqual(wallet)
    expect(await unlock(phone)).toEqual(wallet)
  })

  test('without the automatic way opens by the password alone, and its old key is gone from the store [K-08] [K-09]', async () => {
    const email = `password-${layout}@example.org`
    const { device: phone, wallet } = await made(email)
    const oldKey = await phone.shares.autoKey()
    const way = await passwordWay(phone, 'correct horse battery')
    await addWay(phone, way, goAuto(phone))
    expect((await phone.shares.ways()).map(({ id }) => id)).toEqual(['auto', 'password'])
    await expect(rotate(phone, { wayOf: goAuto(phone), drop: ['auto'] })).rejects.toEqual(failure('custody/way-needed'))
    await expect(rotate(phone, { wayOf: goAuto(phone), drop: ['auto', 'password'] })).rejects.toEqual(
      failure('custody/last-way'),
    )
    expect(await unlock(phone)).toEqual(wallet)
    await rotate(phone, { wayOf: goPassword(phone, 'correct horse battery'), drop: ['auto'] })
    expect((await phone.shares.ways()).map(({ id }) => id)).toEqual(['password'])
    expect(await phone.shares.autoKey()).not.toEqual(oldKey)

    const laptop = await world.fresh(email)
    await expect(recover(laptop, goAuto(laptop))).rejects.toEqual(failure('custody/unreadable'))
    await expect(recover(laptop, async () => oldKey)).rejects.toEqual(failure('custody/unreadable'))
    await expect(recover(laptop, goPassword(laptop, 'correct horse batterz'))).rejects.toEqual(
      failure('custody/unreadable'),
    )
    expect(await recover(laptop, goPassword(laptop, 'correct horse battery'))).toEqual(wallet)
  })

  test('opens by a passkey on a new device, and by no other output or credential [K-16]', async () => {
    const email = `passkey-${layout}@example.org`
    const { device: phone, wallet } = await made(email)
    const [id, output] = [new Uint8Array(20).fill(1), new Uint8Array(32).fill(2)]
    const way = { id: 'cred', method: 'passkey', facts: '{}', key: passkeyKey(output, id) } as const
    await rotate(phone, { wayOf: goAuto(phone), drop: ['auto'], add: [way] })
    const laptop = await world.fresh(email)
    for (const key of [passkeyKey(output, new Uint8Array(20)), passkeyKey(new Uint8Array(32), id)]) {
      await expect(recover(laptop, async () => key)).rejects.toEqual(failure('custody/unreadable'))
    }
    expect(() => passkeyKey(new Uint8Array(31), id)).toThrow(failure('custody/unreadable'))
    expect(await recover(laptop, async () => passkeyKey(output, id))).toEqual(wallet)
  })

  test('is refused at the twenty-first guess of a day, whoever guesses where [K-09]', async () => {
    const email = `guess-${layout}@example.org`
    await made(email)
    // Whether the bytes are a point does not matter: the asking counts.
    const guess = async ({ account }: TestDevice) => {
      await expect(account.evaluate(new Uint8Array(32).fill(3))).rejects.toEqual(refusal(400, 'blinded'))
    }
    const laptop = await world.login(email)
    for (const _ of Array.from({ length: 20 })) {
      world.pass(60_000 / 5)
      await guess(laptop)
    }
    const phone = await world.login(email)
    const again = phone.account.evaluate(new Uint8Array(32).fill(3))
    await expect(again).rejects.toEqual(refusal(429, 'password'))
    world.pass(day)
    await guess(await world.login(email))
  })
})
