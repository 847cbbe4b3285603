import { expect, test } from 'vitest'
import {
  createContext,
  createIds,
  formatTraceparent,
  parseTraceparent,
  limitToShare,
  type TraceContext,
} from './traceContext.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const ids = createIds()

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-fe`, false],
  [`01-${traceId}-${spanId}-03-later-fields`, true],
])('%s is parsed', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled })
})

test.each([
  ['nothing', ''],
  ['another text', 'x'],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['more fields in version 00', `00-${traceId}-${spanId}-01-more`],
  ['the version ff', `ff-${traceId}-${spanId}-01`],
  ['a long text', `01-${traceId}-${spanId}-01-${'x'.repeat(300)}`],
])('%s is not a traceparent', (_what, header) => {
  expect(parseTraceparent(header)).toBeUndefined()
})

test('a context is formatted as it was parsed', () => {
  const header = `00-${traceId}-${spanId}-01`
  const context = parseTraceparent(header)
  expect(context && formatTraceparent(context)).toBe(header)
})

test('a child has the trace of its parent and an id of its own', () => {
  const child = createContext({ traceId, spanId, isSampled: true }, ids, 1)
  expect(child).toMatchObject({ traceId, isSampled: true })
  expect(child.spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(child.spanId).not.toBe(spanId)
})

test('the share decides about new traces: a quarter of them', () => {
  const contexts = Array.from({ length: 4_000 }, () => createContext(undefined, ids, 0.25))
  // The standard deviation is 27.
  expect(Math.abs(countRecorded(contexts) - 1_000)).toBeLessThan(200)
})

test('a child is recorded if its parent is, in each process', () => {
  for (const isSampled of [true, false]) {
    expect(createContext({ traceId, spanId, isSampled }, ids, 0.25).isSampled).toBe(isSampled)
  }
})

test.each([
  ['an id that it chose', '0'.repeat(31) + '1'],
  ['another id', traceId],
])('a client cannot demand by %s that its trace is recorded', (_what, chosen) => {
  const asked = { traceId: chosen, spanId, isSampled: true }
  const contexts = Array.from({ length: 4_000 }, () => limitToShare(asked, ids, 0.25))
  // The standard deviation is 27.
  expect(Math.abs(countRecorded(contexts) - 1_000)).toBeLessThan(200)
  expect(contexts[0]).toMatchObject({ traceId: chosen, spanId })
})

test('a client can refuse that its trace is recorded', () => {
  expect(limitToShare({ traceId, spanId, isSampled: false }, ids, 1).isSampled).toBe(false)
})

const countRecorded = (contexts: readonly TraceContext[]): number =>
  contexts.filter(({ isSampled }) => isSampled).length

test('a parent that is not recorded has no recorded children', () => {
  expect(createContext({ traceId, spanId, isSampled: false }, ids, 1).isSampled).toBe(false)
})

test('ids are different, even after the random bytes are used up', () => {
  const drawn = Array.from({ length: 2_000 }, (_, index) => ids.create(index % 2 === 0 ? 8 : 16))
  expect(new Set(drawn).size).toBe(2_000)
  expect(drawn.every((id) => /^(?:[0-9a-f]{16}){1,2}$/.test(id))).toBe(true)
})
