import fc from 'fast-check'
import { bytesToHex, keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { parseEvmAddress } from './parseEvmAddress.ts'

const matchInvalidAddress = (value: string) =>
  expect.objectContaining({ code: 'address/invalid', context: { namespace: 'eip155', value } })

/** The address, or the error. */
function tryParse(value: string): unknown {
  try {
    return parseEvmAddress(value)
  } catch (error) {
    return error
  }
}

/** EIP-55: a letter is upper case if the digit of the lower-case hash at its position is 8 or higher. */
function toChecksumAddress(bytes: Uint8Array): string {
  const digits = bytesToHex(bytes).slice(2)
  const hash = keccak256(toBytes(digits)).slice(2)
  return `0x${Array.from(digits, (digit, at) => (Number(`0x${hash[at]}`) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toChecksumAddress)

test('accepts an address with checksum, in lower and in upper case, with and without 0x [G-03]', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const digits = address.slice(2)
      const forms = [address, digits, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`, digits.toLowerCase()]
      for (const form of forms) expect(parseEvmAddress(form)).toBe(address)
    }),
    { numRuns: 1_000 },
  )
})

test('refuses an address with one letter in the wrong case [G-03]', () => {
  fc.assert(
    fc.property(addresses, fc.nat(39), (address, place) => {
      const at = place + 2
      const letter = address[at] ?? ''
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
      const digits = `${address.slice(2, at)}${other}${address.slice(at + 1)}`
      const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
      fc.pre(other !== letter && isMixed)
      expect(tryParse(`0x${digits}`)).toEqual(matchInvalidAddress(`0x${digits}`))
    }),
    { numRuns: 1_000 },
  )
})

test('refuses a mixed-case address with one wrong digit, except for undetectable ones', () => {
  let [seen, unseen] = [0, 0]
  fc.assert(
    fc.property(addresses, fc.nat(39), fc.integer({ min: 1, max: 15 }), (address, place, by) => {
      const at = place + 2
      const digits = address.slice(2)
      fc.pre(digits !== digits.toLowerCase() && digits !== digits.toUpperCase())
      const wrong = ((Number.parseInt(address[at] ?? '0', 16) + by) % 16).toString(16)
      try {
        parseEvmAddress(`${address.slice(0, at)}${wrong}${address.slice(at + 1)}`)
        unseen += 1
      } catch {
        seen += 1
      }
    }),
    { numRuns: 2_000, seed: 55 },
  )
  // About fifteen letters, each correct with probability 1/2.
  expect(unseen).toBeLessThan(seen / 50)
})

test('refuses a wrong length, non-hex digits and look-alikes [G-03]', () => {
  fc.assert(
    fc.property(
      addresses,
      fc.nat(40),
      fc.constantFrom('g', 'O', 'l', ' ', '\u0430', '\u0661', '\u200b', '\0'),
      (address, place, sign) => {
        const at = Math.min(place + 2, address.length - 1)
        const [head, tail] = [address.slice(0, at), address.slice(at)]
        const wrong = [address.slice(0, -1), `${address}0`, `${head}${sign}${tail.slice(1)}`, `${head}${sign}${tail}`]
        expect(wrong.map(tryParse)).toEqual(wrong.map(matchInvalidAddress))
      },
    ),
  )
  const prefixed = '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const others = ['', '0x', prefixed, 'visitor.eth', `eip155:1:0x${'0'.repeat(40)}`]
  expect(others.map(tryParse)).toEqual(others.map(matchInvalidAddress))
})

test('refuses any other text with a typed error [G-03]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (value) => {
      expect(tryParse(value)).toEqual(matchInvalidAddress(value))
    }),
  )
})
