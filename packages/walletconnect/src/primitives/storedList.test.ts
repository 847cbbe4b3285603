import { fakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createStoredList } from './storedList.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const openList = (storage = fakeStorage()) => createStoredList(storage, 'list', isText)

describe.each(['read', 'peek'] as const)('%s', (method) => {
  test('returns what any tab wrote last', () => {
    const storage = fakeStorage()
    const [one, other] = [openList(storage), openList(storage)]
    expect(one[method]()).toEqual([])
    one.write(['a'])
    expect([one[method](), other[method]()]).toEqual([['a'], ['a']])
    other.write(['a', 'b'])
    expect([one[method](), other[method]()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    storage.removeItem('list')
    expect(one[method]()).toEqual([])
  })

  test('ignores entries that are not valid, and text that is not a list', () => {
    const storage = fakeStorage({ values: { list: '[1,"a",null]' } })
    expect(openList(storage)[method]()).toEqual(['a'])
    for (const text of ['', '{', 'null', '"a"', '{"length":1}']) {
      storage.setItem('list', text)
      expect(openList(storage)[method]()).toEqual([])
    }
  })
})

test('peek returns the same objects until the storage changes', () => {
  const storage = fakeStorage({ values: { list: '["a"]' } })
  const list = openList(storage)
  const items = list.peek()
  expect(list.peek()).toBe(items)
  storage.setItem('list', '["b"]')
  expect(list.peek()).toEqual(['b'])
})

test('read returns an object of its own, which its caller may change', () => {
  const list = openList(fakeStorage({ values: { list: '["a"]' } }))
  expect(list.read()).not.toBe(list.read())
})

test('an empty list is written only over an earlier one', () => {
  const storage = fakeStorage()
  const list = openList(storage)
  list.write([])
  expect(storage.getItem('list')).toBeUndefined()
  list.write(['a'])
  list.write([])
  expect(storage.getItem('list')).toBe('[]')
})
