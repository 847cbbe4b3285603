import {
  inputError,
  parseAccountId,
  type AccountId,
  type Namespace,
  isRecord,
  connectionError,
} from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { isSameSignInAddress } from '../../signIn/isSameSignInAddress.ts'
import { connectedWallet } from '../../state/connectionState.ts'
import { getAdapter } from '../../state/getAccount.ts'
import { forgetReceiver, listKnownReceivers } from './knownReceivers.ts'

/** An entry of the address book. */
export type Contact = { readonly name: string; readonly address: string }

/** The receivers that a form can offer for the active account. */
export type ReceiverBook = {
  /** The address book of the namespace, by name. */
  readonly contacts: readonly Contact[]
  /** The addresses that the account paid last, newest first, without those of the address book. */
  readonly recent: readonly string[]
}

/** The bounds of the address book of one namespace. */
export const contactLimits = { count: 50, nameLength: 40, addressLength: 128 } as const

/** The number of recent receivers that are offered. */
const recentLimit = 5

const bookStore = defineFeature((latchkey) => {
  const store = createStore<ReceiverBook>(() => readBook(latchkey))
  latchkey.wallet.subscribe(() => store.setState(readBook(latchkey), true))
  latchkey.events.subscribe(({ type }) => {
    if (type === 'send') store.setState(readBook(latchkey), true)
  })
  return store
})

/**
 * Returns the address book and the recent receivers of the active account as a store. Both stay in this browser, even
 * after the wallet disconnects.
 *
 * @example const { contacts, recent } = receiverBook(latchkey).getState()
 */
export function receiverBook(latchkey: Latchkey): StoreApi<ReceiverBook> {
  return getFeature(latchkey, bookStore)
}

/**
 * Adds an address to the address book of the active namespace, or renames its entry.
 *
 * @param contact a name of at most 40 characters, and a valid address
 * @returns false if the address book is full
 * @throws LatchkeyError `connection/not-connected`, `address/invalid` if the name or the address is not valid
 * @example saveContact(latchkey, { name: 'Alice', address })
 */
export function saveContact(latchkey: Latchkey, { name, address }: Contact): boolean {
  const namespace = activeNamespaceOf(latchkey)
  if (namespace === undefined) throw connectionError('connection/not-connected', {})
  const cleaned = cleanName(name)
  if (!getAdapter(latchkey, namespace).isAddress(address) || cleaned === '') {
    throw inputError('address/invalid', { namespace, value: address })
  }
  const others = readContacts(latchkey, namespace).filter((each) => !isSameSignInAddress(each.address, address))
  if (others.length >= contactLimits.count) return false
  writeContacts(latchkey, namespace, [...others, { name: cleaned, address }])
  receiverBook(latchkey).setState(readBook(latchkey), true)
  return true
}

/**
 * Removes an address from the address book of the active namespace.
 *
 * @example removeContact(latchkey, address)
 */
export function removeContact(latchkey: Latchkey, address: string): void {
  const namespace = activeNamespaceOf(latchkey)
  if (namespace === undefined) return
  const others = readContacts(latchkey, namespace).filter((each) => !isSameSignInAddress(each.address, address))
  writeContacts(latchkey, namespace, others)
  receiverBook(latchkey).setState(readBook(latchkey), true)
}

/**
 * Removes an address from the recent receivers of the active account. The next payment to it is a first one again.
 *
 * @example removeRecentReceiver(latchkey, address)
 */
export function removeRecentReceiver(latchkey: Latchkey, address: string): void {
  const account = activeAccountOf(latchkey)
  if (account === undefined) return
  forgetReceiver(latchkey, account, address)
  receiverBook(latchkey).setState(readBook(latchkey), true)
}

/** Lists the address book of the active namespace, as the storage has it now. */
export function listContacts(latchkey: Pick<Latchkey, 'wallet' | 'internal'>): readonly Contact[] {
  return readBook(latchkey).contacts
}

/** Returns the name of an address in the address book. */
export function findContactName(latchkey: Pick<Latchkey, 'wallet' | 'internal'>, address: string): string | undefined {
  return listContacts(latchkey).find((each) => isSameSignInAddress(each.address, address))?.name
}

function readBook(latchkey: Pick<Latchkey, 'wallet' | 'internal'>): ReceiverBook {
  const account = activeAccountOf(latchkey)
  if (account === undefined) return { contacts: [], recent: [] }
  const contacts = readContacts(latchkey, parseAccountId(account).namespace)
  const recent = listKnownReceivers(latchkey, account).filter(
    (address) => !contacts.some((each) => isSameSignInAddress(each.address, address)),
  )
  return { contacts, recent: recent.slice(0, recentLimit) }
}

function writeContacts(
  { internal }: Pick<Latchkey, 'internal'>,
  namespace: Namespace,
  contacts: readonly Contact[],
): void {
  internal.memory.write(contactsKey(namespace), contacts.length === 0 ? undefined : contacts)
}

/** Stored values may be anything: every script of the page can write to its storage. */
function readContacts(latchkey: Pick<Latchkey, 'internal'>, namespace: Namespace): readonly Contact[] {
  const stored = latchkey.internal.memory.read(contactsKey(namespace))
  if (!Array.isArray(stored)) return []
  return stored
    .slice(0, contactLimits.count)
    .flatMap(parseContact)
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

function parseContact(value: unknown): Contact[] {
  if (!isRecord(value)) return []
  const { name, address } = value
  if (typeof name !== 'string' || typeof address !== 'string') return []
  const cleaned = cleanName(name)
  const isAddress = /^\w+$/.test(address) && address.length <= contactLimits.addressLength
  return cleaned === '' || !isAddress ? [] : [{ name: cleaned, address }]
}

/** Removes invisible characters, which could make one name look like another. */
function cleanName(name: string): string {
  return name
    .slice(0, contactLimits.addressLength)
    .replace(/\p{C}+/gu, '')
    .trim()
    .slice(0, contactLimits.nameLength)
}

function activeAccountOf({ wallet }: Pick<Latchkey, 'wallet'>): AccountId | undefined {
  const { active, namespaces } = wallet.getState()
  return active === undefined ? undefined : connectedWallet(namespaces[active])?.account
}

function activeNamespaceOf(latchkey: Pick<Latchkey, 'wallet'>): Namespace | undefined {
  const account = activeAccountOf(latchkey)
  return account === undefined ? undefined : parseAccountId(account).namespace
}

function contactsKey(namespace: Namespace): string {
  return `address_book/${namespace}`
}
