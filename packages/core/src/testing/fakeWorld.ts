import type { LatchkeyEvent } from '../instance/events.ts'
import { createLatchkey, type Latchkey } from '../instance/latchkey.ts'
import type { LatchkeyOptions } from '../instance/options.ts'
import { fakeAdapter, type FakeAdapter } from './fakeAdapter.ts'
import { fakeStorage, type FakeStorage } from './fakeStorage.ts'
import { manualClock, type ManualClock } from './manualClock.ts'

export type FakeWorldOptions = Partial<Omit<LatchkeyOptions, 'storage' | 'clock' | 'adapters'>> & {
  adapters?: readonly FakeAdapter[]
  storage?: FakeStorage
  clock?: ManualClock
}

/** An instance with its fake dependencies. */
export type FakeWorld = {
  latchkey: Latchkey
  /** The first of the adapters. */
  adapter: FakeAdapter
  storage: FakeStorage
  clock: ManualClock
  /** The events of the instance so far. */
  events: LatchkeyEvent[]
}

/**
 * Creates an instance on fakes, with one adapter by default. It is not started.
 *
 * @example const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
 */
export function fakeWorld({
  adapters = [fakeAdapter()],
  storage = fakeStorage(),
  clock = manualClock(),
  ...options
}: FakeWorldOptions = {}): FakeWorld {
  const latchkey = createLatchkey({ ...options, adapters, storage, clock })
  const events: LatchkeyEvent[] = []
  latchkey.events.subscribe((event) => events.push(event))
  return { latchkey, adapter: adapters[0] ?? fakeAdapter(), storage, clock, events }
}
