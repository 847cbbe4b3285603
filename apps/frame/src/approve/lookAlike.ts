import type { Banner } from './facts.ts'

const ends = 4

/**
 * Finds addresses that begin and end like one that was used before, and are another: what a thief writes into somebody's
 * history, to be copied from there.
 *
 * @param known addresses that are trusted, the account's own included
 */
export function lookAlikes(addresses: readonly string[], known: readonly string[]): readonly Banner[] {
  return addresses.flatMap((address) => {
    const letters = lettersOf(address)
    if (known.some((each) => lettersOf(each) === letters)) return []
    const twin = known.find((each) => endsOf(lettersOf(each)) === endsOf(letters))
    return twin === undefined ? [] : [{ kind: 'lookAlike', address, known: twin }]
  })
}

/** Hexadecimal digits mean the same in either case; the letters of Solana do not, but look the same from afar. */
function lettersOf(address: string): string {
  return address.startsWith('0x') ? address.slice(2).toLowerCase() : address
}

function endsOf(letters: string): string {
  return `${letters.slice(0, ends)}…${letters.slice(-ends)}`.toLowerCase()
}
