import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Bus, BusMessage } from '../kit/bus/bus.ts'

/** The shared state of the buses of a suite. Each process of a server opens its own bus. */
export type BusWorld = { open(): Promise<Bus>; close(): Promise<void> }

/**
 * The contract of every bus.
 *
 * @param openWorld opens the shared state once
 * @example describeBus('in one process', async () => ({ open: async () => createInProcessBus(), close: async () => {} }))
 */
export function describeBus(name: string, openWorld: () => Promise<BusWorld>): void {
  describe(`bus ${name}`, () => {
    let world: BusWorld
    const opened: Bus[] = []
    const open = async (): Promise<Bus> => {
      const bus = await world.open()
      opened.push(bus)
      return bus
    }

    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(() => world.close())
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((bus) => bus.close()))
    })

    test('delivers to every listener of a channel and to no other listener', async () => {
      const bus = await open()
      const received: string[] = []
      bus.subscribe('a', ({ n }) => received.push(`first ${n}`))
      bus.subscribe('a', ({ n }) => received.push(`second ${n}`))
      bus.subscribe('b', ({ n }) => received.push(`other ${n}`))
      bus.publish('a', { n: 1 })
      expect(received).toEqual(['first 1', 'second 1'])
    })

    test('delivers nothing to a removed listener, and stores nothing for later listeners', async () => {
      const bus = await open()
      const received: BusMessage[] = []
      bus.subscribe('a', (message) => received.push(message)).stop()
      bus.publish('a', { n: 1 })
      bus.subscribe('a', (message) => received.push(message))
      expect(received).toEqual([])
    })

    test('keeps the listeners of a channel when a removed listener is removed again', async () => {
      const bus = await open()
      const received: BusMessage[] = []
      const left = bus.subscribe('a', () => undefined)
      left.stop()
      await bus.subscribe('a', (message) => received.push(message)).ready
      left.stop()
      bus.publish('a', { n: 1 })
      expect(received).toEqual([{ n: 1 }])
    })
  })
}
