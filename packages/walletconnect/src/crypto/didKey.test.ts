import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexToBytes } from './bytes.ts'
import { formatDidKey } from './didKey.ts'

test('formatDidKey formats the example of the did:key method', () => {
  const publicKey = hexToBytes('2e6fcce36701dc791488e0d0b1745cc1e33a4c1c9fcc41c63bd343dbbe0970e6')
  expect(formatDidKey(publicKey)).toBe('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')
})

test('formatDidKey agrees with another base58 encoder for all keys, including keys with zero bytes', () => {
  const byte = fc.oneof(fc.constant(0), fc.nat(255))
  fc.assert(
    fc.property(fc.array(byte, { minLength: 32, maxLength: 32 }), (bytes) => {
      const encoded = base58.encode(Uint8Array.from([0xed, 0x01, ...bytes]))
      expect(formatDidKey(Uint8Array.from(bytes))).toBe(`did:key:z${encoded}`)
    }),
  )
})
