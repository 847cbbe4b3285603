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
