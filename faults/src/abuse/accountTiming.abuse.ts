import { setTimeout as sleep } from 'node:timers/promises'
import { randomEmail, startAccountProbe, startTestPostgres, type ProbedService } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { compareSamples } from './compareSamples.ts'

const samples = 500
/** Each address is probed only a few times per day, below the daily limit of a mailbox. */
const addresses = 50
const warmUp = 50
/** One of a hundred comparisons of equal distributions is below this. */
const significance = 0.01
/** A real difference shows in each round. Three false alarms in a row have the probability 10⁻⁶. */
const rounds = 3

let close = async (): Promise<void> => undefined
beforeAll(async () => {
  const postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  close = postgres.close
})
afterAll(() => close())

const random = createRandom(Date.now())
const createEmails = (): readonly string[] => Array.from({ length: addresses }, randomEmail)

/** Probes known and unknown addresses in random order, and compares the times of their responses. */
async function compareTimes(service: ProbedService, beforeMail?: (isKnown: boolean) => Promise<void>): Promise<number> {
  const groups = { known: createEmails(), unknown: createEmails() }
  const isKnown = new Set(groups.known)
  const world = await startAccountProbe({ beforeMail: async (email) => beforeMail?.(isKnown.has(email)) })
  try {
    for (const email of groups.known) await world.register(email)
    for (let left = warmUp; left > 0; left -= 1) await world.probe(service, randomEmail())
    const times: Record<keyof typeof groups, number[]> = { known: [], unknown: [] }
    for (let index = 0; index < samples; index += 1) {
      const order = random.between(0, 1) === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const group of order) {
        const { status, milliseconds } = await world.probe(service, groups[group][index % addresses] ?? '')
        expect(status).toBe(200)
        times[group].push(milliseconds)
      }
    }
    const probability = compareSamples(times.known, times.unknown)
    console.log(`A-05: ${service}, ${samples} samples each, p = ${probability.toPrecision(3)}`)
    return probability
  } finally {
    await world.close()
  }
}

describe.each(['auth', 'shares'] as const)('response times of the %s service', (service) => {
  test('are distributed alike for known and unknown addresses [A-05]', async () => {
    const found: number[] = []
    while (found.length < rounds && found.every((probability) => probability <= significance)) {
      found.push(await compareTimes(service))
    }
    expect(Math.max(...found)).toBeGreaterThan(significance)
  })

  test('differ measurably if known addresses take twenty milliseconds longer [A-05]', async () => {
    const slowForKnown = async (isKnown: boolean): Promise<void> => void (isKnown && (await sleep(20)))
    expect(await compareTimes(service, slowForKnown)).toBeLessThan(significance)
  })
})
