import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import type { EnrolledDevice } from '../../services/accountService.ts'
import { createMemoryStores, type MemoryStores } from '../../testing/memoryStores.ts'
import { trackCopiesOf } from '../../testing/trackCopies.ts'
import { createWallet } from '../../wallet/enrol.ts'
import { methodDigest } from '../../wallet/rehearse.ts'
import { rotate } from '../../wallet/rotate.ts'
import { createMemoryStore } from '../storage/holderStore.ts'
import { createRehearsals } from './rehearsals.ts'

const methodKey = new Uint8Array(32).fill(7)
const getMethodKey = async () => methodKey.slice()
const device = (current: boolean): EnrolledDevice => ({
  setId: 'a',
  key: 'k',
  browser: 'Chrome',
  origin: undefined,
  createdAt: 1,
  current,
})

async function openRehearsals(change: (stores: MemoryStores) => MemoryStores = (stores) => stores) {
  const memory = createMemoryStores()
  const { entropy } = await createWallet(memory, [{ id: 'auto', method: 'auto', key: methodKey, facts: '{}' }], 1)
  const store = createMemoryStore()
  const proven: Buffer[] = []
  const credentials: unknown[] = []
  let time = 100
  const rehearsals = createRehearsals({
    account: { devices: async () => [device(true), device(false), device(false)] },
    proof: { prove: async (wallet) => void proven.push(Buffer.from(wallet.entropy)) },
    store,
    stores: async () => change(memory),
    userId: async () => 'ann',
    getCredentialKey(credential) {
      credentials.push(credential)
      return credential?.method === 'password' ? async () => new Uint8Array(32) : getMethodKey
    },
    onUnreadable: () => undefined,
    now: () => (time += 1),
  })
  return { ...rehearsals, memory, store, proven, credentials, entropy }
}

describe('the status of the recovery', () => {
  test('is that of an enrolled device with two others', async () => {
    const { recoveryStatus } = await openRehearsals()
    expect(await recoveryStatus()).toEqual({
      isDeviceEnrolled: true,
      otherDevices: 2,
      isRecoverable: true,
      testedAt: {},
    })
  })

  test('leaves no copy of the shares', async () => {
    const { recoveryStatus, memory } = await openRehearsals()
    const shares = [await memory.device.read(), await memory.auth.own(), await memory.auth.own()]
    const values = shares.map((each) => Buffer.from(each?.share ?? []).subarray(-33))
    const copies = await trackCopiesOf(recoveryStatus)
    expect(values.map(copies)).toEqual([0, 0, 0])
  })

  test.each([
    ['no record', (stores: MemoryStores) => ({ device: { ...stores.device, read: async () => undefined } })],
    ['no auth share', (stores: MemoryStores) => ({ auth: { ...stores.auth, own: async () => undefined } })],
    [
      'the auth share of another enrolment',
      (stores: MemoryStores) => ({
        auth: {
          ...stores.auth,
          own: async () => ({
            share: new Uint8Array(),
            walletId: new Uint8Array(16),
            epoch: 1,
            setId: new Uint8Array(16),
          }),
        },
      }),
    ],
  ])('of a device with %s is not enrolled', async (_, change) => {
    const { recoveryStatus } = await openRehearsals((stores) => ({ ...stores, ...change(stores) }))
    expect(await recoveryStatus()).toMatchObject({ isDeviceEnrolled: false, isRecoverable: true })
  })

  test('is not recoverable if the services share no enrolment, and unknown if one does not respond', async () => {
    const none = await openRehearsals((stores) => ({
      ...stores,
      shares: { ...stores.shares, find: async () => undefined },
    }))
    expect(await none.recoveryStatus()).toMatchObject({ isRecoverable: false, testedAt: {} })
    const find = async (): Promise<never> => Promise.reject(new Error('unreachable'))
    const silent = await openRehearsals((stores) => ({ ...stores, shares: { ...stores.shares, find } }))
    await expect(silent.recoveryStatus()).rejects.toThrow('unreachable')
  })
})

describe('a rehearsal', () => {
  test('with the given credential proves the wallet, and is dated until the stored data changes', async () => {
    const rehearsals = await openRehearsals()
    const { rehearseRecovery, recoveryStatus, memory, store } = rehearsals
    await store.write({ 'rehearsals:ann': { older: 1 } })
    expect(await rehearseRecovery('auto', undefined)).toEqual({ at: 101 })
    expect(rehearsals.credentials).toEqual([undefined])
    expect(rehearsals.proven).toEqual([Buffer.from(rehearsals.entropy)])
    expect(await recoveryStatus()).toMatchObject({ testedAt: { auto: 101 } })
    const stored = (await memory.shares.find()) ?? expect.fail('no wallet')
    const [wrap = expect.fail('no method')] = stored.wraps
    expect(await store.read('rehearsals:ann')).toEqual({
      older: 1,
      [bytesToHex(methodDigest(stored, wrap))]: 101,
    })
    await rotate(memory, { getMethodKey })
    expect((await recoveryStatus()).testedAt).toEqual({})
  })

  test('with a wrong credential is not dated', async () => {
    const { rehearseRecovery, recoveryStatus, store, proven } = await openRehearsals()
    const wrong = rehearseRecovery('auto', { method: 'password', password: 'x' })
    await expect(wrong).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect([proven, await store.read('rehearsals:ann')]).toEqual([[], undefined])
    expect((await recoveryStatus()).testedAt).toEqual({})
  })

  test.each(['text', { auto: 'soon' }])('reads no times from the entry %j', async (entry) => {
    const { rehearseRecovery, recoveryStatus, store, memory } = await openRehearsals()
    const stored = (await memory.shares.find()) ?? expect.fail('no wallet')
    const digest = bytesToHex(methodDigest(stored, stored.wraps[0] ?? expect.fail('no method')))
    await store.write({ 'rehearsals:ann': typeof entry === 'string' ? entry : { [digest]: 'soon' } })
    expect((await recoveryStatus()).testedAt).toEqual({})
    await rehearseRecovery('auto', undefined)
    expect((await recoveryStatus()).testedAt).toEqual({ auto: 101 })
  })

  test('leaves no copy of the entropy', async () => {
    const { rehearseRecovery, entropy } = await openRehearsals()
    const copies = await trackCopiesOf(() => rehearseRecovery('auto', undefined))
    expect(copies(entropy)).toBe(0)
  })
})
