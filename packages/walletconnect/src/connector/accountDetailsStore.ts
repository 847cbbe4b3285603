import type { AccountDetails, AccountType } from '@latchkey/core'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** The details that a wallet gave of its addresses. */
export type AccountDetailsStore = {
  get(address: string): AccountDetails | undefined
  /** Adds a list of details, parsed or as JSON, and returns its addresses. Ignores malformed lists. */
  addList(list: unknown): readonly string[]
}

/** The account types by the names that wallets use. */
const accountTypes: { readonly [intention: string]: AccountType } = {
  payment: 'payment',
  ordinal: 'ordinals',
  ordinals: 'ordinals',
}

/** The longest list. A wallet has fewer own addresses, with a gap of at most twenty unused ones (BIP-44). */
const longestList = 1000

/** Creates an empty store. */
export function createAccountDetailsStore(): AccountDetailsStore {
  const known = new Map<string, AccountDetails>()

  function addDetails(value: unknown): readonly string[] {
    if (!isUnknownRecord(value) || typeof value.address !== 'string') return []
    const { address, publicKey, path, intention } = value
    const details: AccountDetails = {
      ...(typeof intention === 'string' && Object.hasOwn(accountTypes, intention)
        ? { type: accountTypes[intention] }
        : {}),
      ...(typeof publicKey === 'string' ? { publicKey } : {}),
      ...(typeof path === 'string' ? { path } : {}),
    }
    // A later list may have fewer details. The earlier ones stay valid.
    known.set(address, { ...known.get(address), ...details })
    return [address]
  }

  return {
    get(address) {
      const details = known.get(address)
      return details === undefined || Object.keys(details).length === 0 ? undefined : details
    },
    addList(list) {
      const parsed = typeof list === 'string' ? tryParseJson(list) : list
      return Array.isArray(parsed) ? parsed.slice(0, longestList).flatMap(addDetails) : []
    },
  }
}
