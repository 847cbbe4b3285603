import { expect, test } from 'vitest'
import { createMemoryStore } from '../../worker/storage/holderStore.ts'
import { createGrants, newContext, type Grant } from './grants.ts'

const grant: Grant = {
  context: newContext(),
  pci: '00000000-0000-4000-8000-000000000000',
  origin: 'https://dapp.example.org',
  chainId: 'eip155:31337',
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  expiry: 4_102_444_800,
  bounds: { native: { most: 10n ** 30n, period: 86_400, start: 0 }, tokens: [], calls: [] },
  used: { native: { period: 1, units: 7n } },
}

test('grants are restored unchanged and are unreadable without the key', async () => {
  const store = createMemoryStore()
  await createGrants(store).add(grant)
  expect(await createGrants(store).find(grant.context)).toEqual(grant)
  expect(await createGrants(store).findAny(grant.pci)).toEqual(grant)
  const stored = (await store.read('grants')) as { bytes: ArrayBuffer }
  expect(new TextDecoder().decode(stored.bytes)).not.toContain('dapp.example.org')
  await store.write({ grants: { ...stored, nonce: new Uint8Array(12) } })
  expect(await createGrants(store).find(grant.context)).toBeUndefined()
})

test('grants serialise changes of the used amounts', async () => {
  const grants = createGrants(createMemoryStore())
  const seen: string[] = []
  const act = (name: string) =>
    grants.alone(async () => {
      seen.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      seen.push(`${name} ends`)
    })
  await Promise.all([act('one'), act('other')])
  expect(seen).toEqual(['one begins', 'one ends', 'other begins', 'other ends'])
})
