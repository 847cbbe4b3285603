import { fakeStorage, manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import type { SignMethod } from '../channel/signMethod.ts'
import { createInbox, type InboxItem } from './inbox.ts'
import type { WalletResponse } from './walletResponse.ts'

const [first, second] = ['a1'.repeat(32), 'b2'.repeat(32)]
const week = 604_800

function openInbox(storage = fakeStorage()) {
  const clock = manualClock()
  const inbox = createInbox(storage, 'wallet/', clock)
  const now = clock.now() / 1000
  const item = (topic: string, id: number, members: Partial<InboxItem> = {}): InboxItem => ({
    topic,
    id,
    method: 'wc_sessionRequest',
    params: { id },
    expiry: now + 900,
    ...members,
  })
  /** Adds a request and stores its response. */
  const decide = (topic: string, id: number, response: WalletResponse = { result: '0x' }) => {
    inbox.add(item(topic, id))
    return inbox.storeResponse({ topic, id }, response) ?? expect.fail('the request is gone')
  }
  return { inbox, clock, storage, item, decide, now }
}

const idsOf = (items: readonly InboxItem[]): readonly number[] => items.map(({ id }) => id)

describe('a pending request', () => {
  test('is listed oldest first and found by its topic and id, even after a reload', () => {
    const { inbox, storage, item } = openInbox()
    for (const each of [item(first, 9), item(second, 7), item(first, 8)]) expect(inbox.add(each)).toBe(true)
    const reloaded = openInbox(storage).inbox
    expect(idsOf(reloaded.list())).toEqual([9, 7, 8])
    expect(reloaded.find({ topic: second, id: 7 })).toEqual(item(second, 7))
    expect(reloaded.find({ topic: first, id: 7 })).toBeUndefined()
    expect(reloaded.unsent()).toEqual([])
  })

  test('stays as it is when another one is added under its topic and id', () => {
    const { inbox, item } = openInbox()
    inbox.add(item(first, 7, { params: { shown: true } }))
    expect(inbox.add(item(first, 7, { params: { shown: false } }))).toBe(true)
    expect(inbox.list()).toEqual([item(first, 7, { params: { shown: true } })])
  })

  test('is no longer listed at its expiry, and removeExpired returns it once', () => {
    const { inbox, clock, item, now, storage } = openInbox()
    inbox.add(item(first, 1))
    inbox.add(item(first, 2, { expiry: now + 901 }))
    clock.advance(899_999)
    expect([idsOf(inbox.list()), inbox.removeExpired()]).toEqual([[1, 2], []])
    clock.advance(1)
    expect(idsOf(inbox.list())).toEqual([2])
    expect(inbox.find({ topic: first, id: 1 })).toBeUndefined()
    expect(idsOf(inbox.removeExpired())).toEqual([1])
    expect(inbox.removeExpired()).toEqual([])
    expect(storage.getItem('wallet/inbox')).toBe(JSON.stringify([item(first, 2, { expiry: now + 901 })]))
  })
})

describe('a response', () => {
  test('moves its request from the pending ones to the unsent ones', () => {
    const { inbox, item, decide } = openInbox()
    inbox.add(item(first, 1))
    const responded = decide(first, 2, { result: '0x12' })
    expect(responded).toEqual({ ...item(first, 2), response: { result: '0x12' } })
    expect([idsOf(inbox.list()), inbox.unsent()]).toEqual([[1], [responded]])
    expect(inbox.find({ topic: first, id: 2 })).toBeUndefined()
    expect(inbox.findDecided({ topic: first, id: 2 })).toEqual(responded)
    expect(inbox.findDecided({ topic: first, id: 1 })).toBeUndefined()
  })

  test('does not replace an earlier one', () => {
    const { inbox, decide } = openInbox()
    decide(first, 1, { result: 'first' })
    expect(inbox.storeResponse({ topic: first, id: 1 }, { result: 'second' })).toMatchObject({
      response: { result: 'first' },
    })
    expect(inbox.unsent()).toMatchObject([{ response: { result: 'first' } }])
  })

  test('to a request that is gone is not stored', () => {
    const { inbox, item } = openInbox()
    inbox.add(item(first, 1))
    expect(inbox.storeResponse({ topic: second, id: 1 }, { result: '0x' })).toBeUndefined()
    expect(inbox.unsent()).toEqual([])
  })

  test('without a result is stored as null, which JSON can express', () => {
    const { inbox, decide, storage } = openInbox()
    decide(first, 1, { result: undefined })
    decide(first, 2, { error: { code: 5000, message: 'User rejected.' } })
    decide(first, 3, { result: 0 })
    expect(openInbox(storage).inbox.unsent()).toMatchObject([
      { response: { result: null } },
      { response: { error: { code: 5000, message: 'User rejected.' } } },
      { response: { result: 0 } },
    ])
    expect(inbox.unsent()[1]?.response).toEqual({ error: { code: 5000, message: 'User rejected.' } })
  })

  test('waits for the relay for a week after the request has expired, because the user has signed', () => {
    const { inbox, clock, decide } = openInbox()
    const responded = decide(first, 1)
    clock.advance((900 + week) * 1000 - 1)
    expect(inbox.removeExpired()).toEqual([])
    expect(inbox.unsent()).toEqual([responded])
    clock.advance(1)
    expect(inbox.unsent()).toEqual([])
    expect(inbox.removeExpired()).toEqual([responded])
  })
})

describe('a completed request', () => {
  test('leaves the inbox, and its response stays available, even after a reload', () => {
    const { inbox, item, decide, storage } = openInbox()
    inbox.add(item(second, 1))
    inbox.complete(decide(first, 1, { result: '0x12' }))
    const reloaded = openInbox(storage).inbox
    expect([inbox.unsent(), idsOf(inbox.list())]).toEqual([[], [1]])
    expect(reloaded.findDecided({ topic: first, id: 1 })).toMatchObject({ id: 1, response: { result: '0x12' } })
    expect(reloaded.findDecided({ topic: second, id: 1 })).toBeUndefined()
  })

  test('is remembered until its age alone refuses it', () => {
    const { inbox, clock, item, now } = openInbox()
    const sealedExpiry = now + 1000
    inbox.add(item(first, 1, { params: { request: { expiryTimestamp: sealedExpiry } } }))
    inbox.complete(inbox.storeResponse({ topic: first, id: 1 }, { result: '0x' }) ?? expect.fail('gone'))
    clock.advance((1000 + 345_600) * 1000 - 1)
    expect(inbox.findDecided({ topic: first, id: 1 })).toMatchObject({ id: 1 })
    clock.advance(1)
    expect(inbox.findDecided({ topic: first, id: 1 })).toBeUndefined()
  })
})

describe('a topic', () => {
  test('is removed with its pending, unsent and completed requests', () => {
    const { inbox, item, decide } = openInbox()
    for (const topic of [first, second]) {
      inbox.add(item(topic, 1))
      decide(topic, 2)
      inbox.complete(decide(topic, 3))
    }
    inbox.removeTopic(first)
    expect(inbox.list().map(({ topic }) => topic)).toEqual([second])
    expect(inbox.unsent().map(({ topic }) => topic)).toEqual([second])
    expect([first, second].map((topic) => inbox.findDecided({ topic, id: 3 })?.topic)).toEqual([undefined, second])
  })

  test('has room for a hundred items, including those with a response', () => {
    const { inbox, item, decide } = openInbox()
    const unsent = decide(first, 1)
    for (let id = 2; id <= 100; id += 1) expect(inbox.add(item(first, id))).toBe(true)
    expect(inbox.add(item(first, 101))).toBe(false)
    expect(inbox.add(item(first, 100))).toBe(true)
    expect(inbox.list()).toHaveLength(99)
    expect(inbox.add(item(second, 101))).toBe(true)
    inbox.complete(unsent)
    expect(inbox.add(item(first, 101))).toBe(true)
  })

  test('has room for one item of any size, and for more up to 524288 characters', () => {
    const { inbox, item } = openInbox()
    expect(inbox.add(item(second, 1, { params: { text: 'x'.repeat(600_000) } }))).toBe(true)
    expect(inbox.add(item(second, 2))).toBe(false)
    const used = JSON.stringify([item(first, 1), item(first, 2, { params: { text: '' } })]).length
    const text = 'x'.repeat(524_288 - used)
    inbox.add(item(first, 1))
    expect(inbox.add(item(first, 2, { params: { text: `${text}x` } }))).toBe(false)
    expect(inbox.add(item(first, 2, { params: { text } }))).toBe(true)
  })
})

describe('damaged storage', () => {
  const { now } = openInbox()
  const valid = { topic: first, id: 7, method: 'wc_sessionRequest', params: {}, expiry: now + 900 }

  test.each([
    ['not an object', null],
    ['a list', [valid]],
    ['a topic that is not hex', { ...valid, topic: 'topic' }],
    ['an id that is text', { ...valid, id: '7' }],
    ['an id that is not an integer', { ...valid, id: 7.5 }],
    ['an unknown method', { ...valid, method: 'wc_sessionDance' as SignMethod }],
    ['a method that is not text', { ...valid, method: ['wc_sessionRequest'] }],
    ['params that are not an object', { ...valid, params: 'text' }],
    ['an expiry that is text', { ...valid, expiry: String(now + 900) }],
    ['a response that is not an object', { ...valid, response: 'signed' }],
    ['a response that is neither a result nor an error', { ...valid, response: {} }],
    ['an error that is not an object', { ...valid, response: { error: 'no' } }],
    ['an error without a code', { ...valid, response: { error: { message: 'no' } } }],
  ])('hides an entry with %s and keeps the others', (_, damaged) => {
    const stored = JSON.stringify([damaged, { ...valid, id: 8 }])
    const { inbox } = openInbox(fakeStorage({ values: { 'wallet/inbox': stored } }))
    expect([idsOf(inbox.list()), inbox.unsent()]).toEqual([[8], []])
  })

  test('does not hide responses with a null result or an error', () => {
    const stored = [{ result: null }, { error: { code: 5000, message: 'no' } }].map((response) => ({
      ...valid,
      response,
    }))
    const { inbox } = openInbox(fakeStorage({ values: { 'wallet/inbox': JSON.stringify(stored) } }))
    expect(inbox.unsent()).toEqual(stored)
  })
})
