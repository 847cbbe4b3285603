import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { passkeyInput, passkeyKey } from '../custody/passkeyKey.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { AccountService } from '../services/accountService.ts'
import type { ShareStore, WrappedRecoveryKey } from '../services/shareStore.ts'
import { fromBase64url, toBase64url } from '../services/toBase64url.ts'
import { createMemoryStores } from '../testing/memoryStores.ts'
import { trackCopies } from '../testing/trackCopies.ts'
import { createWallet, type OpenWallet } from '../wallet/enrol.ts'
import { unwrapWithAny } from '../wallet/unwrapWithAny.ts'
import type { RecoveryCredential } from './keyHolder.ts'
import { createRecoveryMethods } from './recoveryMethods.ts'

const autoKey = new Uint8Array(32).fill(7)
const publicKey = new Uint8Array(91).fill(3)
const passkey = (id: string, byte: number) => ({ id, output: new Uint8Array(32).fill(byte) })
const [phone, tablet] = [passkey('AAAA', 1), passkey('BBBB', 2)]
const byPassword = (password: string): RecoveryCredential => ({ method: 'password', password })
const byPasskey = (given: typeof phone): RecoveryCredential => ({ method: 'passkey', ...given })
const formatPasskey = (key: { id: Uint8Array; publicKey: Uint8Array }): string =>
  `${toBase64url(key.id)} ${key.publicKey.length}`
const refusal = new ServiceRefusal(403, 'passkey', 'No.')

type Note = (call: string) => Promise<void>

/** @param added the methods that were added in the current epoch */
function openShares(memory: ShareStore, added: WrappedRecoveryKey[], note: Note): ShareStore {
  const own: Partial<ShareStore> = {
    autoKey: async () => autoKey.slice(),
    async prepare(set) {
      if (set.wraps !== undefined) added.length = 0
      await memory.prepare(set)
    },
    async find() {
      const stored = await memory.find()
      return stored && { ...stored, wraps: [...stored.wraps, ...added] }
    },
    recoveryMethods: async () => ((await own.find?.())?.wraps ?? []).map((each) => ({ ...each, createdAt: 5 })),
    async addRecoveryMethod(method, sign) {
      await sign(new Uint8Array(32))
      added.splice(0, added.length, ...added.filter(({ id }) => id !== method.id), structuredClone(method))
    },
    addPasskey: async (key, sign) => {
      await sign(key.publicKey)
      await note(`shares.addPasskey ${formatPasskey(key)}`)
    },
  }
  return new Proxy(memory, {
    get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name),
  })
}

function createAccount(note: Note): Partial<AccountService> {
  return {
    addPasskey: async (key) => note(`account.addPasskey ${formatPasskey(key)}`),
    removePasskey: async (id) => note(`account.removePasskey ${toBase64url(id)}`),
    passkeyChallenge: async () => new Uint8Array(32).fill(4),
    async provePasskey({ id, signature }) {
      const accessToken = `${toBase64url(id)} ${toBase64url(signature)}`
      return { accessToken, sharesToken: 's', refreshToken: 'r', expiresAt: 9 }
    },
  }
}

/** A wallet with the automatic method, on a device whose services are in memory. */
async function openMethods() {
  const memory = createMemoryStores()
  await createWallet(memory, [{ id: 'auto', method: 'auto', key: autoKey, facts: '{}' }], 1)
  const secret = suite.oprf.generateKeyPair().secretKey
  const added: WrappedRecoveryKey[] = []
  const calls: string[] = []
  const failures: Record<string, Error> = {}
  const note: Note = async (call) => {
    calls.push(call)
    if (failures[call] !== undefined) throw failures[call]
  }
  const shares = openShares(memory.shares, added, note)
  const opened: OpenWallet[] = []
  const methods = createRecoveryMethods({
    // The methods call nothing else.
    account: createAccount(note) as AccountService,
    shares,
    stretch: async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt]),
    evaluate: async (blinded) => ({ evaluated: suite.oprf.blindEvaluate(secret, blinded), version: 1 }),
    stores: async () => ({ ...memory, shares }),
    opened: (wallet) => void opened.push(wallet),
    sign: async () => ({ publicKey: new Uint8Array(32), signature: new Uint8Array(64) }),
    replaceTokens: async ({ accessToken }) => note(`tokens ${accessToken}`),
  })
  const find = async () => (await shares.find()) ?? expect.fail('no wallet')
  return {
    ...methods,
    calls,
    failures,
    opened,
    added,
    find,
    async ids() {
      return (await find()).wraps.map(({ id }) => id)
    },
    /** True if the credentials, and nothing that the page remembers, open one of the methods. */
    async opens(...given: readonly RecoveryCredential[]) {
      const { walletId, wraps } = await find()
      const mine = wraps.filter(({ method }) => method !== 'auto')
      const get = methods.getCredentialKey(given[0])
      return unwrapWithAny({ walletId, wraps: mine }, get).then(
        () => true,
        () => false,
      )
    },
    /** Damages the automatic method, as lost keys of the share store do. */
    async damageAuto() {
      const { wraps } = await find()
      for (const each of wraps) if (each.method === 'auto') await breakStored(memory.shares, each)
    },
  }
}

/** Replaces the stored wrap by one that no key opens. */
async function breakStored(shares: ShareStore, { id }: WrappedRecoveryKey): Promise<void> {
  const stored = (await shares.find()) ?? expect.fail('no wallet')
  const wraps = stored.wraps.map((each) => (each.id === id ? { ...each, wrapped: new Uint8Array(60) } : each))
  await shares.prepare({ ...stored, wraps })
}

describe('a password', () => {
  test('opens the wallet once it is added, and another one does not', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    expect(await methods.opens(byPassword('four calm herons'))).toBe(true)
    expect(await methods.opens(byPassword('four calm heron'))).toBe(false)
    expect(await methods.opens(byPasskey(phone))).toBe(false)
    expect(await methods.opens()).toBe(false)
  })

  test('is needed again after the remembered keys are wiped', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.actions.removeRecoveryMethod('auto')
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    methods.wipe()
    await expect(methods.actions.addPasskey({ ...tablet, facts: '{}' })).rejects.toMatchObject({
      code: 'custody/recovery-method-needed',
      context: { method: 'password' },
    })
    await methods.actions.addPasskey({ ...tablet, facts: '{}' }, [byPassword('four calm herons')])
    expect(await methods.ids()).toEqual(['password', phone.id, tablet.id])
  })

  test('that is wrong is reported as wrong, not as missing', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.actions.removeRecoveryMethod('auto')
    methods.wipe()
    const added = methods.actions.addPasskey({ ...phone, facts: '{}' }, [byPassword('four calm heron')])
    await expect(added).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(await methods.ids()).toEqual(['password'])
  })

  test('leaves no key in memory after the remembered keys are wiped, replaced ones included', async () => {
    const methods = await openMethods()
    const copies = trackCopies()
    const keys: Uint8Array[] = []
    for (const password of ['four calm herons', 'five calm herons']) {
      await methods.actions.addPassword(password)
      const wrap = methods.added.at(-1) ?? expect.fail('no method')
      const key = await methods.getCredentialKey(byPassword(password))(wrap)
      keys.push(Buffer.from(key ?? []))
      key?.fill(0)
    }
    // The page remembers the current password.
    expect(keys.map(copies)).toEqual([0, 1])
    methods.wipe()
    expect(keys.map(copies)).toEqual([0, 0])
  })
})

describe('a passkey', () => {
  test('opens the wallet with its own output only', async () => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    expect(await methods.opens(byPasskey(phone))).toBe(true)
    expect(await methods.opens(byPasskey(passkey(phone.id, 9)))).toBe(false)
    expect(await methods.opens(byPasskey(passkey(tablet.id, 1)))).toBe(false)
    expect(await methods.opens(byPassword('four calm herons'))).toBe(false)
  })

  test('leaves no key in memory after the remembered keys are wiped', async () => {
    const methods = await openMethods()
    const key = passkeyKey(phone.output, fromBase64url(phone.id))
    const copies = trackCopies()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    expect(copies(key)).toBe(1)
    methods.wipe()
    expect(copies(key)).toBe(0)
  })

  test('that is removed leaves no key in memory', async () => {
    const methods = await openMethods()
    const key = passkeyKey(phone.output, fromBase64url(phone.id))
    const copies = trackCopies()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.removeRecoveryMethod(phone.id)
    expect(copies(key)).toBe(0)
  })

  test.each(['account.addPasskey AAAA 91', 'shares.addPasskey AAAA 91'])(
    'that one service refuses at %s is still added, and registered at the other one',
    async (call) => {
      const methods = await openMethods()
      methods.failures[call] = refusal
      await methods.actions.addPasskey({ ...phone, facts: '{}', publicKey })
      expect(methods.calls).toEqual(['account.addPasskey AAAA 91', 'shares.addPasskey AAAA 91'])
      expect(await methods.ids()).toEqual(['auto', phone.id])
    },
  )

  test('reports a service that does not respond', async () => {
    const methods = await openMethods()
    methods.failures['account.addPasskey AAAA 91'] = new Error('unreachable')
    await expect(methods.actions.addPasskey({ ...phone, facts: '{}', publicKey })).rejects.toThrow('unreachable')
  })

  test('without a public key is registered at no service', async () => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    expect(methods.calls).toEqual([])
  })

  test('gets an input of its wallet and a challenge of the auth service', async () => {
    const methods = await openMethods()
    const { walletId } = await methods.find()
    const request = { input: passkeyInput(walletId), challenge: new Uint8Array(32).fill(4) }
    expect(await methods.actions.createPasskeyRequest()).toEqual(request)
  })

  test('that is proven replaces the tokens of the session', async () => {
    const methods = await openMethods()
    const bytes = new Uint8Array(8)
    await methods.actions.provePasskey({
      id: 'AAAA',
      authenticatorData: bytes,
      clientDataJSON: bytes,
      signature: bytes,
    })
    expect(methods.calls).toEqual(['tokens AAAA AAAAAAAAAAA'])
  })
})

describe('the key of a method', () => {
  const wrapOf = (method: 'auto' | 'password' | 'passkey'): WrappedRecoveryKey => ({
    id: phone.id,
    method,
    facts: '{}',
    wrapped: new Uint8Array(60),
  })

  test('comes from a credential of the same kind only', async () => {
    const { getCredentialKey } = await openMethods()
    expect(await getCredentialKey(undefined)(wrapOf('password'))).toBeUndefined()
    expect(await getCredentialKey(byPassword('four calm herons'))(wrapOf('passkey'))).toBeUndefined()
    expect(await getCredentialKey(byPasskey(phone))(wrapOf('password'))).toBeUndefined()
    expect(await getCredentialKey(byPasskey(tablet))(wrapOf('passkey'))).toBeUndefined()
  })

  test('is not remembered if it is automatic', async () => {
    const { getMethodKey } = await openMethods()
    const copies = trackCopies()
    const key = await getMethodKey([])(wrapOf('auto'))
    expect(copies(autoKey)).toBe(1)
    key?.fill(0)
    expect(copies(autoKey)).toBe(0)
  })
})

describe('removing a method', () => {
  test('begins an epoch in which the remaining methods open the wallet, and the removed one does not', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    const { epoch } = await methods.find()
    await methods.actions.removeRecoveryMethod(phone.id)
    expect(await methods.ids()).toEqual(['auto', 'password'])
    expect((await methods.find()).epoch).toBe(epoch + 1)
    expect(await methods.opens(byPassword('four calm herons'))).toBe(true)
    expect(methods.opened.length).toBe(1)
    expect(methods.calls).toEqual([`account.removePasskey ${phone.id}`])
  })

  test.each(['password', 'auto'])('removes no passkey at the auth service for %s', async (id) => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.removeRecoveryMethod(id)
    expect(await methods.ids()).not.toContain(id)
    expect(methods.calls).toEqual([])
  })

  test('needs the key of each remaining method, and forgets that of the removed one', async () => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.addPassword('four calm herons')
    methods.wipe()
    const needed = { code: 'custody/recovery-method-needed' }
    await expect(methods.actions.removeRecoveryMethod('auto')).rejects.toMatchObject(needed)
    const given = [byPassword('four calm herons')]
    await expect(methods.actions.removeRecoveryMethod('auto', given)).rejects.toMatchObject(needed)
    expect(await methods.ids()).toContain('auto')
    await methods.actions.removeRecoveryMethod('auto', [...given, byPasskey(phone)])
    expect((await methods.ids()).toSorted()).toEqual([phone.id, 'password'].toSorted())
    await methods.actions.removeRecoveryMethod(phone.id)
    const forgotten = { id: phone.id, method: 'passkey', facts: '{}', wrapped: new Uint8Array(60) } as const
    expect(await methods.getMethodKey([])(forgotten)).toBeUndefined()
  })

  test('also removes the passkeys that the user does not have, if asked to', async () => {
    const methods = await openMethods()
    for (const each of [phone, tablet]) await methods.actions.addPasskey({ ...each, facts: '{}' })
    await methods.actions.addPassword('four calm herons')
    methods.wipe()
    const given = [byPassword('four calm herons'), byPasskey(phone)]
    await methods.actions.removeRecoveryMethod('auto', given, { dropsPasskeys: true })
    expect((await methods.ids()).toSorted()).toEqual([phone.id, 'password'].toSorted())
    expect(methods.calls).toEqual([`account.removePasskey ${tablet.id}`])
  })

  test.each([
    ['password', [byPassword('four calm heron'), byPasskey(phone)]],
    ['passkey', [byPassword('four calm herons'), byPasskey(passkey(phone.id, 9))]],
  ] as const)('fails with a wrong %s, which stays', async (_, given) => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.addPassword('four calm herons')
    methods.wipe()
    const removed = methods.actions.removeRecoveryMethod('auto', given)
    await expect(removed).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(await methods.ids()).toEqual(['auto', phone.id, 'password'])
    expect(methods.opened).toEqual([])
  })

  test('does not remove a password that the user does not have', async () => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.addPassword('four calm herons')
    methods.wipe()
    const removed = methods.actions.removeRecoveryMethod('auto', [byPasskey(phone)], { dropsPasskeys: true })
    await expect(removed).rejects.toMatchObject({
      code: 'custody/recovery-method-needed',
      context: { method: 'password' },
    })
    expect(await methods.ids()).toEqual(['auto', phone.id, 'password'])
  })

  test('ignores that the auth service does not know a passkey, and reports that it does not respond', async () => {
    const methods = await openMethods()
    for (const each of [phone, tablet]) await methods.actions.addPasskey({ ...each, facts: '{}' })
    methods.failures[`account.removePasskey ${phone.id}`] = refusal
    await methods.actions.removeRecoveryMethod(phone.id)
    methods.failures[`account.removePasskey ${tablet.id}`] = new Error('unreachable')
    await expect(methods.actions.removeRecoveryMethod(tablet.id)).rejects.toThrow('unreachable')
  })
})

describe('a damaged method', () => {
  const wrapOf = (id: string, method: 'auto' | 'password'): WrappedRecoveryKey => ({
    id,
    method,
    facts: '{}',
    wrapped: new Uint8Array(60),
  })

  test('is marked in the list if it is automatic, until it is removed', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.damageAuto()
    methods.onUnreadable(wrapOf('auto', 'auto'))
    methods.onUnreadable(wrapOf('password', 'password'))
    expect(await methods.actions.recoveryMethods()).toEqual([
      { id: 'auto', method: 'auto', createdAt: 5, isUnreadable: true },
      { id: 'password', method: 'password', createdAt: 5 },
    ])
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    expect((await methods.actions.recoveryMethods())[0]).toHaveProperty('isUnreadable', true)
    await methods.actions.removeRecoveryMethod(phone.id)
    expect(await methods.actions.recoveryMethods()).toEqual([{ id: 'password', method: 'password', createdAt: 5 }])
  })

  test('is replaced by a new one if it is automatic and the only one', async () => {
    const methods = await openMethods()
    await methods.damageAuto()
    methods.onUnreadable(wrapOf('auto', 'auto'))
    await methods.actions.addPassword('four calm herons')
    expect(await methods.ids()).toEqual(['password'])
    expect(await methods.opens(byPassword('four calm herons'))).toBe(true)
    expect(methods.opened.length).toBe(1)
  })

  test('beside a password is not replaced with a wrong password, and the password stays', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.damageAuto()
    methods.wipe()
    const added = methods.actions.addPasskey({ ...phone, facts: '{}' }, [byPassword('four calm heron')])
    await expect(added).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(await methods.ids()).toEqual(['auto', 'password'])
    expect(await methods.opens(byPassword('four calm herons'))).toBe(true)
    expect(methods.opened).toEqual([])
  })

  test('beside a password needs the password', async () => {
    const methods = await openMethods()
    await methods.actions.addPassword('four calm herons')
    await methods.damageAuto()
    methods.wipe()
    await expect(methods.actions.addPasskey({ ...phone, facts: '{}' })).rejects.toMatchObject({
      code: 'custody/recovery-method-needed',
      context: { method: 'password' },
    })
  })

  test('does not hide that a password is wrong if a passkey is missing, too', async () => {
    const methods = await openMethods()
    await methods.actions.addPasskey({ ...phone, facts: '{}' })
    await methods.actions.addPassword('four calm herons')
    await methods.damageAuto()
    methods.wipe()
    const added = methods.actions.addPasskey({ ...tablet, facts: '{}' }, [byPassword('four calm heron')])
    await expect(added).rejects.toMatchObject({ code: 'custody/unreadable' })
  })
})
