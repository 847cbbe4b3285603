import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStores } from '../../testing/memoryStores.ts'
import type { ShareStore } from '../../services/shareStore.ts'
import { createWallet, type KeyShareStores } from '../../wallet/enrol.ts'
import { enterWallet, type WalletEntry } from './enterWallet.ts'

/** The stores of one user in memory. The share store sends its automatic key when the test says so. */
function openStores(): { stores: KeyShareStores; key: Uint8Array; send(): void; refuse(): void } {
  const stores = createMemoryStores()
  const key = new Uint8Array(32).fill(7)
  let [send, refuse] = [(): void => undefined, (): void => undefined]
  const sent = new Promise<Uint8Array>((resolve, reject) => {
    send = () => resolve(key)
    refuse = () => reject(new Error('died'))
  })
  const shares = new Proxy<ShareStore>(stores.shares, {
    get: (target, name) => (name === 'autoKey' ? () => sent : Reflect.get(target, name)),
  })
  return { stores: { ...stores, shares }, key, send, refuse }
}

const enter = (stores: KeyShareStores): Promise<WalletEntry> =>
  enterWallet({ stores, isNew: true, now: () => 1, getMethodKey: async () => new Uint8Array(32).fill(7) })

const zeros = new Uint8Array(32)

/** Records the random bytes of the test, which are entropy, wallet key and recovery key of a new wallet first. */
function watchDraws(): readonly Uint8Array[] {
  const { getRandomValues } = crypto
  const drawn: Uint8Array[] = []
  crypto.getRandomValues = (bytes) => {
    if (bytes instanceof Uint8Array) drawn.push(bytes)
    return Reflect.apply(getRandomValues, crypto, [bytes])
  }
  onTestFinished(() => {
    crypto.getRandomValues = getRandomValues
  })
  return drawn
}

test('a new wallet draws its keys while the share store creates the automatic key', async () => {
  const { stores, key, send } = openStores()
  const drawn = watchDraws()
  const entering = enter(stores)
  await expect.poll(() => drawn.length).toBeGreaterThanOrEqual(3)
  send()
  expect(await entering).toHaveProperty('wallet')
  expect(key).toEqual(zeros)
})

test('a wallet that the share store has opens before the automatic key arrives, which is wiped then', async () => {
  const { stores, key, send } = openStores()
  const auto = { id: 'auto', method: 'auto', key: new Uint8Array(32).fill(7), facts: '{}' } as const
  const made = await createWallet(stores, [auto], 1)
  await stores.device.clear()
  expect(await enter(stores)).toEqual({ wallet: made })
  send()
  await expect.poll(() => key).toEqual(zeros)
})

test('the automatic key is wiped if the share store does not say whether it has a wallet', async () => {
  const { stores, key, send } = openStores()
  const find = async (): Promise<never> => {
    throw new Error('unreachable')
  }
  const shares = new Proxy(stores.shares, {
    get: (target, name) => (name === 'find' ? find : Reflect.get(target, name)),
  })
  await expect(enter({ ...stores, shares })).rejects.toThrow('unreachable')
  send()
  await expect.poll(() => key).toEqual(zeros)
})

test('a wallet without the automatic key is not stored, and its keys are wiped', async () => {
  const { stores, refuse } = openStores()
  const drawn = watchDraws()
  const entering = enter(stores)
  entering.catch(() => undefined)
  await expect.poll(() => drawn.length).toBeGreaterThanOrEqual(3)
  refuse()
  await expect(entering).rejects.toThrow('died')
  const keys = drawn.slice(0, 3)
  expect(keys.map(({ length }) => length)).toEqual([16, 32, 32])
  for (const each of keys) expect(each.every((byte) => byte === 0)).toBe(true)
  expect(await stores.device.read()).toBeUndefined()
})
