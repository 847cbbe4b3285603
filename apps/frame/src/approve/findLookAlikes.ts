import type { Banner } from './approvalFacts.ts'

/** The characters that users compare at each end of a full address, and those that apps show of a shortened one. */
const comparedEnds: readonly (readonly [first: number, last: number])[] = [
  [4, 4],
  [2, 6],
]

/**
 * Finds addresses that begin and end like a known address but differ. Attackers place them into a user's history to be
 * copied (address poisoning).
 *
 * @param known trusted addresses, the user's own included
 */
export function findLookAlikes(addresses: readonly string[], known: readonly string[]): readonly Banner[] {
  return addresses.flatMap((address) => {
    const letters = lettersOf(address)
    if (known.some((each) => lettersOf(each) === letters)) return []
    const twin = known.find((each) => hasSameEnds(lettersOf(each), letters))
    return twin === undefined ? [] : [{ kind: 'lookAlike', address, known: twin }]
  })
}

/** Hexadecimal digits are case-insensitive. Base58 is not, but its letters look alike. */
function lettersOf(address: string): string {
  return address.startsWith('0x') ? address.slice(2).toLowerCase() : address
}

function hasSameEnds(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return comparedEnds.some(
    ([first, last]) => a.slice(0, first) === b.slice(0, first) && a.slice(-last) === b.slice(-last),
  )
}
