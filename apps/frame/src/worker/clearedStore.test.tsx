import { openDB } from 'idb'
import { expect, onTestFinished, test } from 'vitest'
import { openDevice } from './device.ts'
import { createRecords } from './records.ts'
import { openStore } from './store.ts'

const record = { setId: new Uint8Array([1]), share: new Uint8Array([2, 3]), vault: new Uint8Array([4]) }

/** A database that nobody else has, as long as the test. */
function someDatabase(): string {
  const name = `latchkey-${crypto.randomUUID()}`
  onTestFinished(() => void indexedDB.deleteDatabase(name))
  return name
}

/** Takes the database away under those who have it open. */
function clear(database: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database)
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(request.error))
  })
}

test('what is written after the storage was cleared is kept, and opens after the page was closed [I-13]', async () => {
  const database = someDatabase()
  const store = openStore(database)
  const device = await openDevice(store)
  await createRecords(device, store, 'ann').write(record)
  await clear(database)
  expect(await createRecords(device, store, 'ann').read()).toBeUndefined()
  await createRecords(device, store, 'ann').write(record)
  const next = openStore(database)
  const reopened = await openDevice(next)
  expect(reopened.key.thumbprint).toBe(device.key.thumbprint)
  expect(await createRecords(reopened, next, 'ann').read()).toEqual(record)
})

test('what cannot be written wholly is not written at all, and is remembered by the page alone [I-13]', async () => {
  const database = someDatabase()
  const store = openStore(database)
  await store.write({ share: 'old', vault: 'old' })
  // A function is nothing that a database takes.
  const refused = (): undefined => undefined
  await store.write({ share: 'new', vault: refused })
  expect([await store.read('share'), await store.read('vault')]).toEqual(['new', refused])
  const kept = await openDB(database)
  expect([await kept.get('kept', 'share'), await kept.get('kept', 'vault')]).toEqual(['old', 'old'])
  kept.close()
})

test('nothing refused is left to nobody: a claim, too, falls back to the memory in silence [I-13]', async () => {
  const refused = (): undefined => undefined
  const store = openStore(someDatabase())
  expect(await store.claim('keys', refused)).toBe(refused)
  expect(await store.read('keys')).toBe(refused)
})
