import { describe, expect, test } from 'vitest'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import type { ShareStore } from '../../services/shareStore.ts'
import { createMemoryStores } from '../../testing/memoryStores.ts'
import { createWallet, type KeyShareStores, type OpenWallet } from '../../wallet/enrol.ts'
import type { HolderUser, RecoveryCredential } from '../keyHolder.ts'
import { openDevice } from '../storage/device.ts'
import { createMemoryStore } from '../storage/holderStore.ts'
import { createKnownLogins } from './knownLogins.ts'
import { createLogins } from './logins.ts'
import type { Tokens } from './session.ts'

const autoKey = new Uint8Array(32).fill(7)
const ownKey = new Uint8Array(32).fill(9)
const origin = 'https://app.example'
const email = 'ann@example.org'
const tokens = { accessToken: 'a', sharesToken: 's', refreshToken: 'r' }
const needsDevice = new ServiceRefusal(403, 'device', 'Approve this device.')
const notStarted = { status: 409, field: 'login' }

type Responses = Readonly<Record<string, Record<string, unknown> | Error>>
type Method = 'auto' | 'passkey' | 'password'
type Setup = {
  /** The user of the auth service. */
  readonly user?: Record<string, unknown>
  /** The methods of a wallet that exists already. */
  readonly methods?: readonly Method[]
  readonly responses?: Responses
  readonly loggedIn?: HolderUser
  /** Refusals of the share store before it admits the device. */
  readonly refusals?: number
}

const findMethodKey = (given: readonly RecoveryCredential[]) => async (wrap: { readonly method: string }) => {
  if (wrap.method === 'auto') return autoKey.slice()
  return given.some(({ method }) => method === wrap.method) ? ownKey.slice() : undefined
}

/** Creates a wallet whose devices are lost. */
async function createLostWallet(memory: ReturnType<typeof createMemoryStores>, methods: readonly Method[]) {
  const keys = methods.map((method) => ({ id: method, method, key: method === 'auto' ? autoKey : ownKey, facts: '' }))
  await createWallet(memory, keys, 1)
  await memory.device.clear()
}

/** A share store that refuses the device some times. */
function refuseDevice(stored: ShareStore, refusals: number): ShareStore {
  let refused = 0
  const own: Partial<ShareStore> = {
    autoKey: async () => autoKey.slice(),
    async find() {
      if (refused < refusals) {
        refused += 1
        throw needsDevice
      }
      return stored.find()
    },
    findLost: async () => Promise.reject(new ServiceRefusal(403, 'device', 'No.')),
  }
  return new Proxy(stored, { get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name) })
}

const settings = {
  authUrl: 'https://auth.example',
  sharesUrl: 'https://shares.example',
  projectId: 'p',
  farcaster: undefined,
}

/** The login of a new browser, with services in memory. */
async function openLogins({
  user = { id: 'ann', email },
  methods,
  responses = {},
  loggedIn,
  refusals = 0,
}: Setup = {}) {
  const memory = createMemoryStores()
  if (methods !== undefined) await createLostWallet(memory, methods)
  const shares = refuseDevice(memory.shares, refusals)
  const log: string[] = []
  const nexts: unknown[] = []
  const request: ServiceRequest = async (_, path, body) => {
    log.push(path)
    if (path === '/auth/v1/social/begin') nexts.push(Reflect.get(Object(Reflect.get(body ?? {}, 'next')), 'always'))
    const response = responses[path]
    if (response instanceof Error) throw response
    if (response !== undefined) return response
    if (path.endsWith('/redeem')) return { user, tokens, state: 'done', continues: true }
    return { id: 'one', uri: 'https://a.example/', match: '17', action: 'VERIFY_OTP', state: 'approved' }
  }
  const store = createMemoryStore()
  const device = await openDevice(store)
  const known = createKnownLogins(device, store)
  const begun: Tokens[] = []
  const saved: HolderUser[] = []
  const opened: OpenWallet[] = []
  const timers: number[] = []
  const logins = createLogins({
    ...settings,
    now: () => 1,
    later(act, milliseconds) {
      timers.push(milliseconds)
      act()
      return () => undefined
    },
    session: {
      user: async () => loggedIn,
      begin: (given) => void begun.push(given),
      replaceTokens: async () => undefined,
      save: async (given) => void saved.push(given),
      end: async () => undefined,
      request: () => request,
      requestWithoutLogin: () => request,
    },
    known,
    device,
    storesOf(id, page) {
      log.push(`stores of ${id} for ${String(page)}`)
      return { ...memory, shares } satisfies KeyShareStores
    },
    opened: (wallet) => void opened.push(wallet),
    prefetch: () => void log.push('prefetch'),
    warmUp: () => void log.push('warm up'),
    getMethodKey: findMethodKey,
    onUnreadable: () => undefined,
  })
  return { ...logins, memory, known, log, nexts, begun, saved, opened, timers }
}

const password: RecoveryCredential = { method: 'password', password: 'four calm herons' }
const social = { provider: 'github', origin } as const

describe('a login by mail', () => {
  test('creates the wallet of a new user, and remembers the browser', async () => {
    const logins = await openLogins()
    await logins.known.add(email)
    expect(await logins.sendCode({ email, origin })).toEqual({ action: 'VERIFY_OTP' })
    expect(logins.timers).toEqual([1_000])
    const result = await logins.redeem('123456')
    const [wallet] = logins.opened
    expect(result).toEqual({ user: { id: 'ann', email, accounts: wallet?.accounts } })
    expect(logins.saved).toEqual(['user' in result ? result.user : undefined])
    expect(logins.begun).toEqual([tokens])
    expect(logins.log.slice(1)).toEqual(['warm up', '/auth/v1/codes/redeem', 'prefetch', `stores of ann for ${origin}`])
  })

  test('in a new browser warms up while the user reads the mail', async () => {
    const logins = await openLogins()
    expect(await logins.sendCode({ email, origin })).toEqual({ action: 'VERIFY_DEVICE', match: '17' })
    expect(logins.log).not.toContain('warm up')
    await logins.awaitDevice()
    expect(logins.log).toContain('warm up')
    expect(logins.timers).toEqual([1_000])
  })

  test('is not needed by the user of this browser, unless it has to be fresh', async () => {
    const loggedIn = { id: 'ann', email: 'Ann@example.org ', accounts: [] }
    const { sendCode, log } = await openLogins({ loggedIn })
    expect(await sendCode({ email, origin })).toEqual({ action: 'CONNECT' })
    expect(log).toEqual([])
    expect(await sendCode({ email, origin, fresh: true })).toMatchObject({ action: 'VERIFY_DEVICE' })
    expect(await sendCode({ email: 'ben@example.org', origin })).toMatchObject({ action: 'VERIFY_DEVICE' })
    const nameless = await openLogins({ loggedIn: { id: 'ann', accounts: [] } })
    expect(await nameless.sendCode({ email, origin })).toMatchObject({ action: 'VERIFY_DEVICE' })
  })

  test('that the share store refuses starts with the approval next time', async () => {
    const logins = await openLogins({ refusals: 1 })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    await expect(logins.redeem('123456')).rejects.toBe(needsDevice)
    expect(await logins.known.has(email)).toBe(false)
    expect(logins.opened).toEqual([])
  })

  test('fails unchanged for other reasons', async () => {
    const responses = { '/auth/v1/codes/redeem': new ServiceRefusal(401, 'code', 'Wrong.') }
    const logins = await openLogins({ responses })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    await expect(logins.redeem('1')).rejects.toMatchObject({ field: 'code' })
    expect(await logins.known.has(email)).toBe(true)
  })

  test.each([undefined, 'ann', { id: 7 }])('fails with the user %j of the response', async (user) => {
    const responses = { '/auth/v1/codes/redeem': { user, tokens } }
    const logins = await openLogins({ responses })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    await expect(logins.redeem('1')).rejects.toThrow('The response has no user.')
    expect(logins.begun).toEqual([])
  })

  test('reads known fields of the user only, and no accounts', async () => {
    const user = { id: 'ann', email, userName: 'Ann', social: 'x', deletionAt: 5, accounts: [], other: 1 }
    const logins = await openLogins({ user })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    await logins.redeem('1')
    const { accounts } = logins.opened[0] ?? expect.fail('no wallet')
    expect(logins.saved).toEqual([{ id: 'ann', email, userName: 'Ann', social: 'x', deletionAt: 5, accounts }])
    const wrong = await openLogins({ user: { id: 'ann', email: 1, userName: 2, social: 3, deletionAt: '4' } })
    await wrong.sendCode({ email, origin })
    await wrong.awaitDevice()
    await wrong.redeem('1')
    expect(Object.keys(wrong.saved[0] ?? {})).toEqual(['id', 'accounts'])
  })

  test('creates no second wallet for a user who has one', async () => {
    const logins = await openLogins({ user: { id: 'ann', email, accounts: [{ namespace: 'eip155' }] } })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    await expect(logins.redeem('1')).rejects.toMatchObject({ status: 404, field: 'wallet' })
    expect(logins.opened).toEqual([])
  })
})

describe('a wallet without an automatic method', () => {
  const begin = async () => {
    const logins = await openLogins({ methods: ['password'] })
    await logins.known.add(email)
    await logins.sendCode({ email, origin })
    expect(await logins.redeem('1')).toEqual({ recoveryMethods: [{ id: 'password', method: 'password' }] })
    return logins
  }

  test('opens with a method of the user, once', async () => {
    const logins = await begin()
    expect(logins.saved).toEqual([])
    const user = await logins.recoverWith(password)
    expect(logins.saved).toEqual([user])
    expect(logins.opened.map(({ accounts }) => accounts)).toEqual([user.accounts])
    await expect(logins.recoverWith(password)).rejects.toMatchObject(notStarted)
  })

  test('opens with no other method, and can be tried again', async () => {
    const logins = await begin()
    const other: RecoveryCredential = { method: 'passkey', id: 'AAAA', output: new Uint8Array(32) }
    await expect(logins.recoverWith(other)).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(await logins.recoverWith(password)).toMatchObject({ id: 'ann' })
  })

  test('does not open after its login was forgotten, or without one', async () => {
    const logins = await begin()
    logins.forget()
    await expect(logins.recoverWith(password)).rejects.toMatchObject(notStarted)
    await expect((await openLogins()).recoverWith(password)).rejects.toMatchObject(notStarted)
  })
})

describe('a login at a provider on a device that the share store does not know', () => {
  const enter = async (setup: Setup) => {
    const logins = await openLogins({ methods: ['auto'], refusals: 1, ...setup })
    await logins.beginSocial(social)
    return logins
  }

  test('opens the wallet with the code of the provider’s window', async () => {
    const logins = await enter({})
    expect(await logins.awaitSocial()).toEqual({ needsCode: true })
    expect(logins.opened).toEqual([])
    const approved = logins.awaitApproval()
    await logins.approveDevice('123456')
    expect(logins.log).toContain('/shares/v1/social/redeem')
    expect(await approved).toMatchObject({ user: { id: 'ann' } })
    await expect(logins.awaitApproval()).rejects.toMatchObject(notStarted)
  })

  test('uses a code that arrived before the approval began', async () => {
    const logins = await enter({})
    await logins.approveDevice('123456')
    expect(logins.log).not.toContain('/shares/v1/social/redeem')
    expect(await logins.awaitSocial()).toEqual({ needsCode: true })
    expect(await logins.awaitApproval()).toMatchObject({ user: { id: 'ann' } })
  })

  test('does not use the early code of an earlier login, or fail with a wrong one', async () => {
    const logins = await enter({})
    await logins.approveDevice('123456')
    await logins.beginSocial(social)
    expect(await logins.awaitSocial()).toEqual({ needsCode: true })
    expect(logins.log).not.toContain('/shares/v1/social/redeem')
    const wrong = await enter({ responses: { '/shares/v1/social/redeem': new ServiceRefusal(401, 'code', 'Wrong.') } })
    await wrong.approveDevice('1')
    expect(await wrong.awaitSocial()).toEqual({ needsCode: true })
  })

  test('uses its tokens once, and returns the same result again', async () => {
    const logins = await enter({ refusals: 0 })
    const [one, other] = await Promise.all([logins.awaitSocial(), logins.awaitSocial()])
    expect(one).toBe(other)
    expect(logins.begun).toHaveLength(1)
    await logins.awaitProvider()
    expect(logins.begun).toHaveLength(1)
  })

  test('goes on to the share store’s login in any case until the wallet opens', async () => {
    const logins = await enter({})
    await logins.awaitSocial()
    await logins.beginSocial(social)
    await logins.awaitSocial()
    await logins.beginSocial(social)
    expect(logins.nexts).toEqual([false, true, false])
  })

  test('is refused without a code of the window', async () => {
    const responses = { '/auth/v1/social/redeem': { state: 'done', user: { id: 'ann' }, tokens } }
    const logins = await enter({ responses })
    await expect(logins.awaitSocial()).rejects.toMatchObject({ status: 403, field: 'device' })
    await expect(logins.createDevicePasskeyRequest()).rejects.toMatchObject(notStarted)
  })

  test('accepts the secret of its own window only', async () => {
    const logins = await enter({})
    expect(await logins.acceptLogin({ id: 'another', secret: 's' })).toBe(false)
    expect(await logins.acceptLogin({ id: 'one', secret: 's' })).toBe(true)
  })
})

test('nothing is approved or asked for before a login', async () => {
  const logins = await openLogins()
  const bytes = new Uint8Array(1)
  const proof = { id: 'AAAA', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
  await expect(logins.awaitApproval()).rejects.toMatchObject(notStarted)
  await expect(logins.createDevicePasskeyRequest()).rejects.toMatchObject(notStarted)
  await expect(logins.approveDeviceByPasskey({ proof, output: bytes })).rejects.toMatchObject(notStarted)
  await expect(logins.awaitFarcaster()).rejects.toMatchObject(notStarted)
  await expect(logins.beginFarcaster({ origin })).rejects.toMatchObject({ status: 400, field: 'provider' })
})
