import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const read = (variables: Record<string, string>): unknown => readConfig(variables).relayStore

describe('RELAY_STORE_URL', () => {
  test('names the servers of a cluster, and the name of its streams', () => {
    expect(read({})).toBeUndefined()
    expect(read({ RELAY_STORE_URL: 'nats://a:4222,b:4222,c:4222' })).toEqual({
      url: 'nats://a:4222,b:4222,c:4222',
      name: 'latchkey-relay',
      replicas: undefined,
    })
    expect(read({ RELAY_STORE_URL: 'tls://user:secret@nats.example.org/staging', RELAY_STORE_REPLICAS: '3' })).toEqual({
      url: 'tls://user:secret@nats.example.org',
      name: 'staging',
      replicas: 3,
    })
  })

  test.each(['redis://a:4222', 'nats://', 'nats://a/b/c', 'nats://a/b.c', 'nats://a/b*', 'nats://a b'])(
    'rejects %s',
    (url) => {
      expect(() => read({ RELAY_STORE_URL: url })).toThrow('RELAY_STORE_URL: must be nats://host:4222')
    },
  )

  test('rejects replicas without a store, and numbers that are not odd', () => {
    expect(() => read({ RELAY_STORE_REPLICAS: '3' })).toThrow('RELAY_STORE_REPLICAS: needs RELAY_STORE_URL')
    const url = 'nats://a:4222'
    expect(() => read({ RELAY_STORE_URL: url, RELAY_STORE_REPLICAS: '2' })).toThrow('must be 1, 3 or 5')
  })
})
