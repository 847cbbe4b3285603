import { expect, test } from 'vitest'
import { lazyConnector } from './lazyConnector.ts'
import { getRejection, fakeConnector } from '../testing/index.ts'

const about = { id: 'wallet', name: 'Wallet', type: 'injected', namespaces: [] } as const

test('a lazy connector loads its code once, with the first request', async () => {
  let loads = 0
  const connector = lazyConnector(about, async () => {
    loads += 1
    return fakeConnector({ id: 'wallet' })
  })
  expect([connector.name, loads]).toEqual(['Wallet', 0])
  await Promise.all([connector.disconnect(), connector.disconnect()])
  expect(loads).toBe(1)
})

test('a lazy connector loads its code again after a failure', async () => {
  let isThere = false
  const connector = lazyConnector(about, async () => {
    if (!isThere) throw new Error('offline')
    return fakeConnector({ id: 'wallet' })
  })
  expect(await getRejection(connector.disconnect())).toMatchObject({ message: 'offline' })
  isThere = true
  await connector.disconnect()
})
