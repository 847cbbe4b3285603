import { describe, expect, test } from 'vitest'
import { openDevice } from './device.ts'
import { createWalletRecords } from './walletRecords.ts'
import { createMemoryStore, openHolderStore } from './holderStore.ts'

const record = { setId: new Uint8Array([1]), share: new Uint8Array([2, 3]), vault: new Uint8Array([4]) }

describe('a browser without storage', () => {
  test('keeps the wallet until the page closes [I-13]', async () => {
    // Node lacks IndexedDB, like a browser that denies it.
    const store = openHolderStore('latchkey')
    const device = await openDevice(store)
    const records = createWalletRecords(device, store, 'ann')
    await records.write(record)
    expect(await records.read()).toEqual(record)
    expect((await openDevice(store)).key.thumbprint).toBe(device.key.thumbprint)
    expect((await openDevice(openHolderStore('latchkey'))).key.thumbprint).not.toBe(device.key.thumbprint)
  })
})

describe('a browser whose storage fails', () => {
  test('keeps an entry in memory once that failed, and all others stored', async () => {
    const stored = createMemoryStore()
    let isFull = true
    const store = openHolderStore('latchkey', {
      ...stored,
      write: async (entries) => (isFull ? Promise.reject(new Error('full')) : stored.write(entries)),
    })
    await stored.write({ kept: 'old', other: 'stored' })
    await store.write({ kept: 'new' })
    isFull = false
    // An older value in the storage is not read again.
    expect(await store.read('kept')).toBe('new')
    expect(await store.read('other')).toBe('stored')
    await store.write({ kept: 'newer', other: 'newer' })
    expect([await stored.read('kept'), await store.read('kept'), await store.read('other')]).toEqual([
      'old',
      'newer',
      'newer',
    ])
  })
})

describe('the record of a wallet', () => {
  test('moves to another user id, and is gone once it is cleared', async () => {
    const store = createMemoryStore()
    const device = await openDevice(store)
    const [ann, ben] = [createWalletRecords(device, store, 'ann'), createWalletRecords(device, store, 'ben')]
    await ben.takeOver('ann')
    expect(await ben.read()).toBeUndefined()
    await ann.write(record)
    expect(await ben.readOf('ann')).toEqual(record)
    await ben.takeOver('ann')
    expect([await ann.read(), await ben.read()]).toEqual([undefined, record])
    await ben.clear()
    expect([await store.read('share:ben'), await store.read('wallet:ben')]).toEqual([undefined, undefined])
  })

  test.each([null, 'text', {}, { setId: record.setId }, { vault: record.vault }])(
    'that is damaged counts as missing: %j',
    async (rest) => {
      const store = createMemoryStore()
      const device = await openDevice(store)
      const records = createWalletRecords(device, store, 'ann')
      await records.write(record)
      await store.write({ 'wallet:ann': rest })
      expect(await records.read()).toBeUndefined()
      await records.write(record)
      await store.write({ 'share:ann': rest })
      expect(await records.read()).toBeUndefined()
    },
  )

  test('opens after the storage was cleared while the page was open', async () => {
    const store = createMemoryStore()
    const device = await openDevice(store)
    await store.write({ keys: undefined })
    await createWalletRecords(device, store, 'ann').write(record)
    expect(await createWalletRecords(await openDevice(store), store, 'ann').read()).toEqual(record)
  })
})

test('damaged keys of a device are replaced', async () => {
  for (const keys of [null, 'text', {}, { pair: 1 }]) {
    const store = createMemoryStore()
    await store.write({ keys })
    expect((await openDevice(store)).key.thumbprint).toEqual(expect.any(String))
  }
})

describe('stored data', () => {
  test('is the encrypted device share, useless under another name and on another device', async () => {
    const store = createMemoryStore()
    const device = await openDevice(store)
    await createWalletRecords(device, store, 'ann').write(record)
    const stored = await store.read('share:ann')
    expect(stored).not.toEqual(expect.objectContaining({ share: record.share }))
    await store.write({ 'share:ben': stored, 'wallet:ben': await store.read('wallet:ann') })
    expect(await createWalletRecords(device, store, 'ben').read()).toBeUndefined()
    expect(await createWalletRecords(await openDevice(createMemoryStore()), store, 'ann').read()).toBeUndefined()
    expect(await createWalletRecords(device, store, 'ann').read()).toEqual(record)
  })

  test('is encrypted by keys that no script can read', async () => {
    const store = createMemoryStore()
    await openDevice(store)
    const keys = (await store.read('keys')) as { pair: CryptoKeyPair; sealing: CryptoKey }
    await expect(crypto.subtle.exportKey('raw', keys.sealing)).rejects.toThrow('not extractable')
    await expect(crypto.subtle.exportKey('jwk', keys.pair.privateKey)).rejects.toThrow('not extractable')
  })

  test('openDevice returns one key if two windows open concurrently', async () => {
    const store = createMemoryStore()
    const [one, other] = await Promise.all([openDevice(store), openDevice(store)])
    expect(one.key.thumbprint).toBe(other.key.thumbprint)
  })
})
