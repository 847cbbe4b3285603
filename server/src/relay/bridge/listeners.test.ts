import { beforeEach, expect, test } from 'vitest'
import { createListeners, type Listeners } from './listeners.ts'

let now: number
let events: string[]
let listeners: Listeners

beforeEach(() => {
  now = 1_800_000_000_000
  events = []
  listeners = createListeners({
    clock: { now: () => now },
    linger: 600_000,
    wanted: (topic) => events.push(`+${topic}`),
    unwanted: (topic) => events.push(`-${topic}`),
  })
})

test('wants a topic from its first listener until the last one stops', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'wallet')
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'wallet')
  expect(events).toEqual(['+t', '-t'])
})

test('wants a topic until the last of a client’s connections stops', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'dapp')
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t', '-t'])
})

test('expects a listener back whose connection broke, and no longer than for its time', () => {
  listeners.subscribed('t', 'dapp')
  listeners.left('t', 'dapp')
  now += 599_000
  listeners.sweep()
  expect(events).toEqual(['+t'])
  now += 1_000
  listeners.sweep()
  expect(events).toEqual(['+t', '-t'])
})

test('lets go at once of a topic that a listener who came back gives up', () => {
  listeners.subscribed('t', 'dapp')
  listeners.left('t', 'dapp')
  listeners.subscribed('t', 'dapp')
  now += 700_000
  listeners.sweep()
  expect(events).toEqual(['+t'])
  listeners.unsubscribed('t', 'dapp')
  expect(events).toEqual(['+t', '-t'])
})

test('keeps a topic for the one who is away when another one stops', () => {
  listeners.subscribed('t', 'dapp')
  listeners.subscribed('t', 'wallet')
  listeners.left('t', 'dapp')
  listeners.unsubscribed('t', 'wallet')
  expect(events).toEqual(['+t'])
})

test('forgets a client that is to be ignored, and never hears it again', () => {
  listeners.subscribed('t', 'mirror')
  listeners.subscribed('u', 'mirror')
  listeners.subscribed('u', 'dapp')
  listeners.ignore('mirror')
  expect(events).toEqual(['+t', '+u', '-t'])
  listeners.subscribed('v', 'mirror')
  listeners.left('v', 'mirror')
  listeners.unsubscribed('u', 'mirror')
  expect(events).toEqual(['+t', '+u', '-t'])
})
