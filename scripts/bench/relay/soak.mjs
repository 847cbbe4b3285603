// Runs a constant load for a long time, and watches the memory and the descriptors of the relay.
import { readdirSync } from 'node:fs'
import { startTestPostgres } from '@latchkey/server/testing'
import { drawMemory, getSlope, sampleMemory } from '../memory.mjs'
import { measureRate } from './measureRate.mjs'
import { startRelay } from './processes.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */

const publishesPerSecond = 2_000
/** Each round has new connections. Long rounds would need memory for the times of all their messages. */
const roundSeconds = 50
/** The first minutes fill caches and the heap. */
const warmUpShare = 0.25

/**
 * @param {number} minutes
 * @returns {Promise<Figure[]>}
 */
export async function measureSoak(minutes) {
  const postgres = await startTestPostgres()
  const relay = await startRelay({ DATABASE_URL: postgres.url })
  const memory = sampleMemory(relay.pid)
  let [sent, failed, descriptors] = [0, 0, 0]
  try {
    const startedAt = performance.now()
    while (performance.now() - startedAt < minutes * 60_000) {
      const run = await measureRate([relay], publishesPerSecond, [], roundSeconds)
      sent += run.sent
      failed += run.sent - run.delivered
      descriptors = countDescriptors(relay.pid)
    }
    const settled = memory.samples.slice(Math.floor(memory.samples.length * warmUpShare))
    const note = `${minutes} minutes at ${publishesPerSecond.toLocaleString('en')}/s, ${settled.length} samples after the warm-up`
    /** @type {Figure[]} */
    const figures = [
      {
        name: 'soak: growth of the memory',
        value: 10 * getSlope(settled),
        unit: 'MiB per 10 minutes',
        budget: 1,
        note,
        lines: [drawMemory('relay', memory.samples)],
      },
      { name: 'soak: messages not delivered', value: (100 * failed) / sent, unit: '%', budget: 0.1 },
      { name: 'soak: open descriptors at the end', value: descriptors, unit: '' },
    ]
    return figures.map((figure) => ({ ...figure, isOptional: true }))
  } finally {
    memory.stop()
    await relay.close()
    await postgres.close()
  }
}

/** @param {number} pid */
function countDescriptors(pid) {
  return readdirSync(`/proc/${pid}/fd`).length
}
