import { expect, test } from 'vitest'
import { connect } from '../connection/connect.ts'
import { fakeAddress, fakeConnector, fakeWorld } from '../testing/fakes.ts'
import type { LatchkeyEvent } from './events.ts'
import { recordLog, type LogEntry } from './recordLog.ts'

const problem: LatchkeyEvent = { type: 'problem', code: 'network-not-found' }
const failure: LatchkeyEvent = { type: 'send-error', message: 'the phrase is apple banana', code: 'request/failed' }
const detail: LatchkeyEvent = { type: 'namespace-change', namespace: 'solana' }

test('recordLog records events from level info up, with their level [R9.5.7]', () => {
  const { latchkey } = fakeWorld()
  const log = recordLog(latchkey)
  for (const event of [detail, problem, failure]) latchkey.events.emit(event)
  expect(log.lines().map((line) => JSON.parse(line))).toEqual([
    { time: expect.any(String), level: 'warn', event: 'problem', fields: { code: 'network-not-found' } },
    { time: expect.any(String), level: 'error', event: 'send-error', fields: { code: 'request/failed' } },
  ])
})

test.each([
  ['debug', 3],
  ['info', 2],
  ['warn', 2],
  ['error', 1],
] as const)('recordLog at level %s records %i of three events [R9.5.7]', (level, count) => {
  const { latchkey } = fakeWorld()
  const log = recordLog(latchkey, { level })
  for (const event of [detail, problem, failure]) latchkey.events.emit(event)
  expect(log.lines()).toHaveLength(count)
})

test('recordLog keeps the latest 1,024,000 bytes [R9.5.7]', () => {
  const { latchkey } = fakeWorld()
  const log = recordLog(latchkey)
  for (let index = 0; index < 15_000; index += 1)
    latchkey.events.emit({ type: 'disconnect', namespace: 'eip155', by: 'user' })
  latchkey.events.emit(problem)
  const bytes = new TextEncoder().encode(
    log
      .lines()
      .map((line) => `${line}\n`)
      .join(''),
  ).length
  expect(bytes).toBeLessThanOrEqual(1_024_000)
  expect(bytes).toBeGreaterThan(1_023_800)
  expect(log.lines().at(-1)).toContain('"problem"')
})

test('recordLog records no address, hash or message', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const log = recordLog(latchkey, { level: 'debug' })
  await connect(latchkey, 'fake')
  latchkey.events.emit(failure)
  latchkey.events.emit({ type: 'send', chainId: 'eip155:1', from: `eip155:1:${fakeAddress('eip155')}`, hash: '0xfeed' })
  const text = log.lines().join('\n')
  expect(text).toContain('"connect"')
  expect(text).not.toMatch(new RegExp(`${fakeAddress('eip155')}|0xfeed|apple`))
})

test('recordLog passes entries to a sink, and a sink that throws has no effect [R9.5.7]', () => {
  const { latchkey } = fakeWorld()
  const entries: LogEntry[] = []
  const log = recordLog(latchkey, {
    sink(entry) {
      entries.push(entry)
      throw new Error('The sink is broken.')
    },
  })
  latchkey.events.emit(problem)
  log.stop()
  latchkey.events.emit(problem)
  expect(entries).toMatchObject([{ level: 'warn', event: 'problem' }])
  expect(log.lines()).toHaveLength(1)
})

test.each([0, -1, 1.5, Number.NaN])('recordLog rejects a capacity of %d', (capacity) => {
  expect(() => recordLog(fakeWorld().latchkey, { capacity })).toThrow(RangeError)
})
