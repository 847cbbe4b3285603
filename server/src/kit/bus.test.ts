import { expect, test } from 'vitest'
import { createInProcessBus, type BusMessage } from './bus.ts'

test('tells every listener of a channel and nobody else', () => {
  const bus = createInProcessBus()
  const heard: string[] = []
  bus.subscribe('a', ({ n }) => heard.push(`first ${n}`))
  bus.subscribe('a', ({ n }) => heard.push(`second ${n}`))
  bus.subscribe('b', ({ n }) => heard.push(`other ${n}`))
  bus.publish('a', { n: 1 })
  expect(heard).toEqual(['first 1', 'second 1'])
})

test('tells nothing to a listener that left, and keeps nothing for one to come', () => {
  const bus = createInProcessBus()
  const heard: BusMessage[] = []
  const leave = bus.subscribe('a', (message) => heard.push(message))
  leave()
  bus.publish('a', { n: 1 })
  bus.subscribe('a', (message) => heard.push(message))
  expect(heard).toEqual([])
})

test('leaves the listeners of a channel alone when one that left before leaves again', () => {
  const bus = createInProcessBus()
  const heard: BusMessage[] = []
  const leave = bus.subscribe('a', () => undefined)
  leave()
  bus.subscribe('a', (message) => heard.push(message))
  leave()
  bus.publish('a', { n: 1 })
  expect(heard).toEqual([{ n: 1 }])
})
