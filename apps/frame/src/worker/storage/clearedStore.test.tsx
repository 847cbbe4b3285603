import { openDB } from 'idb'
import { expect, onTestFinished, test } from 'vitest'
import { openDevice } from './device.ts'
import { createWalletRecords } from './walletRecords.ts'
import { openHolderStore } from './holderStore.ts'

const record = { setId: new Uint8Array([1]), share: new Uint8Array([2, 3]), vault: new Uint8Array([4]) }

/** A database of this test only. */
function createDatabaseName(): string {
  const name = `latchkey-${crypto.randomUUID()}`
  onTestFinished(() => void indexedDB.deleteDatabase(name))
  return name
}

/** Deletes the database while it is open. */
function clear(database: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database)
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(request.error))
  })
}

test('data written after the storage was cleared survives a reload [I-13]', async () => {
  const database = createDatabaseName()
  const store = openHolderStore(database)
  const device = await openDevice(store)
  await createWalletRecords(device, store, 'ann').write(record)
  await clear(database)
  expect(await createWalletRecords(device, store, 'ann').read()).toBeUndefined()
  await createWalletRecords(device, store, 'ann').write(record)
  const next = openHolderStore(database)
  const reopened = await openDevice(next)
  expect(reopened.key.thumbprint).toBe(device.key.thumbprint)
  expect(await createWalletRecords(reopened, next, 'ann').read()).toEqual(record)
})

test('a write that fails in part changes nothing, and the page keeps the data in memory [I-13]', async () => {
  const database = createDatabaseName()
  const store = openHolderStore(database)
  await store.write({ share: 'old', vault: 'old' })
  // IndexedDB can't store functions.
  const refused = (): undefined => undefined
  await store.write({ share: 'new', vault: refused })
  expect([await store.read('share'), await store.read('vault')]).toEqual(['new', refused])
  const stored = await openDB(database)
  expect([await stored.get('kept', 'share'), await stored.get('kept', 'vault')]).toEqual(['old', 'old'])
  stored.close()
})

test('a refused claim falls back to memory without an unhandled rejection [I-13]', async () => {
  const refused = (): undefined => undefined
  const store = openHolderStore(createDatabaseName())
  expect(await store.claim('keys', refused)).toBe(refused)
  expect(await store.read('keys')).toBe(refused)
})
