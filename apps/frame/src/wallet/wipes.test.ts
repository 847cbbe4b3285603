import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRecoveryKeyShare, unwrapRecoveryKey, wrapRecoveryKey } from '../custody/recoveryMethod.ts'
import { decodeKeyShare } from '../custody/keyShare.ts'
import { joinKeyShares } from '../custody/splitKey.ts'
import type { AuthShares, ShareStore } from '../services/shareStore.ts'
import { createMemoryStores, type MemoryStores } from '../testing/memoryStores.ts'
import { interceptStores } from '../testing/interceptStores.ts'
import { trackCopies, trackCopiesOf, type CountCopies } from '../testing/trackCopies.ts'
import { adoptWallet } from './adoptWallet.ts'
import { createWallet, openWithShares, unlock, type RecoveryMethodKey } from './enrol.ts'
import { warmUpEnrolment } from './warmUpEnrolment.ts'
import { rebuildAuthShare, rebuildRecoveryShare } from './rebuildAuthShare.ts'
import { recover } from './recover.ts'
import { rehearse } from './rehearse.ts'
import { addRecoveryMethod, rotate } from './rotate.ts'

const methodKey = new Uint8Array(32).fill(7)
const auto: RecoveryMethodKey = { id: 'auto', method: 'auto', key: methodKey, facts: '{}' }
const getMethodKey = async () => methodKey.slice()

type AuthSet = Parameters<AuthShares['prepare']>[0]
type StoredSet = Parameters<ShareStore['prepare']>[0]
type WatchedStores = MemoryStores & { readonly sets: ReadonlyArray<{ auth?: AuthSet; shares?: StoredSet }> }

/** The stores return shares as new arrays, which belong to the caller. */
const copyShare = <set extends { share: Uint8Array }>(set: set | undefined): set | undefined =>
  set && { ...set, share: Uint8Array.from(set.share) }

/** Stores in memory that keep what they got. */
function createWatchedStores(): WatchedStores {
  const stores = createMemoryStores()
  const [auth, shares]: [AuthSet[], StoredSet[]] = [[], []]
  const prepareAuth = stores.auth.prepare
  const prepareShares = stores.shares.prepare
  return {
    ...stores,
    device: {
      ...stores.device,
      read: async () => copyShare(await stores.device.read()),
      readOf: async (user) => copyShare(await stores.device.readOf(user)),
    },
    auth: {
      ...stores.auth,
      own: async () => copyShare(await stores.auth.own()),
      any: async (stored) => copyShare(await stores.auth.any(stored)),
      read: async (setId) => copyShare(await stores.auth.read(setId)),
      async prepare(set) {
        auth.push(structuredClone(set))
        await prepareAuth(set)
      },
    },
    shares: {
      ...stores.shares,
      async prepare(set) {
        shares.push(structuredClone(set))
        await prepareShares(set)
      },
    },
    get sets() {
      return auth.map((set, at) => ({ auth: set, ...(shares[at] && { shares: shares[at] }) }))
    },
  }
}

/** The secrets of every enrolment that the stores got: both keys, and the values of the shares. */
async function listSecrets({ sets, device }: WatchedStores): Promise<readonly Uint8Array[]> {
  const secrets: Uint8Array[] = [methodKey]
  let wraps: StoredSet['wraps']
  for (const { auth, shares } of sets) {
    wraps = shares?.wraps ?? wraps
    const wrapped = wraps?.[0]?.wrapped
    if (auth === undefined || shares === undefined || wrapped === undefined) expect.fail('no enrolment')
    const recoveryKey = await unwrapRecoveryKey(methodKey, { walletId: auth.walletId, method: 'auto' }, wrapped)
    const remote = decodeKeyShare(auth.share)
    const recovery = await openRecoveryKeyShare(recoveryKey, shares, shares.share)
    secrets.push(recoveryKey, await joinKeyShares(remote, recovery), remote.values, recovery.values)
  }
  const local = await device.read()
  if (local !== undefined) secrets.push(decodeKeyShare(local.share).values)
  return secrets
}

/** Expects that no array of an action contains a secret. */
async function expectNoSecret(copies: CountCopies, stores: WatchedStores, ...more: readonly Uint8Array[]) {
  const secrets = [...(await listSecrets(stores)), ...more]
  expect(secrets.map(copies)).toEqual(secrets.map(() => 0))
}

/** A wallet in memory, and its entropy. */
async function createTestWallet() {
  const stores = createWatchedStores()
  const { entropy } = await createWallet(stores, [auto], 1)
  return { stores, entropy }
}

/** The owner of the opened wallet wipes its entropy. */
const wipeOpened = ({ entropy }: { entropy: Uint8Array } = { entropy: new Uint8Array() }): void => void entropy.fill(0)

type Opened = Promise<{ entropy: Uint8Array } | undefined>

/** The steps at which a store may fail, by action. */
const actions: Readonly<Record<string, { steps: readonly string[]; act(stores: MemoryStores): Opened }>> = {
  rotation: {
    steps: ['shares.find', 'auth.own', 'shares.prepare', 'device.write', 'auth.read', 'shares.commit', 'auth.commit'],
    act: (stores) => rotate(stores, { getMethodKey }),
  },
  'rotation with another recovery key': {
    steps: ['shares.prepare', 'auth.commit'],
    act: (stores) => rotate(stores, { getMethodKey, add: [auto] }),
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
  rehearsal: {
    steps: ['shares.find', 'auth.own', 'auth.any'],
    act: (stores) => rehearse(stores, 'auto', getMethodKey),
  },
  unlocking: { steps: ['auth.own'], act: unlock },
}

describe.each(Object.entries(actions))('%s', (name, { steps, act }) => {
  test.each(steps)('that fails at %s leaves no copy of entropy, keys or shares [K-12]', async (step) => {
    const { stores, entropy } = await createTestWallet()
    stores.failAt(step)
    const copies = await trackCopiesOf(() => expect(act(stores)).rejects.toThrow('died'))
    stores.failAt(undefined)
    await expectNoSecret(copies, stores, entropy)
  })

  test('that succeeds leaves no copy of entropy, keys or shares once the owner wipes the entropy [K-12]', async () => {
    const { stores, entropy } = await createTestWallet()
    const copies = await trackCopiesOf(async () => wipeOpened(await act(stores)))
    expect(stores.sets).toHaveLength(['rehearsal', 'unlocking'].includes(name) ? 1 : 2)
    await expectNoSecret(copies, stores, entropy)
  })
})

describe('the creation of a wallet', () => {
  const create = (stores: MemoryStores) => createWallet(stores, [auto], 1)

  test.each([
    'shares.prepare',
    'auth.prepare',
    'device.write',
    'auth.read',
    'shares.read',
    'shares.commit',
    'auth.commit',
  ])('that fails at %s leaves no copy of entropy, keys or shares [K-12]', async (step) => {
    const stores = createWatchedStores()
    const random = vi.spyOn(crypto, 'getRandomValues')
    onTestFinished(() => random.mockRestore())
    stores.failAt(step)
    const copies = await trackCopiesOf(() => expect(create(stores)).rejects.toThrow('died'))
    stores.failAt(undefined)
    // The entropy is random bytes that were overwritten.
    const [entropy] = random.mock.calls[0] ?? []
    expect(entropy).toEqual(new Uint8Array(16))
    await expectNoSecret(copies, stores)
  })

  test('that succeeds leaves no copy of keys or shares [K-12]', async () => {
    const stores = createWatchedStores()
    const opened: Uint8Array[] = []
    const copies = await trackCopiesOf(async () => {
      const { entropy } = await create(stores)
      opened.push(Buffer.from(entropy))
      entropy.fill(0)
    })
    expect(stores.sets).toHaveLength(1)
    await expectNoSecret(copies, stores, ...opened)
  })
})

test('a wallet whose accounts can’t be derived leaves no copy of its entropy [K-12]', async () => {
  const { stores, entropy } = await createTestWallet()
  const [local, remote] = [await stores.device.read(), await stores.auth.own()]
  if (local === undefined || remote === undefined) expect.fail('no wallet')
  const shares = [decodeKeyShare(local.share), decodeKeyShare(remote.share)] as const
  const derived = vi.spyOn(crypto.subtle, 'deriveBits').mockRejectedValueOnce(new Error('no PBKDF2'))
  onTestFinished(() => derived.mockRestore())
  const copies = await trackCopiesOf(() => expect(openWithShares(...shares, local.vault)).rejects.toThrow('no PBKDF2'))
  expect(copies(entropy)).toBe(0)
})

test('a rehearsal that opens another wallet leaves no copy of its entropy [K-12]', async () => {
  const { stores } = await createTestWallet()
  const { stores: other, entropy } = await createTestWallet()
  let finds = 0
  const wrong = interceptStores(stores, async ({ step, run }) => {
    // The first call is that of this device's own wallet.
    if (step === 'shares.find' && (finds += 1) > 1) return other.shares.find()
    return step === 'auth.any' ? other.auth.own() : run()
  })
  const copies = await trackCopiesOf(() =>
    expect(rehearse(wrong, 'auto', getMethodKey)).rejects.toMatchObject({ code: 'custody/mismatch' }),
  )
  await expectNoSecret(copies, other, entropy)
  await expectNoSecret(copies, stores)
})

test.each(['shares.adopt', undefined])('a move of a wallet that fails at %s leaves no copy [K-12]', async (step) => {
  const { stores, entropy } = await createTestWallet()
  const stored = (await stores.shares.find()) ?? expect.fail('no wallet')
  const adopt: ShareStore['adopt'] = async (_, sign) => {
    await sign(new Uint8Array(32))
    if (step !== undefined) throw new Error('died')
  }
  const lost = { ...stored, previous: 'old', autoKey: new Uint8Array(methodKey) }
  const copies = await trackCopiesOf(() =>
    adoptWallet({ ...stores, shares: { ...stores.shares, adopt } }, lost, getMethodKey).catch((error: unknown) =>
      expect(error).toMatchObject({ message: 'died' }),
    ),
  )
  expect(lost.autoKey).toEqual(new Uint8Array(32))
  await expectNoSecret(copies, stores, entropy)
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
  const { stores, entropy } = await createTestWallet()
  const secrets = [...(await listSecrets(stores)), entropy]
  const copies = trackCopies()
  stores.failAt('shares.addRecoveryMethod')
  const sign = async () => ({ publicKey: new Uint8Array(32), signature: new Uint8Array(64) })
  const way = { id: 'password', method: 'password', key: new Uint8Array(32).fill(9), facts: '{}' } as const
  await expect(addRecoveryMethod({ ...stores, sign }, way, getMethodKey)).rejects.toThrow('died')
  expect(secrets.map(copies)).toEqual(secrets.map(() => 0))
})

test('a vault that does not open leaves no share in memory [K-12]', async () => {
  const { stores, entropy } = await createTestWallet()
  const secrets = [...(await listSecrets(stores)), entropy]
  const record = (await stores.device.read()) ?? expect.fail('no record')
  await stores.device.write({ ...record, vault: Buffer.from(record.vault.map((byte) => byte ^ 1)) })
  const copies = trackCopies()
  await expect(unlock(stores)).rejects.toMatchObject({ code: 'custody/unreadable' })
  expect(secrets.map(copies)).toEqual(secrets.map(() => 0))
})

test('a damaged recovery method leaves neither its key nor the share of the auth service in memory [K-12]', async () => {
  const { stores, entropy } = await createTestWallet()
  const secrets = [...(await listSecrets(stores)), entropy]
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
  expect(secrets.map(copies)).toEqual(secrets.map(() => 0))
})
