import type { AccountDetails, AccountType } from '@latchkey/core'
import { isRecord, parseJson } from './parse.ts'

/** What a wallet said of its addresses, in the form that it answers with where it is asked for them. */
export type AccountNotes = {
  of(address: string): AccountDetails | undefined
  /** Takes in a list, told or as JSON, and returns the addresses in it: none when it is no such list. */
  take(list: unknown): readonly string[]
}

/** What wallets call the purposes of addresses. */
const types: { readonly [intention: string]: AccountType } = {
  payment: 'payment',
  ordinal: 'ordinals',
  ordinals: 'ordinals',
}

/** More would be no wallet's own addresses: those stay below a gap of twenty unused ones (BIP-44). */
const longestList = 1000

/** Makes an empty book of notes. */
export function createAccountNotes(): AccountNotes {
  const notes = new Map<string, AccountDetails>()

  function note(value: unknown): readonly string[] {
    if (!isRecord(value) || typeof value.address !== 'string') return []
    const { address, publicKey, path, intention } = value
    const told: AccountDetails = {
      ...(typeof intention === 'string' && Object.hasOwn(types, intention) ? { type: types[intention] } : {}),
      ...(typeof publicKey === 'string' ? { publicKey } : {}),
      ...(typeof path === 'string' ? { path } : {}),
    }
    // A later list may say less of an address; nothing of what was said becomes wrong by that.
    notes.set(address, { ...notes.get(address), ...told })
    return [address]
  }

  return {
    of(address) {
      const known = notes.get(address)
      return known === undefined || Object.keys(known).length === 0 ? undefined : known
    },
    take(list) {
      const told = typeof list === 'string' ? parseJson(list) : list
      return Array.isArray(told) ? told.slice(0, longestList).flatMap(note) : []
    },
  }
}
