import { expect, test } from 'vitest'
import { shortenAddress } from './address.ts'

test('shortenAddress returns the first four and the last six characters [R5.7.3]', () => {
  expect(shortenAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf3…b92266')
  expect(shortenAddress('7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv')).toBe('7S3P…ArAaKv')
})

test('shortenAddress returns short strings unchanged [R5.7.3]', () => {
  expect(shortenAddress('0x12345678')).toBe('0x12345678')
  expect(shortenAddress('')).toBe('')
})
