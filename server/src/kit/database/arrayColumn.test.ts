import Fastify from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import {
  createBigintColumn,
  createBooleanColumn,
  countColumnValues,
  createByteaColumn,
  createEncodedByteaColumn,
  createIntegerColumn,
  createNumericColumn,
  createSmallintColumn,
  createTextColumn,
  type ArrayColumn,
} from './arrayColumn.ts'
import { openDatabase, type Database } from './database.ts'

const { log } = Fastify({ logger: false })
let place: TestPostgres
let database: Database

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

/** Sends the values as a column, and reads them as text. */
async function readBack<Value>(
  column: ArrayColumn<Value>,
  type: string,
  values: readonly Value[],
): Promise<readonly (string | null)[]> {
  for (const value of values) column.add(value)
  const text = `select value::text as value from unnest($1::${type}[]) with ordinality as each(value, at) order by at`
  const rows = await database.run<{ value: string | null }>(`read-${type}`, text, [column.encode()])
  return rows.map(({ value }) => value)
}

const toText = (value: bigint | number | undefined): string | null => (value === undefined ? null : String(value))

test('a numeric column keeps whole numbers up to 256 bits, and absent values', async () => {
  const edges = [0n, 1n, 9_999n, 10_000n, 100_000_000n, 10n ** 12n - 1n, 10n ** 12n, 10n ** 18n, 2n ** 256n - 1n]
  const number = fc.option(fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, 2n ** 256n - 1n)), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(fc.array(number, { maxLength: 200 }), async (values) => {
      expect(await readBack(createNumericColumn(), 'numeric', values)).toEqual(values.map(toText))
    }),
    { numRuns: 20 },
  )
})

test('a bytea column keeps bytes of any length, and absent values', async () => {
  const bytes = fc.uint8Array({ maxLength: 64 }).map((each): `0x${string}` => `0x${Buffer.from(each).toString('hex')}`)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(bytes, { nil: undefined }), { maxLength: 200 }), async (values) => {
      const expected = values.map((each) => (each === undefined ? null : `\\x${each.slice(2)}`))
      expect(await readBack(createByteaColumn(), 'bytea', values)).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})

test('columns of integers and booleans keep their values', async () => {
  const safe = [0, 1, -1, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER, -(2 ** 40)]
  expect(await readBack(createBigintColumn(), 'bigint', safe)).toEqual(safe.map(toText))
  const integers = [0, -5, 2 ** 31 - 1, -(2 ** 31)]
  expect(await readBack(createIntegerColumn(), 'integer', integers)).toEqual(integers.map(toText))
  expect(await readBack(createSmallintColumn(), 'smallint', [0, -3, 32_767])).toEqual(['0', '-3', '32767'])
  expect(await readBack(createBooleanColumn(), 'boolean', [true, false])).toEqual(['true', 'false'])
})

test('a text column keeps texts in any language, and empty ones', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 }).map((each) => each.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 100 }), async (values) => {
      expect(await readBack(createTextColumn(), 'text', values)).toEqual(values)
    }),
    { numRuns: 20 },
  )
})

test.each(['hex', 'latin1'] as const)('a bytea column keeps bytes that are given as %s', async (encoding) => {
  const values = [Buffer.alloc(0), Buffer.from('00ff80', 'hex'), Buffer.alloc(32, 0xe9)]
  const texts = values.map((each) => each.toString(encoding))
  const expected = values.map((each) => `\\x${each.toString('hex')}`)
  expect(await readBack(createEncodedByteaColumn(encoding), 'bytea', texts)).toEqual(expected)
})

test('an encoded column tells the number of its values', () => {
  const column = createTextColumn()
  for (const value of ['a', 'b', 'c']) column.add(value)
  expect(countColumnValues(column.encode())).toBe(3)
})
