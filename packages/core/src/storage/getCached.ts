import { isRecord } from '@latchkey/protocol'
import type { Internals } from '../instance/latchkey.ts'

type CacheInternals = Pick<Internals, 'memory' | 'clock'>

/** Returns a cached value that is younger than `maxAgeMs`. A value from the future is ignored. */
export function getCached({ memory, clock }: CacheInternals, key: string, maxAgeMs: number): string | undefined {
  const stored = memory.read(`cache/${key}`)
  if (!isRecord(stored)) return undefined
  const { at, value } = stored
  if (typeof at !== 'number' || typeof value !== 'string') return undefined
  return Math.abs(clock.now() - at) < maxAgeMs ? value : undefined
}

/** Caches a value from now on. `undefined` removes it. */
export function setCached({ memory, clock }: CacheInternals, key: string, value: string | undefined): void {
  memory.write(`cache/${key}`, value === undefined ? undefined : { at: clock.now(), value })
}
