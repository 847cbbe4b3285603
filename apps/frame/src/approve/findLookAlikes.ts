import type { Banner } from './approvalFacts.ts'

const ends = 4

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
    const twin = known.find((each) => endsOf(lettersOf(each)) === endsOf(letters))
    return twin === undefined ? [] : [{ kind: 'lookAlike', address, known: twin }]
  })
}

/** Hexadecimal digits are case-insensitive. Base58 is not, but its letters look alike. */
function lettersOf(address: string): string {
  return address.startsWith('0x') ? address.slice(2).toLowerCase() : address
}

function endsOf(letters: string): string {
  return `${letters.slice(0, ends)}…${letters.slice(-ends)}`.toLowerCase()
}
