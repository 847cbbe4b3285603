import { memoryStorage } from '@latchkey/core'
import { describe, expect, test } from 'vitest'
import { bytesToHex } from './bytes.ts'
import { createKeyring } from './keyring.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
const key = new Uint8Array(32).fill(7)
const otherKey = new Uint8Array(32).fill(8)

describe('a stored key', () => {
  test('is available after a reload', () => {
    const storage = memoryStorage()
    createKeyring(storage, 'app.').store(topic, key)
    const reloaded = createKeyring(storage, 'app.')
    expect(reloaded.get(topic)).toEqual(key)
    expect(reloaded.storedTopics()).toEqual([topic])
    expect(reloaded.get(other)).toBeUndefined()
  })

  test('stays when another key is stored or removed', () => {
    const keyring = createKeyring(memoryStorage(), '')
    keyring.store(topic, key)
    keyring.store(other, otherKey)
    expect(keyring.storedTopics()).toEqual([topic, other])
    keyring.remove(other)
    expect([keyring.get(topic), keyring.get(other)]).toEqual([key, undefined])
  })

  test('is removed from the storage', () => {
    const storage = memoryStorage()
    const keyring = createKeyring(storage, '')
    keyring.store(topic, key)
    keyring.remove(topic)
    expect(createKeyring(storage, '').get(topic)).toBeUndefined()
    expect(keyring.storedTopics()).toEqual([])
  })

  test('of another tab is neither missed nor overwritten', () => {
    const storage = memoryStorage()
    const [one, two] = [createKeyring(storage, ''), createKeyring(storage, '')]
    one.store(topic, key)
    two.store(other, otherKey)
    expect([one.get(other), two.get(topic)]).toEqual([otherKey, key])
  })

  test('belongs to one prefix', () => {
    const storage = memoryStorage()
    createKeyring(storage, 'dapp.').store(topic, key)
    expect(createKeyring(storage, 'wallet.').get(topic)).toBeUndefined()
    expect(createKeyring(storage, 'dapp.').get(topic)).toEqual(key)
  })
})

describe('a key in memory', () => {
  test('is not stored', () => {
    const storage = memoryStorage()
    const keyring = createKeyring(storage, '')
    keyring.holdInMemory(topic, key)
    expect(keyring.get(topic)).toEqual(key)
    expect(keyring.storedTopics()).toEqual([])
    expect(createKeyring(storage, '').get(topic)).toBeUndefined()
  })

  test('precedes the stored key of its topic', () => {
    const keyring = createKeyring(memoryStorage(), '')
    keyring.store(topic, otherKey)
    keyring.holdInMemory(topic, key)
    expect(keyring.get(topic)).toEqual(key)
  })

  test('survives a reload once storeHeld has stored it', () => {
    const storage = memoryStorage()
    const keyring = createKeyring(storage, '')
    keyring.holdInMemory(topic, key)
    keyring.storeHeld(topic)
    expect(createKeyring(storage, '').get(topic)).toEqual(key)
  })

  test.each(['store', 'storeHeld'] as const)(
    'is gone after %s once another part of the page has removed it',
    (method) => {
      const storage = memoryStorage()
      const keyring = createKeyring(storage, '')
      keyring.holdInMemory(topic, key)
      keyring[method](topic, key)
      createKeyring(storage, '').remove(topic)
      expect(keyring.get(topic)).toBeUndefined()
    },
  )

  test('is removed', () => {
    const keyring = createKeyring(memoryStorage(), '')
    keyring.holdInMemory(topic, key)
    keyring.remove(topic)
    keyring.storeHeld(topic)
    expect([keyring.get(topic), keyring.storedTopics()]).toEqual([undefined, []])
  })
})

describe('damaged storage', () => {
  test.each(['', 'null', '[]', '"text"', '{'])('with the keys %j counts as empty and takes new keys', (text) => {
    const storage = memoryStorage()
    storage.setItem('keys', text)
    const keyring = createKeyring(storage, '')
    expect([keyring.storedTopics(), keyring.get(topic)]).toEqual([[], undefined])
    keyring.store(topic, key)
    expect(keyring.get(topic)).toEqual(key)
  })

  test('does not yield keys of another form', () => {
    const storage = memoryStorage()
    storage.setItem('keys', JSON.stringify({ [topic]: 'secret', [other]: bytesToHex(otherKey), extra: 7 }))
    const keyring = createKeyring(storage, '')
    expect([keyring.get(topic), keyring.storedTopics()]).toEqual([undefined, [other]])
  })

  test('gets a new seed in place of a malformed one', () => {
    const storage = memoryStorage()
    storage.setItem('clientSeed', 'ab')
    const seed = createKeyring(storage, '').clientSeed()
    expect(seed).toHaveLength(32)
    expect(createKeyring(storage, '').clientSeed()).toEqual(seed)
  })
})

describe('the client seed', () => {
  test('is random and survives a reload', () => {
    const storage = memoryStorage()
    const seed = createKeyring(storage, '').clientSeed()
    expect(createKeyring(storage, '').clientSeed()).toEqual(seed)
    expect(createKeyring(memoryStorage(), '').clientSeed()).not.toEqual(seed)
  })

  test('belongs to one prefix, because each side is a client of its own', () => {
    const storage = memoryStorage()
    const seed = createKeyring(storage, 'dapp.').clientSeed()
    expect(createKeyring(storage, 'wallet.').clientSeed()).not.toEqual(seed)
  })
})
