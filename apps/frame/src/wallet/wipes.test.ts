import { describe, expect, test } from 'vitest'
import { wrapRecoveryKey } from '../custody/recoveryMethod.ts'
import { decodeKeyShare } from '../custody/keyShare.ts'
import { createMemoryStores, type MemoryStores } from '../testing/memoryStores.ts'
import { trackCopies } from '../testing/trackCopies.ts'
import { createWallet, unlock, type RecoveryMethodKey } from './enrol.ts'
import { warmUpEnrolment } from './warmUpEnrolment.ts'
import { rebuildAuthShare, rebuildRecoveryShare } from './rebuildAuthShare.ts'
import { recover } from './recover.ts'
import { addRecoveryMethod, rotate } from './rotate.ts'

const methodKey = new Uint8Array(32).fill(7)
const auto: RecoveryMethodKey = { id: 'auto', method: 'auto', key: methodKey, facts: '{}' }
const getMethodKey = async () => methodKey.slice()
const isBytes = (length: number) => (bytes: Uint8Array) => bytes.length === length

/** A wallet in memory, and its secrets: entropy, and the values of the shares of this device and the auth service. */
async function createTestWallet() {
  const stores = createMemoryStores()
  const { entropy } = await createWallet(stores, [auto], 1)
  const shares = [await stores.device.read(), await stores.auth.own()]
  const values = shares.map((each) => decodeKeyShare(each?.share ?? new Uint8Array()).values)
  return { stores, secrets: [new Uint8Array(entropy), ...values.map((each) => new Uint8Array(each))] }
}

/** The steps at which a store may fail, by action. */
const actions: Readonly<Record<string, { steps: readonly string[]; act(stores: MemoryStores): Promise<unknown> }>> = {
  rotation: {
    steps: ['shares.find', 'auth.own', 'shares.prepare', 'device.write', 'auth.read', 'shares.commit', 'auth.commit'],
    act: (stores) => rotate(stores, { getMethodKey }),
  },
  recovery: {
    steps: [
      'auth.any',
      'shares.prepare',
      'auth.prepare',
      'device.write',
      'shares.read',
      'auth.commitProven',
      'shares.commitProven',
      'auth.commit',
    ],
    act: (stores) => recover(stores, getMethodKey),
  },
  'replacement of the auth share': {
    steps: ['shares.prepare', 'device.write', 'auth.read', 'auth.commit'],
    act: (stores) => rebuildAuthShare(stores, getMethodKey),
  },
  'replacement of the recovery share': {
    steps: ['shares.prepare', 'auth.prepare', 'device.write', 'shares.read', 'shares.commit'],
    act: (stores) => rebuildRecoveryShare(stores, [auto]),
  },
}

describe.each(Object.entries(actions))('a %s', (_, { steps, act }) => {
  test.each(steps)('that fails at %s leaves no copy of entropy, shares or method keys [K-12]', async (step) => {
    const { stores, secrets } = await createTestWallet()
    const copies = trackCopies()
    stores.failAt(step)
    await expect(act(stores)).rejects.toThrow('died')
    expect(secrets.map(copies)).toEqual(secrets.map(() => 0))
    expect(copies(methodKey)).toBe(0)
  })
})

test.each([
  'shares.prepare',
  'auth.prepare',
  'device.write',
  'auth.read',
  'shares.read',
  'shares.commit',
  'auth.commit',
])('the creation of a wallet that fails at %s leaves only zeros of its keys [K-12]', async (step) => {
  const stores = createMemoryStores()
  const random: Uint8Array[] = []
  const { getRandomValues } = crypto
  crypto.getRandomValues = (bytes) => {
    if (bytes instanceof Uint8Array) random.push(bytes)
    return Reflect.apply(getRandomValues, crypto, [bytes])
  }
  stores.failAt(step)
  await expect(createWallet(stores, [], 1)).rejects.toThrow('died')
  crypto.getRandomValues = getRandomValues
  // The entropy comes first, then the wallet key and the recovery key.
  const [entropy] = random.filter(isBytes(16))
  for (const key of [entropy, ...random.filter(isBytes(32)).slice(0, 2)]) {
    expect(key?.every((byte) => byte === 0)).toBe(true)
  }
})

test('the warm-up of an enrolment leaves only zeros of its keys [K-12]', async () => {
  const random: Uint8Array[] = []
  const { getRandomValues } = crypto
  crypto.getRandomValues = (bytes) => {
    if (bytes instanceof Uint8Array) random.push(bytes)
    return Reflect.apply(getRandomValues, crypto, [bytes])
  }
  await warmUpEnrolment()
  crypto.getRandomValues = getRandomValues
  // Entropy, wallet key, recovery key and method key come first.
  const keys = random.slice(0, 4)
  expect(keys.map(({ length }) => length)).toEqual([16, 32, 32, 32])
  for (const key of keys) expect(key.every((byte) => byte === 0)).toBe(true)
})

test('an added recovery method that the share store refuses leaves no key in memory [K-12]', async () => {
  const { stores, secrets } = await createTestWallet()
  const copies = trackCopies()
  stores.failAt('shares.addRecoveryMethod')
  const sign = async () => ({ publicKey: new Uint8Array(32), signature: new Uint8Array(64) })
  const way = { id: 'password', method: 'password', key: new Uint8Array(32).fill(9), facts: '{}' } as const
  await expect(addRecoveryMethod({ ...stores, sign }, way, getMethodKey)).rejects.toThrow('died')
  expect([methodKey, ...secrets].map(copies)).toEqual([0, 0, 0, 0])
})

test('a vault that does not open leaves no share in memory [K-12]', async () => {
  const { stores, secrets } = await createTestWallet()
  const record = (await stores.device.read()) ?? expect.fail('no record')
  await stores.device.write({ ...record, vault: record.vault.map((byte) => byte ^ 1) })
  const copies = trackCopies()
  await expect(unlock(stores)).rejects.toMatchObject({ code: 'custody/unreadable' })
  expect(secrets.map(copies)).toEqual([0, 0, 0])
})

test('a damaged recovery method leaves neither its key nor the share of the auth service in memory [K-12]', async () => {
  const { stores, secrets } = await createTestWallet()
  const found = (await stores.shares.find()) ?? expect.fail('no wallet')
  const wrapped = await wrapRecoveryKey(methodKey, { walletId: found.walletId, method: 'auto' }, new Uint8Array(32))
  const shares = { ...stores.shares, find: async () => ({ ...found, wraps: [{ ...auto, wrapped }] }) }
  const copies = trackCopies()
  const damaged = {
    ...stores,
    shares: new Proxy(stores.shares, {
      get: (target, name) => (name === 'find' ? shares.find : Reflect.get(target, name)),
    }),
  }
  await expect(recover(damaged, getMethodKey)).rejects.toMatchObject({ code: 'custody/unreadable' })
  expect([methodKey, ...secrets].map(copies)).toEqual([0, 0, 0, 0])
})
