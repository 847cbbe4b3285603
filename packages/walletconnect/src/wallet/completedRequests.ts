import type { Clock, Storage } from '@latchkey/core'
import type { PeerRequest } from '../channel/channel.ts'
import { isHex32 } from '../crypto/bytes.ts'
import { createStoredList } from '../primitives/storedList.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { isWalletResponse, type WalletResponse } from './walletResponse.ts'

/** Ids are unique within a topic only: each dapp chooses its own. */
export type RequestIdentity = Pick<PeerRequest, 'topic' | 'id'>

/** A request whose response the relay has. */
export type CompletedRequest = RequestIdentity & {
  /** Unix seconds. From then on, no response is sent. */
  readonly expiry: number
  /** Unix seconds. From then on, the wallet refuses the request by its age and need not remember it. */
  readonly rememberUntil: number
  /** Removed at the expiry, and earlier if it takes too much space. */
  readonly response?: WalletResponse
}

/**
 * The requests that were responded to, across page loads. A message that is delivered twice must not ask the user twice,
 * even if the relay, which could replay it, is hostile.
 */
export type CompletedRequests = {
  find(of: RequestIdentity): CompletedRequest | undefined
  add(request: CompletedRequest): void
  removeTopic(topic: string): void
}

/**
 * The size of all completed requests in the storage, in characters of JSON: the limit, and the size after older ones are
 * removed. Lower, so that this is rare.
 */
const sizes = { limit: 262_144, reduced: 196_608 } as const

/** Keeps completed requests in `storage` under `prefix`. */
export function createCompletedRequests(storage: Storage, prefix: string, clock: Clock): CompletedRequests {
  const list = createStoredList(storage, `${prefix}completed`, isCompletedRequest)
  const current = (): readonly CompletedRequest[] =>
    list
      .peek()
      .filter(({ rememberUntil }) => rememberUntil * 1000 > clock.now())
      .map((request) => (request.expiry * 1000 > clock.now() ? request : withoutResponse(request)))
  return {
    find: (of) => current().find((each) => isSameRequest(each, of)),
    add(request) {
      list.write(limitSize([...current().filter((each) => !isSameRequest(each, request)), request]))
    },
    removeTopic: (topic) => list.write(current().filter((each) => each.topic !== topic)),
  }
}

/** True if both have the same id and topic. */
export function isSameRequest(one: RequestIdentity, other: RequestIdentity): boolean {
  return one.id === other.id && one.topic === other.topic
}

/** Reduces the requests to the limit of size. */
function limitSize(requests: readonly CompletedRequest[]): readonly CompletedRequest[] {
  return sizeOf(requests) <= sizes.limit ? requests : reduceSize(requests)
}

/**
 * Removes responses, then requests. Takes from the topic that needs the most space, the oldest first: a dapp that sends a
 * million requests must not make the wallet forget those of others.
 */
function reduceSize(requests: readonly CompletedRequest[]): readonly CompletedRequest[] {
  const kept = [...requests]
  const sizeOfTopic = new Map<string, number>()
  const resize = (topic: string, by: number): void => void sizeOfTopic.set(topic, (sizeOfTopic.get(topic) ?? 0) + by)
  for (const request of kept) resize(request.topic, sizeOf(request))
  const total = (): number => [...sizeOfTopic.values()].reduce((sum, size) => sum + size, 0)
  while (total() > sizes.reduced) {
    const [largest] = [...sizeOfTopic].reduce((most, each) => (each[1] > most[1] ? each : most))
    const at = findLeastUseful(kept, largest)
    const removed = kept[at]
    if (removed === undefined) break
    const rest = removed.response === undefined ? [] : [withoutResponse(removed)]
    kept.splice(at, 1, ...rest)
    resize(largest, -sizeOf(removed))
    for (const each of rest) resize(largest, sizeOf(each))
  }
  return kept
}

/** Finds the oldest request of a topic that has a response, or its oldest one. */
function findLeastUseful(requests: readonly CompletedRequest[], topic: string): number {
  const withResponse = requests.findIndex((each) => each.topic === topic && each.response !== undefined)
  return withResponse === -1 ? requests.findIndex((each) => each.topic === topic) : withResponse
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length
}

function withoutResponse({ topic, id, expiry, rememberUntil }: CompletedRequest): CompletedRequest {
  return { topic, id, expiry, rememberUntil }
}

function isCompletedRequest(value: unknown): value is CompletedRequest {
  if (!isUnknownRecord(value)) return false
  const { topic, id, expiry, rememberUntil, response } = value
  const isIdentity = isHex32(topic) && Number.isSafeInteger(id)
  const isValidResponse = response === undefined || isWalletResponse(response)
  return isIdentity && isValidResponse && typeof expiry === 'number' && typeof rememberUntil === 'number'
}
