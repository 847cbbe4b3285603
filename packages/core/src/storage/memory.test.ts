import { describe, expect, test } from 'vitest'
import { fakeAccount, fakeStorage, manualClock, type FakeStorage, type ManualClock } from '../testing/fakes.ts'
import { createMemory, type Memory } from './memory.ts'
import { getCached, setCached } from './getCached.ts'
import { getDeepLink, setDeepLink } from './deepLink.ts'
import { addRecentWallet, getRecentWallets } from './recentWallets.ts'
import { setConnections } from './setConnections.ts'

type MemoryWorld = { memory: Memory; storage: FakeStorage; clock: ManualClock; complaints: () => number }

function createMemoryWorld(storage: FakeStorage = fakeStorage()): MemoryWorld {
  let complaints = 0
  const clock = manualClock()
  const memory = createMemory(storage, () => void (complaints += 1))
  return { memory, storage, clock, complaints: () => complaints }
}

const connection = { connectorId: 'fake', account: fakeAccount('eip155:1'), chainId: 'eip155:1' } as const

test('stores at most two recent wallets, newest first, each once [R3.17] [R9.2.1]', () => {
  const { memory } = createMemoryWorld()
  for (const id of ['a', 'b', 'a', 'c']) addRecentWallet(memory, { id, name: id.toUpperCase() })
  expect(getRecentWallets(memory)).toEqual([
    { id: 'c', name: 'C' },
    { id: 'a', name: 'A' },
  ])
})

test('stores connections by namespace, the active network and the link to a phone wallet [R3.17]', () => {
  const { memory, storage } = createMemoryWorld()
  setConnections(memory, 'eip155', [connection])
  setConnections(memory, 'solana', [{ ...connection, account: fakeAccount('solana:1'), chainId: 'solana:1' }])
  memory.setActiveNetwork('solana:1')
  setDeepLink(memory, { href: 'rainbow://', name: 'Rainbow' })
  const later = createMemoryWorld(storage).memory
  expect(later.connections().eip155).toEqual(connection)
  expect(Object.keys(later.connections())).toEqual(['eip155', 'solana'])
  expect(later.activeNetwork()).toBe('solana:1')
  expect(getDeepLink(later)).toEqual({ href: 'rainbow://', name: 'Rainbow' })
})

test('removes forgotten values from the storage [R3.17]', () => {
  const { memory, storage } = createMemoryWorld()
  setConnections(memory, 'eip155', [connection])
  setDeepLink(memory, { href: 'rainbow://', name: 'Rainbow' })
  setConnections(memory, 'eip155', [])
  setDeepLink(memory, undefined)
  expect([...storage.values]).toEqual([])
})

describe('caches', () => {
  test('expire after their TTL [R9.1.10]', () => {
    const { memory, clock } = createMemoryWorld()
    setCached({ memory, clock }, 'native_balance/a', '7')
    clock.advance(29_999)
    expect(getCached({ memory, clock }, 'native_balance/a', 30_000)).toBe('7')
    clock.advance(1)
    expect(getCached({ memory, clock }, 'native_balance/a', 30_000)).toBeUndefined()
    expect(getCached({ memory, clock }, 'native_balance/a', 300_000)).toBe('7')
    expect(getCached({ memory, clock }, 'native_balance/b', 30_000)).toBeUndefined()
  })

  test('from a clock in the future are ignored', () => {
    const { memory, clock } = createMemoryWorld()
    const ahead = manualClock(Date.UTC(2999, 0, 1))
    setCached({ memory, clock: ahead }, 'key', 'from the future')
    expect(getCached({ memory, clock }, 'key', 30_000)).toBeUndefined()
  })
})

describe('a failing storage', () => {
  test('that is full keeps values in memory [R3.17]', () => {
    const { memory, storage, complaints } = createMemoryWorld()
    setConnections(memory, 'eip155', [{ ...connection, connectorId: 'older' }])
    storage.full = true
    setConnections(memory, 'eip155', [connection])
    addRecentWallet(memory, { id: 'a', name: 'A' })
    expect(memory.connections().eip155?.connectorId).toBe('fake')
    expect(getRecentWallets(memory)).toEqual([{ id: 'a', name: 'A' }])
    expect(complaints()).toBe(2)
    setConnections(memory, 'eip155', [])
    expect(memory.connections()).toEqual({})
    expect(storage.values.has('@latchkey/connections')).toBe(false)
  })

  test('that has space again is written again', () => {
    const { memory, storage } = createMemoryWorld(fakeStorage({ full: true }))
    memory.setActiveNetwork('eip155:1')
    storage.full = false
    memory.setActiveNetwork('eip155:2')
    expect(createMemoryWorld(storage).memory.activeNetwork()).toBe('eip155:2')
  })

  test('that is blocked reads no values and throws no errors', () => {
    const { memory, complaints } = createMemoryWorld(
      fakeStorage({ denied: true, values: { '@latchkey/active_network': '"eip155:1"' } }),
    )
    expect(memory.activeNetwork()).toBeUndefined()
    expect(memory.connections()).toEqual({})
    expect(complaints()).toBe(0)
    memory.setActiveNetwork('eip155:2')
    expect(memory.activeNetwork()).toBe('eip155:2')
    setDeepLink(memory, undefined)
    expect(complaints()).toBe(1)
  })
})

describe('invalid stored values', () => {
  const garbage = [
    '',
    '{',
    'null',
    'undefined',
    '7',
    '"text"',
    '[]',
    '[null,7,{"id":1}]',
    '{"eip155":null}',
    '{"a":{"at":"x"}}',
  ]

  test.each(garbage)('%j is ignored [R3.17]', (value) => {
    const keys = ['recent_wallets', 'connections', 'deep_link', 'cache/key', 'active_network']
    const { memory, clock } = createMemoryWorld(
      fakeStorage({ values: Object.fromEntries(keys.map((key) => [`@latchkey/${key}`, value])) }),
    )
    expect(getRecentWallets(memory)).toEqual([])
    expect(memory.connections()).toEqual({})
    expect(getDeepLink(memory)).toBeUndefined()
    expect(getCached({ memory, clock }, 'key', Infinity)).toBeUndefined()
    expect(memory.activeNetwork()).toBeUndefined()
  })

  test.each([
    { ...connection, connectorId: 7 },
    { ...connection, account: 'eip155:1' },
    { ...connection, account: fakeAccount('solana:1') },
    { ...connection, chainId: 'eip155' },
    { ...connection, chainId: 'solana:1' },
  ])('the connection %j is ignored', (value) => {
    const { memory } = createMemoryWorld(
      fakeStorage({ values: { '@latchkey/connections': JSON.stringify({ eip155: value }) } }),
    )
    expect(memory.connections()).toEqual({})
  })

  test('unknown keys are dropped, prototypes included', () => {
    const evil = `{"__proto__":{"eip155":${JSON.stringify(connection)}},"constructor":{"prototype":{}},"cosmos":{}}`
    const extra = { ...connection, type: 'granted', connection: {} }
    for (const value of [evil, JSON.stringify({ eip155: extra })]) {
      const { memory } = createMemoryWorld(fakeStorage({ values: { '@latchkey/connections': value } }))
      const found = memory.connections()
      expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
      expect(Object.keys(found).every((key) => key === 'eip155')).toBe(true)
      expect(found).toEqual(value === evil ? {} : { eip155: connection })
    }
    const recent = '[{"id":"a","name":"A","__proto__":{"evil":true},"href":"javascript:alert(1)"}]'
    const { memory } = createMemoryWorld(fakeStorage({ values: { '@latchkey/recent_wallets': recent } }))
    expect(getRecentWallets(memory)).toEqual([{ id: 'a', name: 'A' }])
    expect('evil' in Object.prototype).toBe(false)
  })
})

test('reports changes of another tab to the connections only [R3.17]', () => {
  const { memory, storage } = createMemoryWorld()
  const received: unknown[] = []
  const stop = memory.onConnections((connections) => received.push(connections))
  const other = createMemoryWorld(storage.otherTab()).memory
  setConnections(other, 'eip155', [connection])
  other.setActiveNetwork('eip155:2')
  setConnections(other, 'eip155', [])
  storage.otherTab().setItem('@latchkey/connections', 'garbage')
  stop()
  setConnections(other, 'eip155', [connection])
  expect(received).toEqual([{ eip155: connection }, {}, {}])
})

test('works with a storage that has no change events', () => {
  const { getItem, setItem, removeItem } = fakeStorage()
  const memory = createMemory({ getItem, setItem, removeItem }, () => {})
  memory.onConnections(() => expect.fail('there is no other tab'))()
})
