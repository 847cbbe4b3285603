import { parseAccountId, type AccountId, type ChainId, type HistoryItem } from '@latchkey/protocol'
import { getHistory } from '../../account/getHistory.ts'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import { shortenAddress } from '../../format/address.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { isSameSignInAddress } from '../../signIn/isSameSignInAddress.ts'
import { connectedWallet } from '../../state/connectionState.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

const mostReceivers = 100

/** The number of characters that users compare at each end of an address that is displayed in full. */
const comparedCharacters = 4

/** Stores an address that an account paid. It stays when the account disconnects. */
export function rememberReceiver(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, address: string): void {
  const others = readReceivers(latchkey, from).filter((other) => !isSameSignInAddress(other, address))
  storeReceivers(latchkey, from, [address, ...others])
}

/** The accounts and networks whose history was read. */
const learnedHistories = defineFeature(() => new Map<string, Promise<void>>())

/**
 * Stores the recipients of payments in the history that the account signed itself, once per instance. Entries of others
 * count for nothing, because anyone can place transfers into a history. A server that does not respond adds none.
 */
export function learnReceivers(
  latchkey: Latchkey,
  { from, chainId }: { from: AccountId; chainId: ChainId },
): Promise<void> {
  const learned = getFeature(latchkey, learnedHistories)
  const key = `${chainId} ${from}`
  const present = learned.get(key)
  if (present !== undefined) return present
  if (latchkey.internal.settings.features.history === false) return Promise.resolve()
  const pending = getHistory(latchkey, { namespace: parseAccountId(from).namespace }).then(
    ({ data }) => {
      const known = readReceivers(latchkey, from)
      const isNew = (each: string): boolean => !known.some((other) => isSameSignInAddress(other, each))
      storeReceivers(latchkey, from, [...known, ...new Set(paidAddresses(data, from).filter(isNew))])
    },
    () => void learned.delete(key),
  )
  learned.set(key, pending)
  return pending
}

function paidAddresses(history: readonly HistoryItem[], from: AccountId): readonly string[] {
  const { address } = parseAccountId(from)
  return history
    .filter(({ metadata }) => metadata.status === 'confirmed' && metadata.operationType === 'send')
    .filter(({ metadata }) => isSameSignInAddress(metadata.sentFrom, address))
    .flatMap(({ transfers }) => transfers)
    .filter(({ direction, quantity }) => direction === 'out' && /[1-9]/.test(quantity.numeric))
    .flatMap(({ counterparty }) => counterparty ?? [])
}

function storeReceivers(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, addresses: readonly string[]): void {
  setCached(latchkey.internal, receiversKey(from), JSON.stringify(addresses.slice(0, mostReceivers)))
}

/** Returns the addresses that an account paid, newest first. */
export function listKnownReceivers(latchkey: Pick<Latchkey, 'internal'>, from: AccountId): readonly string[] {
  return readReceivers(latchkey, from)
}

/** Removes an address from those that an account paid. */
export function forgetReceiver(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, address: string): void {
  const others = readReceivers(latchkey, from).filter((other) => !isSameSignInAddress(other, address))
  setCached(latchkey.internal, receiversKey(from), others.length === 0 ? undefined : JSON.stringify(others))
}

/** True if the account paid the address before. */
export function isKnownReceiver(latchkey: Pick<Latchkey, 'internal'>, from: AccountId, address: string): boolean {
  return readReceivers(latchkey, from).some((known) => isSameSignInAddress(known, address))
}

/**
 * Returns a known address that begins and ends like another one, in full or as the UI shortens it. Attackers create such addresses, send a small amount
 * from them, and wait for the user to copy the wrong one.
 *
 * @param contacts the addresses of the address book. A saved address may itself be the look-alike of a paid one.
 */
export function findSimilar(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  from: AccountId,
  address: string,
  contacts: readonly string[] = [],
): string | undefined {
  const known = [...readReceivers(latchkey, from), ...ownAddresses(latchkey, from)]
  if (known.some((each) => isSameSignInAddress(each, address))) return undefined
  const others = contacts.filter((each) => !isSameSignInAddress(each, address))
  return [...known, ...others].find((each) =>
    [endsOf, shortenAddress].some((shorten) => isSameSignInAddress(shorten(each), shorten(address))),
  )
}

/** Returns the first and last characters of an address, normalised. */
function endsOf(address: string): string {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const digits = address.slice(prefix.length)
  return prefix + digits.slice(0, comparedCharacters) + digits.slice(-comparedCharacters)
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
    return Array.isArray(list) ? list.filter(isAddressText).slice(0, mostReceivers) : []
  } catch {
    return []
  }
}

/** True for a string with the length and the characters of an address. */
function isAddressText(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,128}$/.test(value)
}

function receiversKey(from: AccountId): string {
  return `receivers/${parseAccountId(from).address}`
}
