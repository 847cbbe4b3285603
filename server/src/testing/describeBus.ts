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

    test('tells every listener of a channel and nobody else', async () => {
      const bus = await open()
      const heard: string[] = []
      bus.subscribe('a', ({ n }) => heard.push(`first ${n}`))
      bus.subscribe('a', ({ n }) => heard.push(`second ${n}`))
      bus.subscribe('b', ({ n }) => heard.push(`other ${n}`))
      bus.publish('a', { n: 1 })
      expect(heard).toEqual(['first 1', 'second 1'])
    })

    test('tells nothing to a listener that left, and keeps nothing for one to come', async () => {
      const bus = await open()
      const heard: BusMessage[] = []
      bus.subscribe('a', (message) => heard.push(message)).stop()
      bus.publish('a', { n: 1 })
      bus.subscribe('a', (message) => heard.push(message))
      expect(heard).toEqual([])
    })

    test('leaves the listeners of a channel alone when one that left before leaves again', async () => {
      const bus = await open()
      const heard: BusMessage[] = []
      const left = bus.subscribe('a', () => undefined)
      left.stop()
      await bus.subscribe('a', (message) => heard.push(message)).ready
      left.stop()
      bus.publish('a', { n: 1 })
      expect(heard).toEqual([{ n: 1 }])
    })
  })
}
