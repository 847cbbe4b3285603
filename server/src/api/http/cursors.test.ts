import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursors } from './cursors.ts'

const cursors = createCursors(Buffer.alloc(32, 1))
const list = 'history eip155:1 0xabc'

test('cursor returns its position, for its own list only [P-11]', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (place) => {
      const cursor = cursors.seal(list, place) ?? ''
      expect(cursors.open(list, cursor)).toBe(Buffer.from(place).toString())
      expect(() => cursors.open('history eip155:10 0xabc', cursor)).toThrow('is not valid for this list')
      expect(() => createCursors(Buffer.alloc(32, 2)).open(list, cursor)).toThrow('is not valid for this list')
    }),
  )
  expect(cursors.seal(list, null)).toBeNull()
  expect(cursors.open(list, undefined)).toBeUndefined()
})

test('cursor that was altered, shortened, extended or forged is rejected [P-11]', () => {
  const cursor = cursors.seal(list, '1.2.3') ?? ''
  for (let at = 0; at < cursor.length; at += 1) {
    const other = cursor[at] === 'A' ? 'B' : 'A'
    expect(() => cursors.open(list, cursor.slice(0, at) + other + cursor.slice(at + 1))).toThrow(
      'is not valid for this list',
    )
    expect(() => cursors.open(list, cursor.slice(0, at) || 'A')).toThrow('is not valid for this list')
  }
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 1_024 }), (text) => {
      expect(() => cursors.open(list, text)).toThrow('is not valid for this list')
    }),
  )
  for (const text of [`${cursor}=`, `${cursor}A`, ` ${cursor}`])
    expect(() => cursors.open(list, text)).toThrow('is not valid for this list')
})
