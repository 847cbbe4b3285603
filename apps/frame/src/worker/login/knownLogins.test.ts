import { expect, test } from 'vitest'
import { openDevice } from '../storage/device.ts'
import { createMemoryStore } from '../storage/holderStore.ts'
import { createKnownLogins } from './knownLogins.ts'

async function openKnown() {
  const store = createMemoryStore()
  const device = await openDevice(store)
  let writes = 0
  const counted = {
    ...store,
    write: async (entries: Readonly<Record<string, unknown>>) => {
      writes += 1
      await store.write(entries)
    },
  }
  return { ...createKnownLogins(device, counted), device, store, writes: () => writes }
}

test('addresses are known in any case and with spaces until they are forgotten', async () => {
  const known = await openKnown()
  expect(await known.has('ann@example.org')).toBe(false)
  await known.add(' Ann@Example.org ')
  await known.add('ben@example.org')
  expect(await known.has('ANN@example.org ')).toBe(true)
  await known.forget('ann@EXAMPLE.org ')
  expect(await known.has('ann@example.org')).toBe(false)
  expect(await known.has('ben@example.org')).toBe(true)
})

test('logins without an address change nothing, and the latest one is not written again', async () => {
  const known = await openKnown()
  await known.add('ann@example.org')
  await known.add('Ann@example.org')
  await known.add(undefined)
  await known.forget(undefined)
  expect(known.writes()).toBe(1)
  await known.add('ben@example.org')
  await known.add('ann@example.org')
  expect(known.writes()).toBe(3)
  expect(await known.has('ben@example.org')).toBe(true)
})

test('the last eight addresses are known, each once', async () => {
  const known = await openKnown()
  for (let at = 0; at < 9; at += 1) await known.add(`user${at}@example.org`)
  await known.add('user1@example.org')
  await known.add('user8@example.org')
  expect(await known.has('user0@example.org')).toBe(false)
  for (let at = 1; at < 9; at += 1) expect(await known.has(`user${at}@example.org`)).toBe(true)
})

test.each(['{"ann":1}', '"ann"', '[7, null]'])('an entry %s names no address', async (json) => {
  const { device, store, ...known } = await openKnown()
  await store.write({ logins: await device.encrypt('logins', new TextEncoder().encode(json)) })
  expect(await known.has('ann')).toBe(false)
  await known.add('ann@example.org')
  expect(await known.has('ann@example.org')).toBe(true)
})
