import { expect, test } from 'vitest'
import type { PolicyRecord } from '../../policy/policyRecord.ts'
import { openDevice } from '../storage/device.ts'
import { createMemoryStore } from '../storage/holderStore.ts'
import { createPolicyMemory } from './policyMemory.ts'

const bytes = (value: number) => new Uint8Array(3).fill(value)
const record = (kind: PolicyRecord['kind'], counter = 2): PolicyRecord => ({
  kind,
  counter,
  verifier: bytes(1),
  sealed: bytes(2),
  signature: bytes(3),
})

async function openMemory() {
  const store = createMemoryStore()
  const device = await openDevice(store)
  const keep = async (value: unknown) =>
    store.write({
      'policy:ann': await device.encrypt('policy:ann', new TextEncoder().encode(JSON.stringify(value))),
    })
  return { store, keep, memoryOf: (user: string) => createPolicyMemory(device, store, user) }
}

test('the records of each user are kept apart and encrypted', async () => {
  const { store, memoryOf } = await openMemory()
  const records = [record('policy'), record('spending', 3), record('pending')]
  expect(await memoryOf('ann').read()).toBeUndefined()
  await memoryOf('ann').write(records)
  expect(await memoryOf('ann').read()).toEqual(records)
  expect(await memoryOf('ben').read()).toBeUndefined()
  expect(await store.read('policy:ann')).toMatchObject({ sealed: expect.any(ArrayBuffer) })
  await memoryOf('ann').write([])
  expect(await memoryOf('ann').read()).toEqual([])
})

test('entries of another form are no records', async () => {
  const { keep, memoryOf } = await openMemory()
  await keep({ kind: 'policy' })
  expect(await memoryOf('ann').read()).toBeUndefined()
  const right = { kind: 'policy', counter: 2, verifier: 'AQEB', sealed: 'AgIC', signature: 'AwMD' }
  const wrong = [
    { kind: 'other' },
    { counter: '2' },
    { verifier: undefined },
    { sealed: 7 },
    { signature: undefined },
  ].map((change) => ({ ...right, ...change }))
  await keep([...wrong, 7, right])
  expect(await memoryOf('ann').read()).toEqual([record('policy')])
})
