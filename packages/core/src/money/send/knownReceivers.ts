import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { isSameSignInAddress } from '../../signIn/isSameSignInAddress.ts'
import { connectedWallet } from '../../state/connectionState.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

const mostReceivers = 100

/** The number of characters that users compare at each end of an address. */
const shownCharacters = 4

/** Stores an address that an account paid. */
export function rememberReceiver(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, address: string): void {
  const others = readReceivers(latchkey, from).filter((other) => !isSameSignInAddress(other, address))
  setCached(latchkey.internal, receiversKey(from), JSON.stringify([address, ...others].slice(0, mostReceivers)))
}

/** True if the account paid the address before. */
export function isKnownReceiver(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, address: string): boolean {
  return readReceivers(latchkey, from).some((known) => isSameSignInAddress(known, address))
}

/**
 * Returns a known address that begins and ends like another one. Attackers create such addresses, send a small amount
 * from them, and wait for the user to copy the wrong one.
 */
export function findSimilar(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  from: AccountId,
  address: string,
): string | undefined {
  const known = [...readReceivers(latchkey, from), ...ownAddresses(latchkey, from)]
  if (known.some((each) => isSameSignInAddress(each, address))) return undefined
  return known.find((each) => isSameSignInAddress(endsOf(each), endsOf(address)))
}

/** Returns the first and last characters of an address, normalised. */
function endsOf(address: string): string {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const digits = address.slice(prefix.length)
  return prefix + digits.slice(0, shownCharacters) + digits.slice(-shownCharacters)
}

/** Returns the addresses that wallets share in the namespace of the account. */
function ownAddresses(latchkey: Pick<Latchkey, 'wallet'>, from: AccountId): readonly string[] {
  const { namespaces } = latchkey.wallet.getState()
  const accounts = connectedWallet(namespaces[parseAccountId(from).namespace])?.accounts ?? [from]
  return accounts.map((account) => parseAccountId(account).address)
}

/** Stored values may be anything: every script of the page can write to its storage. */
function readReceivers(latchkey: Pick<Latchkey, 'internal'>, from: AccountId): readonly string[] {
  const kept = getCached(latchkey.internal, receiversKey(from), Number.POSITIVE_INFINITY)
  try {
    const list: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, mostReceivers) : []
  } catch {
    return []
  }
}

function receiversKey(from: AccountId): string {
  return `receivers/${parseAccountId(from).address}`
}
