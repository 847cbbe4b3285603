import { expect, test } from 'vitest'
import { createInProcessBus, type BusMessage } from './bus.ts'

function turnedByHand(): { now(): number; turn(milliseconds: number): void } {
  let now = 1_000
  return {
    now: () => now,
    turn: (milliseconds) => {
      now += milliseconds
    },
  }
}

test('tells every listener of a channel and nobody else', () => {
  const bus = createInProcessBus({ clock: turnedByHand() })
  const heard: BusMessage[][] = [[], [], []]
  for (const [index, channel] of ['a', 'a', 'b'].entries()) bus.subscribe(channel, (message) => heard[index]?.push(message))
  bus.publish('a', { n: 1 })
  expect(heard).toEqual([[{ n: 1 }], [{ n: 1 }], []])
})

test('tells nothing to a listener that left, and keeps nothing for one to come', () => {
  const bus = createInProcessBus({ clock: turnedByHand() })
  const heard: BusMessage[] = []
  const leave = bus.subscribe('a', (message) => heard.push(message))
  leave()
  bus.publish('a', { n: 1 })
  bus.subscribe('a', (message) => heard.push(message))
  expect(heard).toEqual([])
})

test('counts until the time of the counter is over, from its first count', async () => {
  const clock = turnedByHand()
  const bus = createInProcessBus({ clock })
  expect(await bus.count('key', 100)).toBe(1)
  clock.turn(60)
  expect(await bus.count('key', 100)).toBe(2)
  expect(await bus.count('other', 100)).toBe(1)
  clock.turn(40)
  expect(await bus.count('key', 100)).toBe(1)
})
