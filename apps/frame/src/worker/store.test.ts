import { describe, expect, test } from 'vitest'
import { openDevice } from './device.ts'
import { createRecords } from './records.ts'
import { memoryStore, openStore } from './store.ts'

const record = { setId: new Uint8Array([1]), share: new Uint8Array([2, 3]), vault: new Uint8Array([4]) }

describe('a browser that grants no storage', () => {
  test('has the wallet until the page is closed [I-13]', async () => {
    // There is no IndexedDB here, as where a browser denies it.
    const store = openStore('latchkey')
    const device = await openDevice(store)
    const records = createRecords(device, store, 'ann')
    await records.write(record)
    expect(await records.read()).toEqual(record)
    expect((await openDevice(store)).key.thumbprint).toBe(device.key.thumbprint)
    expect((await openDevice(openStore('latchkey'))).key.thumbprint).not.toBe(device.key.thumbprint)
  })
})

describe('what is put away', () => {
  test('is the device’s part locked, and of no use under another name or to another device', async () => {
    const store = memoryStore()
    const device = await openDevice(store)
    await createRecords(device, store, 'ann').write(record)
    const kept = await store.read('share:ann')
    expect(kept).not.toEqual(expect.objectContaining({ share: record.share }))
    await store.write({ 'share:ben': kept, 'wallet:ben': await store.read('wallet:ann') })
    expect(await createRecords(device, store, 'ben').read()).toBeUndefined()
    expect(await createRecords(await openDevice(memoryStore()), store, 'ann').read()).toBeUndefined()
    expect(await createRecords(device, store, 'ann').read()).toEqual(record)
  })

  test('is locked by keys that no script can read', async () => {
    const store = memoryStore()
    await openDevice(store)
    const keys = (await store.read('keys')) as { pair: CryptoKeyPair; sealing: CryptoKey }
    await expect(crypto.subtle.exportKey('raw', keys.sealing)).rejects.toThrow('not extractable')
    await expect(crypto.subtle.exportKey('jwk', keys.pair.privateKey)).rejects.toThrow('not extractable')
  })

  test('is one device where two windows open at once', async () => {
    const store = memoryStore()
    const [one, other] = await Promise.all([openDevice(store), openDevice(store)])
    expect(one.key.thumbprint).toBe(other.key.thumbprint)
  })
})
