import type { Clock, Storage } from '@latchkey/core'
import { isHex32 } from '../crypto/bytes.ts'
import type { PeerRequest } from '../channel/channel.ts'
import type { PeerError } from '../channel/peerError.ts'
import { isSignMethod } from '../channel/signMethod.ts'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** A dapp's request that waits for the user, or whose response waits for the relay. */
export type InboxItem = PeerRequest & {
  /** Unix seconds. */
  readonly expiry: number
  readonly response?: WalletResponse
}

/** The user's decision on a request. */
export type WalletResponse = { readonly result: unknown } | { readonly error: PeerError }

/** A request whose response the relay has not taken yet. */
export type RespondedItem = InboxItem & { readonly response: WalletResponse }

/** Ids are unique within a topic only: each dapp chooses its own. */
type RequestIdentity = Pick<PeerRequest, 'topic' | 'id'>

/**
 * The requests that wait for the user. A relay forgets a message once it is delivered, so the inbox keeps it across page
 * loads until the user decides or it expires. It keeps a decision until the relay has it, and then remembers the request
 * until it expires, so that a message that the relay delivers twice does not ask the user twice.
 */
export type Inbox = {
  /** The requests without a response, oldest first, without expired ones. */
  list(): readonly InboxItem[]
  /** Removes and returns the expired items. */
  removeExpired(): readonly InboxItem[]
  add(item: InboxItem): void
  /**
   * Stores the response to a request. The first response counts.
   *
   * @returns the request with its response, or `undefined` if it is gone
   */
  storeResponse(of: RequestIdentity, response: WalletResponse): RespondedItem | undefined
  /** The responses that the relay has not taken yet. */
  unsent(): readonly RespondedItem[]
  /** True if the user has decided on this request. */
  isDecided(of: RequestIdentity): boolean
  /** Removes a request whose response was sent, and remembers it until it expires. */
  complete(item: InboxItem): void
  /** Removes all items of a topic. */
  removeTopic(topic: string): void
}

/** Older ones are forgotten, so that storage stays bounded. */
const maxCompleted = 1_000

/** Keeps an inbox in `storage` under `prefix`. */
export function createInbox(storage: Storage, prefix: string, clock: Clock): Inbox {
  const items = createList(storage, `${prefix}inbox`, isInboxItem)
  const completed = createList(storage, `${prefix}completed`, isCompleted)
  const isPending = ({ expiry }: { expiry: number }): boolean => expiry * 1000 > clock.now()
  const current = (): readonly InboxItem[] => items.read().filter(isPending)
  const unsent = (): readonly RespondedItem[] => current().filter(isResponded)
  return {
    list: () => current().filter((item) => !isResponded(item)),
    removeExpired() {
      const expired = items.read().filter((item) => !isPending(item))
      if (expired.length > 0) items.write(current())
      return expired
    },
    add: (item) => items.write([...current().filter((each) => !isSame(each, item)), item]),
    storeResponse(of, response) {
      const item = current().find((each) => isSame(each, of))
      if (item === undefined) return undefined
      if (isResponded(item)) return item
      const responded = { ...item, response }
      items.write(current().map((each) => (isSame(each, of) ? responded : each)))
      return responded
    },
    unsent,
    isDecided: (of) => [...unsent(), ...completed.read().filter(isPending)].some((each) => isSame(each, of)),
    complete(item) {
      const { topic, id, expiry } = item
      const others = completed.read().filter((each) => isPending(each) && !isSame(each, item))
      completed.write([...others, { topic, id, expiry }].slice(-maxCompleted))
      items.write(current().filter((each) => !isSame(each, item)))
    },
    removeTopic(topic) {
      items.write(current().filter((item) => item.topic !== topic))
      completed.write(completed.read().filter((item) => item.topic !== topic))
    },
  }
}

/** A list in the storage. Entries that are not valid are ignored. */
function createList<item>(storage: Storage, key: string, isValid: (value: unknown) => value is item) {
  return {
    read(): readonly item[] {
      const stored = tryParseJson(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isValid) : []
    },
    /** Writes nothing if the list is empty and was empty before. */
    write(items: readonly item[]): void {
      if (items.length > 0 || storage.getItem(key) !== null) storage.setItem(key, JSON.stringify(items))
    },
  }
}

function isSame(one: RequestIdentity, other: RequestIdentity): boolean {
  return one.id === other.id && one.topic === other.topic
}

function isResponded(item: InboxItem): item is RespondedItem {
  return item.response !== undefined
}

type Completed = RequestIdentity & { readonly expiry: number }

function isCompleted(value: unknown): value is Completed {
  if (!isUnknownRecord(value)) return false
  const { topic, id, expiry } = value
  return isHex32(topic) && Number.isSafeInteger(id) && typeof expiry === 'number'
}

function isInboxItem(value: unknown): value is InboxItem {
  if (!isUnknownRecord(value)) return false
  const { topic, id, method, params, expiry, response } = value
  const isRequest = isHex32(topic) && Number.isSafeInteger(id) && typeof method === 'string' && isSignMethod(method)
  const isValidResponse =
    response === undefined || (isUnknownRecord(response) && ('result' in response || 'error' in response))
  return isRequest && isValidResponse && isUnknownRecord(params) && typeof expiry === 'number'
}
