import type { Clock, Storage } from '@latchkey/core'
import type { PeerRequest } from '../channel/channel.ts'
import { isSignMethod } from '../channel/signMethod.ts'
import { isHex32 } from '../crypto/bytes.ts'
import { createStoredList } from '../primitives/storedList.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import {
  createCompletedRequests,
  isSameRequest,
  type CompletedRequest,
  type RequestIdentity,
} from './completedRequests.ts'
import { getStaleTime } from './requestExpiry.ts'
import { isWalletResponse, type WalletResponse } from './walletResponse.ts'

/** A dapp's request that waits for the user, or whose response waits for the relay. */
export type InboxItem = PeerRequest & {
  /** Unix seconds. */
  readonly expiry: number
  readonly response?: WalletResponse
}

/** A request whose response the relay has not taken yet. */
export type RespondedItem = InboxItem & { readonly response: WalletResponse }

/**
 * The requests that wait for the user. A relay forgets a message once it is delivered, so the inbox keeps it across page
 * loads until the user decides or it expires. It keeps a decision until the relay has it, and then remembers the request,
 * so that a message that is delivered twice does not ask the user twice.
 */
export type Inbox = {
  /** The requests without a response, oldest first, without expired ones. */
  list(): readonly InboxItem[]
  /** Finds a request without a response. */
  find(of: RequestIdentity): InboxItem | undefined
  /** Removes and returns the items that are too old. */
  removeExpired(): readonly InboxItem[]
  /**
   * Adds a request. If one with the same topic and id is present, that one stays: the user may be looking at it.
   *
   * @returns false if its topic has no room left
   */
  add(item: InboxItem): boolean
  /**
   * Stores the response to a request. The first response counts.
   *
   * @returns the request with its response, or `undefined` if it is gone
   */
  storeResponse(of: RequestIdentity, response: WalletResponse): RespondedItem | undefined
  /**
   * The responses that the relay has not accepted yet, including those to requests that have expired since: the user has
   * signed.
   */
  unsent(): readonly RespondedItem[]
  /** Finds a request that has a response. */
  findDecided(of: RequestIdentity): RespondedItem | CompletedRequest | undefined
  /** Removes a request whose response was sent, and remembers it. */
  complete(item: RespondedItem): void
  /** Removes all items of a topic. */
  removeTopic(topic: string): void
}

/**
 * Retention of a response that waits for the relay after its request has expired: a week, in seconds. Dapps wait as long.
 */
const unsentRetention = 604_800

/**
 * The items of a topic: their size in the storage, in characters of JSON, so that one dapp cannot fill the storage, and their
 * number, because each message reads all of them.
 */
const topicLimits = { size: 524_288, items: 100 } as const

/** Keeps an inbox in `storage` under `prefix`. */
export function createInbox(storage: Storage, prefix: string, clock: Clock): Inbox {
  const items = createStoredList(storage, `${prefix}inbox`, isInboxItem)
  const completed = createCompletedRequests(storage, prefix, clock)
  const isKept = (item: InboxItem): boolean =>
    (item.expiry + (isResponded(item) ? unsentRetention : 0)) * 1000 > clock.now()
  const current = (): readonly InboxItem[] => items.read().filter(isKept)
  const list = (): readonly InboxItem[] => current().filter((item) => !isResponded(item))
  const unsent = (): readonly RespondedItem[] => current().filter(isResponded)
  return {
    list,
    unsent,
    find: (of) => list().find((item) => isSameRequest(item, of)),
    removeExpired() {
      const expired = items.read().filter((item) => !isKept(item))
      if (expired.length > 0) items.write(current())
      return expired
    },
    add(item) {
      const others = current()
      if (others.some((each) => isSameRequest(each, item))) return true
      if (!hasRoom(others, item)) return false
      items.write([...others, item])
      return true
    },
    storeResponse(of, response) {
      const item = current().find((each) => isSameRequest(each, of))
      if (item === undefined || isResponded(item)) return item
      const responded = { ...item, response: toStorable(response) }
      items.write(current().map((each) => (isSameRequest(each, of) ? responded : each)))
      return responded
    },
    findDecided: (of) => unsent().find((item) => isSameRequest(item, of)) ?? completed.find(of),
    complete(item) {
      const { topic, id, expiry, response } = item
      completed.add({ topic, id, expiry, rememberUntil: getStaleTime(item), response })
      items.write(current().filter((each) => !isSameRequest(each, item)))
    },
    removeTopic(topic) {
      items.write(current().filter((item) => item.topic !== topic))
      completed.removeTopic(topic)
    },
  }
}

/** True if a topic has room for another item. The first one always has. */
function hasRoom(others: readonly InboxItem[], item: InboxItem): boolean {
  const present = others.filter(({ topic }) => topic === item.topic)
  if (present.length === 0) return true
  return present.length < topicLimits.items && JSON.stringify([...present, item]).length <= topicLimits.size
}

/** JSON has no `undefined`: the storage and the relay would drop such a result. */
function toStorable(response: WalletResponse): WalletResponse {
  return 'result' in response && response.result === undefined ? { result: null } : response
}

function isResponded(item: InboxItem): item is RespondedItem {
  return item.response !== undefined
}

function isInboxItem(value: unknown): value is InboxItem {
  if (!isUnknownRecord(value)) return false
  const { topic, id, method, params, expiry, response } = value
  const isRequest = isHex32(topic) && Number.isSafeInteger(id) && typeof method === 'string' && isSignMethod(method)
  const isValidResponse = response === undefined || isWalletResponse(response)
  return isRequest && isValidResponse && isUnknownRecord(params) && typeof expiry === 'number'
}
