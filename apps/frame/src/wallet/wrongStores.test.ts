import { describe, expect, test } from 'vitest'
import { decodeKeyShare } from '../custody/keyShare.ts'
import type { SignForStore } from '../services/postProven.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { createMemoryStores } from '../testing/memoryStores.ts'
import { interceptStores } from '../testing/interceptStores.ts'
import { trackCopies } from '../testing/trackCopies.ts'
import { adoptWallet, findLostWallet } from './adoptWallet.ts'
import type { DeviceStore } from './deviceStore.ts'
import { createWallet, unlock, type KeyShareStores, type RecoveryMethodKey } from './enrol.ts'
import { rebuildAuthShare, rebuildRecoveryShare } from './rebuildAuthShare.ts'
import { recover } from './recover.ts'
import { methodDigest, rehearse } from './rehearse.ts'
import { addRecoveryMethod, openHere, rotate } from './rotate.ts'
import { unwrapWithAny } from './unwrapWithAny.ts'

const methodKey = new Uint8Array(32).fill(7)
const auto: RecoveryMethodKey = { id: 'auto', method: 'auto', key: methodKey, facts: '{}' }
const getMethodKey = async () => methodKey.slice()
const invalid = { code: 'custody/invalid-share' }
const refusal = (status: number, field = 'x') => new ServiceRefusal(status, field, 'No.')

/** Replaces what a step returns. The replacement gets the true result. */
const replaceAt = (stores: KeyShareStores, at: string, replace: (result: unknown) => unknown): KeyShareStores =>
  interceptStores(stores, async ({ step, run }) => {
    const result = await run()
    return step === at ? replace(result) : result
  })

/** The share store refuses the enrolment of another user id. */
const refuseLost = (stores: KeyShareStores, error: Error): KeyShareStores => {
  const findLost = async (): Promise<never> => {
    throw error
  }
  const shares = new Proxy(stores.shares, {
    get: (target, name) => (name === 'findLost' ? findLost : Reflect.get(target, name)),
  })
  return { ...stores, shares }
}

async function createTestWallet() {
  const stores = createMemoryStores()
  return { stores, wallet: await createWallet(stores, [auto], 1) }
}

/** Returns the well-formed result of a step with another wallet. */
async function readOther(step: 'device.read' | 'auth.own' | 'shares.find'): Promise<object> {
  const { stores } = await createTestWallet()
  const found = { 'device.read': stores.device.read, 'auth.own': stores.auth.own, 'shares.find': stores.shares.find }
  return (await found[step]()) ?? expect.fail('nothing')
}
const mix = (result: unknown, changed: object): unknown => ({ ...(result as object), ...changed })

describe('an enrolment whose share is read back as', () => {
  const swaps = {
    'device.read': 'device.read',
    'auth.read': 'auth.own',
    'shares.read': 'shares.find',
  } as const

  test.each(Object.entries(swaps))('that of another wallet at %s shows no address [K-14]', async (step, source) => {
    const other = await readOther(source)
    let isRead = false
    const stores = createMemoryStores()
    const wrong = replaceAt(stores, step, (result) => {
      // Before the enrolment the device has no record.
      if (result === undefined) return undefined
      isRead = true
      return mix(result, { share: Reflect.get(other, 'share') })
    })
    await expect(createWallet(wrong, [auto], 1)).rejects.toMatchObject({ name: 'LatchkeyError' })
    expect(isRead).toBe(true)
    expect(await stores.device.read()).toBeUndefined()
    expect(await stores.shares.find()).toBeUndefined()
  })

  test.each(['auth.read', 'shares.read'])('absent at %s shows no address [K-14]', async (step) => {
    const stores = createMemoryStores()
    const wrong = replaceAt(stores, step, () => undefined)
    await expect(createWallet(wrong, [auto], 1)).rejects.toMatchObject(invalid)
    expect(await stores.device.read()).toBeUndefined()
  })

  test('three shares of one other wallet shows no address [K-14]', async () => {
    const { stores: other } = await createTestWallet()
    const device = (await other.device.read()) ?? expect.fail('no record')
    const stores = createMemoryStores()
    const wrong = interceptStores(stores, async ({ step, run }) => {
      const result = await run()
      if (step === 'device.read' && result !== undefined) return device
      if (step === 'auth.read') return other.auth.own()
      return step === 'shares.read' ? other.shares.find() : result
    })
    await expect(createWallet(wrong, [auto], 1)).rejects.toMatchObject({ name: 'LatchkeyError' })
    expect(await stores.shares.find()).toBeUndefined()
  })
})

describe('a device that is enrolled', () => {
  test.each(['shares.prepare', 'auth.read', 'shares.commit'])(
    'keeps its share if a rotation fails at %s [K-12]',
    async (step) => {
      const { stores, wallet } = await createTestWallet()
      stores.failAt(step)
      await expect(rotate(stores, { getMethodKey })).rejects.toThrow('died')
      stores.failAt(undefined)
      expect(await unlock(stores)).toEqual(wallet)
    },
  )

  test('does not open with the share of another enrolment', async () => {
    const { stores } = await createTestWallet()
    const other = replaceAt(stores, 'auth.own', (result) => mix(result, { setId: new Uint8Array(16) }))
    expect(await unlock(other)).toBeUndefined()
    await expect(openHere(other)).rejects.toMatchObject(invalid)
    await expect(rebuildRecoveryShare(other, [auto])).rejects.toMatchObject(invalid)
  })

  test.each(['auth.own', 'device.read'])('does not open, rotate or rebuild without %s', async (step) => {
    const { stores } = await createTestWallet()
    const other = replaceAt(stores, step, () => undefined)
    expect(await unlock(other)).toBeUndefined()
    await expect(rotate(other, { getMethodKey })).rejects.toMatchObject(invalid)
    await expect(rebuildRecoveryShare(other, [auto])).rejects.toMatchObject(invalid)
  })

  test('does not rotate if the share store is in another epoch, or has no wallet', async () => {
    const { stores } = await createTestWallet()
    const later = replaceAt(stores, 'shares.find', (result) => mix(result, { epoch: 2 }))
    await expect(rotate(later, { getMethodKey })).rejects.toMatchObject({ code: 'custody/mismatch' })
    const without = replaceAt(stores, 'shares.find', () => undefined)
    await expect(rotate(without, { getMethodKey })).rejects.toMatchObject(invalid)
    const sign = async () => ({ publicKey: new Uint8Array(32), signature: new Uint8Array(64) })
    await expect(addRecoveryMethod({ ...without, sign }, auto, getMethodKey)).rejects.toMatchObject(invalid)
  })

  test('does not remove its last recovery method', async () => {
    const { stores, wallet } = await createTestWallet()
    const last = { code: 'custody/last-recovery-method' }
    await expect(rotate(stores, { getMethodKey, drop: ['auto'] })).rejects.toMatchObject(last)
    const wrongKey = async () => new Uint8Array(32).fill(9)
    // The remaining method does not open the wallet.
    const twice = replaceAt(stores, 'shares.find', (result) =>
      mix(result, {
        wraps: [...Reflect.get(result as object, 'wraps'), { ...auto, id: 'b', wrapped: new Uint8Array(60) }],
      }),
    )
    await expect(rotate(twice, { getMethodKey: wrongKey, drop: ['auto'] })).rejects.toMatchObject(last)
    expect(await unlock(stores)).toEqual(wallet)
  })

  const changeByte = (bytes: unknown) =>
    Buffer.from(bytes as Uint8Array).map((byte, at) => (at === 60 ? byte ^ 1 : byte))

  test('reports a changed share or vault as such, in every action', async () => {
    const { stores } = await createTestWallet()
    const share = replaceAt(stores, 'device.read', (result) =>
      mix(result, { share: changeByte(Reflect.get(Object(result), 'share')) }),
    )
    for (const act of [
      () => unlock(share),
      () => rotate(share, { getMethodKey }),
      () => rebuildAuthShare(share, getMethodKey),
      () => rebuildRecoveryShare(share, [auto]),
      () => rehearse(share, 'auto', getMethodKey),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'custody/mismatch' })
    }
    const remote = replaceAt(stores, 'auth.any', (result) =>
      mix(result, { share: changeByte(Reflect.get(Object(result), 'share')) }),
    )
    await expect(recover(remote, getMethodKey)).rejects.toMatchObject({ code: 'custody/mismatch' })
    const vault = new Uint8Array(60)
    for (const [step, act] of [
      ['device.read', unlock],
      ['device.read', (wrong: KeyShareStores) => rotate(wrong, { getMethodKey })],
      ['shares.read', (wrong: KeyShareStores) => rebuildAuthShare(wrong, getMethodKey)],
      ['shares.find', (wrong: KeyShareStores) => recover(wrong, getMethodKey)],
    ] as const) {
      const wrong = replaceAt(stores, step, (result) => mix(result, { vault }))
      await expect(act(wrong)).rejects.toMatchObject({ code: 'custody/unreadable' })
    }
  })

  test.each(['device.read', 'shares.read'])('does not replace the auth share without %s', async (step) => {
    const { stores } = await createTestWallet()
    const other = replaceAt(stores, step, () => undefined)
    await expect(rebuildAuthShare(other, getMethodKey)).rejects.toMatchObject(invalid)
  })
})

describe('a recovery', () => {
  test('takes the next enrolment if the auth service has no share of the latest one', async () => {
    const { stores, wallet } = await createTestWallet()
    const excluded: unknown[] = []
    const find = async (except: readonly Uint8Array[] = []) => {
      excluded.push(except.length)
      const stored = await stores.shares.find()
      return except.length === 0 ? { ...(stored ?? expect.fail('no wallet')), setId: new Uint8Array(16) } : stored
    }
    const shares = new Proxy(stores.shares, {
      get: (target, name) => (name === 'find' ? find : Reflect.get(target, name)),
    })
    expect(await recover({ ...stores, shares }, getMethodKey)).toEqual(wallet)
    expect(excluded).toEqual([0, 1])
  })

  test('begins with the given enrolment, and asks for others only if the auth service has no share of it', async () => {
    const { stores, wallet } = await createTestWallet()
    const latest = (await stores.shares.find()) ?? expect.fail('no wallet')
    const asked: unknown[] = []
    const find = async (except: readonly Uint8Array[] = []) => {
      asked.push(except.map(String))
      return stores.shares.find()
    }
    const watched = { ...stores, shares: { ...stores.shares, find } }
    expect(await recover(watched, getMethodKey, undefined, latest)).toEqual(wallet)
    expect(asked).toEqual([])
    const setId = new Uint8Array(16)
    expect(await recover(watched, getMethodKey, undefined, { ...latest, setId })).toEqual(wallet)
    expect(asked).toEqual([[String(setId)]])
  })

  test('without enrolments at the services uses the share of this device, and moves a lost wallet first', async () => {
    const { stores, wallet } = await createTestWallet()
    const stored = (await stores.shares.find()) ?? expect.fail('no wallet')
    const without = { ...stores, shares: { ...stores.shares, find: async () => undefined } }
    const moved: string[] = []
    const findLost = async () => ({ ...stored, previous: 'old', autoKey: methodKey.slice() })
    const adopt = async (from: string) => void moved.push(from)
    const lost = { ...without, shares: { ...without.shares, findLost, adopt } }
    expect(await recover(lost, getMethodKey)).toEqual(wallet)
    expect(moved).toEqual(['old'])
    expect(await recover(refuseLost(without, refusal(403)), getMethodKey)).toEqual(wallet)
    await stores.device.clear()
    await expect(recover(refuseLost(without, refusal(403)), getMethodKey)).rejects.toMatchObject(invalid)
  })

  test('asks at most 25 times for another enrolment, and fails then', async () => {
    const { stores } = await createTestWallet()
    let asked = 0
    const wrong = interceptStores(refuseLost(stores, refusal(403)), async ({ step, run }) => {
      if (step === 'shares.find') asked += 1
      if (step === 'device.read') return undefined
      return step === 'auth.any' ? undefined : run()
    })
    await expect(recover(wrong, getMethodKey)).rejects.toMatchObject(invalid)
    expect(asked).toBe(25)
  })

  test('with a wrong key is final: the device share does not replace the auth share', async () => {
    const { stores } = await createTestWallet()
    const steps: string[] = []
    const watched = interceptStores(stores, async ({ step, run }) => {
      steps.push(step)
      return run()
    })
    const wrongKey = async () => new Uint8Array(32)
    await expect(recover(watched, wrongKey)).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(steps).toEqual(['shares.find', 'auth.any'])
  })
})

describe('the recovery key', () => {
  const unwrap = async (getKey: Parameters<typeof unwrapWithAny>[1]) => {
    const { stores } = await createTestWallet()
    const stored = (await stores.shares.find()) ?? expect.fail('no wallet')
    const damaged = { ...auto, id: 'damaged', wrapped: new Uint8Array(60) }
    const unreadable: string[] = []
    const wraps = [damaged, ...stored.wraps]
    const key = await unwrapWithAny({ ...stored, wraps }, getKey, ({ id }) => void unreadable.push(id))
    return { key, unreadable }
  }

  test('is found beside a damaged method, which is reported', async () => {
    const { key, unreadable } = await unwrap(getMethodKey)
    expect(key.length).toBe(32)
    expect(unreadable).toEqual(['damaged'])
  })

  test('is found beside a method that a service calls malformed', async () => {
    const { unreadable } = await unwrap(async ({ id }) => {
      if (id === 'damaged') throw refusal(400)
      return methodKey.slice()
    })
    expect(unreadable).toEqual(['damaged'])
  })

  test.each([refusal(429, 'password'), new Error('unreachable')])('is not searched further after %s', async (error) => {
    const tried: string[] = []
    const unwrapped = unwrap(async ({ id }) => {
      tried.push(id)
      throw error
    })
    await expect(unwrapped).rejects.toBe(error)
    expect(tried).toEqual(['damaged'])
  })
})

describe('a rehearsal', () => {
  test('with another method than the chosen one opens nothing', async () => {
    const { stores } = await createTestWallet()
    await expect(rehearse(stores, 'password', getMethodKey)).rejects.toMatchObject({ code: 'custody/unreadable' })
  })

  test('uses the chosen method only, and returns the digest of its stored data', async () => {
    const stores = createMemoryStores()
    const password: RecoveryMethodKey = {
      id: 'password',
      method: 'password',
      key: new Uint8Array(32).fill(9),
      facts: '',
    }
    await createWallet(stores, [auto, password], 1)
    await expect(rehearse(stores, 'password', getMethodKey)).rejects.toMatchObject({ code: 'custody/unreadable' })
    const { digest } = await rehearse(stores, 'password', async () => password.key.slice())
    const stored = (await stores.shares.find()) ?? expect.fail('no wallet')
    expect(digest).toEqual(methodDigest(stored, stored.wraps[1] ?? expect.fail('no method')))
  })

  test('opens the wallet of this device, and its digest changes with the stored data', async () => {
    const { stores, wallet } = await createTestWallet()
    const { entropy, digest } = await rehearse(stores, 'auto', getMethodKey)
    expect(entropy).toEqual(wallet.entropy)
    expect((await rehearse(stores, 'auto', getMethodKey)).digest).toEqual(digest)
    await rotate(stores, { getMethodKey })
    expect((await rehearse(stores, 'auto', getMethodKey)).digest).not.toEqual(digest)
  })

  test('of another wallet fails', async () => {
    const { stores } = await createTestWallet()
    const { stores: other } = await createTestWallet()
    let isHeld = true
    const wrong = interceptStores(stores, async ({ step, run }) => {
      // The first call is that of this device's own wallet.
      if (step === 'shares.find' && !isHeld) return other.shares.find()
      if (step === 'shares.find') isHeld = false
      return step === 'auth.any' ? other.auth.own() : run()
    })
    await expect(rehearse(wrong, 'auto', getMethodKey)).rejects.toMatchObject({ code: 'custody/mismatch' })
  })
})

describe('a wallet under a lost user id', () => {
  async function lose() {
    const { stores, wallet } = await createTestWallet()
    const stored = (await stores.shares.find()) ?? expect.fail('no wallet')
    const calls: string[] = []
    const adopt = async (previous: string, sign: SignForStore): Promise<void> => {
      const { signature } = await sign(new Uint8Array(32))
      calls.push(`adopt ${previous} ${signature.length}`)
    }
    const shares = new Proxy(stores.shares, {
      get: (target, name) => (name === 'adopt' ? adopt : Reflect.get(target, name)),
    })
    const device: DeviceStore = { ...stores.device, takeOver: async (previous) => void calls.push(`take ${previous}`) }
    const readOf = async () => stores.device.read()
    const lost = { ...stored, previous: 'old', autoKey: methodKey.slice() }
    return { stores: { ...stores, shares, device: { ...device, readOf } }, lost, calls, wallet }
  }
  const wrongKey = async () => new Uint8Array(32)

  test('moves with a proof, before the device takes over its record, and leaves no secret', async () => {
    const { stores, lost, calls, wallet } = await lose()
    const values = decodeKeyShare((await stores.device.read())?.share ?? expect.fail('no share')).values.slice()
    const copies = trackCopies()
    await adoptWallet(stores, lost, wrongKey)
    expect(calls).toEqual(['adopt old 64', 'take old'])
    expect(lost.autoKey).toEqual(new Uint8Array(32))
    expect([methodKey, wallet.entropy, values].map(copies)).toEqual([0, 0, 0])
  })

  test.each([undefined, new Uint8Array(16)])('does not move to a device without its share', async (setId) => {
    const { stores, lost, calls } = await lose()
    const readOf = async () => {
      const record = (await stores.device.read()) ?? expect.fail('no record')
      return setId && { ...record, setId }
    }
    const moved = adoptWallet({ ...stores, device: { ...stores.device, readOf } }, lost, getMethodKey)
    await expect(moved).rejects.toMatchObject({ code: 'custody/wallet-elsewhere' })
    expect(calls).toEqual([])
  })

  test.each([403, 409])('is none if the share store refuses with %i', async (status) => {
    const { stores } = await createTestWallet()
    expect(await findLostWallet(refuseLost(stores, refusal(status)))).toBeUndefined()
  })

  test.each([refusal(429), new Error('unreachable')])('is unknown after %s', async (error) => {
    const { stores } = await createTestWallet()
    await expect(findLostWallet(refuseLost(stores, error))).rejects.toBe(error)
  })
})
