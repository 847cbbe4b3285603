import { beforeEach, expect, test } from 'vitest'
import { createLocalSubscribers, type LocalSubscribers } from './localSubscribers.ts'

let now: number
let events: string[]
let listeners: LocalSubscribers

beforeEach(() => {
  now = 1_800_000_000_000
  events = []
  listeners = createLocalSubscribers({
    clock: { now: () => now },
    linger: 600_000,
    wanted: (topic) => events.push(`+${topic}`),
    unwanted: (topic) => events.push(`-${topic}`),
  })
})

test('a topic is wanted from its first subscriber until the last one unsubscribes', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'wallet')
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'wallet')
  expect(events).toEqual(['+t', '-t'])
})

test('a topic is wanted until the client’s last connection unsubscribes', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'dapp')
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t', '-t'])
})

test('a topic stays wanted for the linger time after its subscriber disconnects', () => {
  listeners.subscribed('t', 'dapp')
  listeners.disconnected('t', 'dapp')
  now += 599_000
  listeners.sweep()
  expect(events).toEqual(['+t'])
  now += 1_000
  listeners.sweep()
  expect(events).toEqual(['+t', '-t'])
})

test('a topic is dropped at once when a reconnected subscriber unsubscribes', () => {
  listeners.subscribed('t', 'dapp')
  listeners.disconnected('t', 'dapp')
  listeners.subscribed('t', 'dapp')
  now += 700_000
  listeners.sweep()
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t', '-t'])
})

test('a topic stays wanted for a disconnected subscriber when another one unsubscribes', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'wallet')
  listeners.disconnected('t', 'dapp')
  listeners.unsubscribed('t', 'wallet')
  expect(events).toEqual(['+t'])
})

test('an ignored client is removed and never counted again', () => {
  listeners.subscribed('t', 'mirror')
  listeners.subscribed('u', 'mirror')
  listeners.subscribed('u', 'dapp')
  listeners.ignore('mirror')
  expect(events).toEqual(['+t', '+u', '-t'])
  listeners.subscribed('v', 'mirror')
  listeners.disconnected('v', 'mirror')
  listeners.unsubscribed('u', 'mirror')
  expect(events).toEqual(['+t', '+u', '-t'])
})
