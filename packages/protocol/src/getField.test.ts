import { expect, test } from 'vitest'
import { getField, isObject } from './getField.ts'
import { getListField } from './getListField.ts'
import { getStringField } from './getStringField.ts'
import { isRecord } from './isRecord.ts'

test('getField follows a path through objects and functions', () => {
  const inject = Object.assign(() => {}, { provider: { version: 2 } })
  expect(getField(inject, 'provider', 'version')).toBe(2)
  expect(getField(inject, 'provider', 'name', 'length')).toBeUndefined()
  expect(getField('text', 'length')).toBeUndefined()
  expect(getField(7)).toBe(7)
})

test('getField returns undefined when a getter throws', () => {
  const hostile = {
    get name(): string {
      throw new Error('no')
    },
  }
  expect(getField(hostile, 'name')).toBeUndefined()
  expect(getStringField({ hostile }, 'hostile', 'name')).toBeUndefined()
})

test('isObject returns true for objects, lists and functions, which can have fields', () => {
  expect([{}, [], () => {}, new Map()].map(isObject)).toEqual([true, true, true, true])
  expect([null, undefined, 'text', 7, true, Symbol('a')].map(isObject)).toEqual(Array.from({ length: 6 }, () => false))
})

test('getField returns undefined for a path through null or a missing field', () => {
  expect(getField(null, 'name')).toBeUndefined()
  expect(getField({ inner: null }, 'inner', 'name')).toBeUndefined()
  expect(getField({}, 'inner', 'name')).toBeUndefined()
})

test('getStringField returns only non-empty strings', () => {
  expect(getStringField({ name: 'Ada' }, 'name')).toBe('Ada')
  expect(getStringField({ name: '' }, 'name')).toBeUndefined()
  expect(getStringField({ name: 5 }, 'name')).toBeUndefined()
})

test('getListField returns an empty list when the field is not a list', () => {
  expect(getListField({ items: [1] }, 'items')).toEqual([1])
  expect(getListField({ items: { length: 1 } }, 'items')).toEqual([])
})

test('isRecord returns true for objects, and false for lists and null', () => {
  expect(isRecord({})).toBe(true)
  expect(isRecord([])).toBe(false)
  expect(isRecord(null)).toBe(false)
})
