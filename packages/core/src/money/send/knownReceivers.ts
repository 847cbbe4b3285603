import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../../latchkey.ts'
import { sameAddress } from '../../signIn/sameAddress.ts'
import { standing } from '../../state/connections.ts'

const mostReceivers = 100

/** How much of an address people look at. */
const shownCharacters = 4

/** Keeps an address as one that was paid from an account. */
export function rememberReceiver(latchkey: Latchkey, from: AccountId, address: string): void {
  const others = readReceivers(latchkey, from).filter((other) => !sameAddress(other, address))
  latchkey.memory.setCached(keyOf(from), JSON.stringify([address, ...others].slice(0, mostReceivers)))
}

/** Whether an address was paid from an account before. */
export function isKnownReceiver(latchkey: Latchkey, from: AccountId, address: string): boolean {
  return readReceivers(latchkey, from).some((known) => sameAddress(known, address))
}

/**
 * An address known here that begins and ends like another one. Thieves make such addresses, pay a little from them, and
 * wait for somebody to copy the wrong one.
 */
export function findSimilar(latchkey: Latchkey, from: AccountId, address: string): string | undefined {
  const known = [...readReceivers(latchkey, from), ...ownAddresses(latchkey, from)]
  if (known.some((each) => sameAddress(each, address))) return undefined
  return known.find((each) => sameAddress(endsOf(each), endsOf(address)))
}

/** The first and last characters, as one text of the same kind. */
function endsOf(address: string): string {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const digits = address.slice(prefix.length)
  return prefix + digits.slice(0, shownCharacters) + digits.slice(-shownCharacters)
}

/** What wallets share in the family of the account. */
function ownAddresses(latchkey: Latchkey, from: AccountId): readonly string[] {
  const { namespaces } = latchkey.wallet.getState()
  const accounts = standing(namespaces[parseAccountId(from).namespace])?.accounts ?? [from]
  return accounts.map((account) => parseAccountId(account).address)
}

/** What is kept may be anything: a page's storage is open to all of its scripts. */
function readReceivers(latchkey: Latchkey, from: AccountId): readonly string[] {
  const kept = latchkey.memory.cached(keyOf(from), Number.POSITIVE_INFINITY)
  try {
    const list: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, mostReceivers) : []
  } catch {
    return []
  }
}

function keyOf(from: AccountId): string {
  return `receivers/${parseAccountId(from).address}`
}
