import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordKey, restorePasswordKey } from '../custody/passwordKey.ts'
import { signStoreProof } from '../custody/signStoreProof.ts'
import type { SignForStore } from '../services/postProven.ts'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from '../testing/custodyWorld.ts'
import { enterWallet } from '../worker/login/enterWallet.ts'
import { createWallet, type RecoveryMethodKey } from './enrol.ts'
import { recover } from './recover.ts'
import { addRecoveryMethod, rotate } from './rotate.ts'

let world: CustodyWorld
beforeAll(async () => {
  world = await startCustodyWorld({ layout: 'split' })
})
afterAll(() => world.close())

const stretchQuickly = async (input: Uint8Array, salt: Uint8Array) => Uint8Array.from([...input.slice(0, 16), ...salt])
const password = 'four calm herons'
const autoOf = async ({ shares }: TestDevice): Promise<RecoveryMethodKey> => ({
  id: 'auto',
  method: 'auto',
  key: await shares.autoKey(),
  facts: '{}',
})
const keysOf =
  ({ shares, account }: TestDevice, given?: string) =>
  async ({ method, facts }: WrappedRecoveryKey) => {
    if (method === 'auto') return shares.autoKey()
    if (method !== 'password' || given === undefined) return undefined
    return restorePasswordKey({ password: given, facts, evaluate: account.evaluate, stretch: stretchQuickly })
  }
const createDamagedKey = (given: Partial<WrappedRecoveryKey> = {}): WrappedRecoveryKey => ({
  id: 'auto',
  method: 'auto',
  wrapped: crypto.getRandomValues(new Uint8Array(60)),
  facts: '{}',
  ...given,
})

/** A wallet with the automatic method and a password, and an attacker's recovery methods next to them. */
async function setUpAttack(email: string, methods: readonly WrappedRecoveryKey[]) {
  const owner = await world.fresh(email)
  const wallet = await createWallet(owner, [await autoOf(owner)], world.now())
  const sign: SignForStore = async (text) => signStoreProof(wallet.entropy, text)
  const add = async (kind: 'auto' | 'password') => {
    for (const each of methods.filter(({ method }) => method === kind)) await owner.shares.addRecoveryMethod(each, sign)
  }
  // Methods are tried in the order of their creation: damaged passwords first.
  await add('password')
  const key = await createPasswordKey({ password, evaluate: owner.account.evaluate, stretch: stretchQuickly })
  await addRecoveryMethod({ ...owner, sign }, { id: 'password', method: 'password', ...key }, keysOf(owner))
  await add('auto')
  return { owner, wallet }
}

describe('an attacker with a device of the wallet', () => {
  test('that is minutes old can’t add a recovery method by enrolling again [D-02]', async () => {
    const email = 'young@example.org'
    const { owner, wallet } = await setUpAttack(email, [])
    const thief = await world.fresh(email)
    await recover(thief, keysOf(thief))
    const stored = (await thief.shares.find()) ?? expect.fail('no wallet')
    const again = { ...stored, setId: crypto.getRandomValues(new Uint8Array(16)) }
    const { vault: _, ...set } = {
      ...again,
      wraps: [createDamagedKey(), createDamagedKey({ id: 'mine', method: 'password' })],
    }
    await expect(thief.shares.prepare(set)).rejects.toMatchObject({ status: 400, field: 'wraps' })
    await expect(thief.shares.commit(again.setId)).rejects.toMatchObject({ status: 404 })
    expect((await owner.shares.recoveryMethods()).map(({ id }) => id)).toEqual(['auto', 'password'])
    const phone = await world.fresh(email)
    expect(await recover(phone, keysOf(phone))).toEqual(wallet)
  })

  test(
    'can’t hide the password behind a damaged automatic method, which is reported [D-03]',
    { tags: 'abuse' },
    async () => {
      const email = 'hidden@example.org'
      const { wallet } = await setUpAttack(email, [createDamagedKey()])
      const phone = await world.fresh(email)
      const reported: string[] = []
      const onUnreadable = ({ id }: WrappedRecoveryKey) => void reported.push(id)
      const entered = await enterWallet({
        stores: phone,
        getMethodKey: keysOf(phone),
        onUnreadable,
        isNew: false,
        now: world.now,
      })
      expect(entered).toEqual({ recoveryMethods: [{ id: 'password', method: 'password' }] })
      expect(reported).toEqual(['auto'])
      expect(await recover(phone, keysOf(phone, password))).toEqual(wallet)
    },
  )

  test.each([
    ['of random bytes', createDamagedKey({ id: 'a', method: 'password' })],
    ['with facts of another form', createDamagedKey({ id: 'a', method: 'password', facts: '[' })],
    [
      'with an unknown version',
      createDamagedKey({ id: 'a', method: 'password', facts: '{"form":1,"salt":"AAAAAAAAAAAAAAAAAAAAAA","oprf":99}' }),
    ],
  ])('can’t hide the password behind a second one %s [D-03]', { tags: 'abuse' }, async (name, second) => {
    const email = `${name.replaceAll(' ', '-')}@example.org`
    const { wallet } = await setUpAttack(email, [createDamagedKey(), second])
    const phone = await world.fresh(email)
    expect(await recover(phone, keysOf(phone, password))).toEqual(wallet)
  })

  test('can’t block the removal of damaged methods [D-03]', { tags: 'abuse' }, async () => {
    const email = 'blocked@example.org'
    const { owner, wallet } = await setUpAttack(email, [
      createDamagedKey(),
      createDamagedKey({ id: 'a', method: 'password' }),
    ])
    await rotate(owner, { getMethodKey: keysOf(owner, password), drop: ['a'] })
    expect((await owner.shares.recoveryMethods()).map(({ id }) => id)).toEqual(['password'])
    const phone = await world.fresh(email)
    expect(await recover(phone, keysOf(phone, password))).toEqual(wallet)
  })

  test('does not make a wrong password remove a method [D-03]', async () => {
    const { owner } = await setUpAttack('wrong@example.org', [])
    const wrong = rotate(owner, { getMethodKey: keysOf(owner, 'another one entirely'), drop: ['auto'] })
    await expect(wrong).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect((await owner.shares.recoveryMethods()).map(({ id }) => id)).toEqual(['auto', 'password'])
  })
})
