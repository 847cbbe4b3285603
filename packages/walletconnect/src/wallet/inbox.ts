import type { Clock, Storage } from '@latchkey/core'
import { isHex32 } from '../crypto/bytes.ts'
import type { PeerRequest } from '../channel/channel.ts'
import { isSignMethod } from '../channel/signMethod.ts'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** A dapp's request that waits for the user. */
export type InboxItem = PeerRequest & {
  /** Unix seconds. */
  readonly expiry: number
}

/**
 * The requests that wait for the user. A relay forgets a message once it is delivered, so the inbox keeps it across page
 * loads until the user decides or it expires.
 */
export type Inbox = {
  /** Oldest first, without expired ones. */
  list(): readonly InboxItem[]
  /** Removes and returns the expired items. */
  removeExpired(): readonly InboxItem[]
  add(item: InboxItem): void
  /** Removes and returns an item, or returns `undefined` if it is gone. */
  take(id: number): InboxItem | undefined
  /** Removes all items of a topic. */
  removeTopic(topic: string): void
}

/** Keeps an inbox in `storage` under `prefix`. */
export function createInbox(storage: Storage, prefix: string, clock: Clock): Inbox {
  const key = `${prefix}inbox`
  const readItems = (): readonly InboxItem[] => {
    const stored = tryParseJson(storage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isInboxItem) : []
  }
  const isPending = ({ expiry }: InboxItem): boolean => expiry * 1000 > clock.now()
  const list = (): readonly InboxItem[] => readItems().filter(isPending)
  const write = (items: readonly InboxItem[]): void => storage.setItem(key, JSON.stringify(items))
  return {
    list,
    removeExpired() {
      const expired = readItems().filter((item) => !isPending(item))
      if (expired.length > 0) write(list())
      return expired
    },
    add: (item) => write([...list().filter(({ id }) => id !== item.id), item]),
    take(id) {
      const items = list()
      write(items.filter((item) => item.id !== id))
      return items.find((item) => item.id === id)
    },
    removeTopic: (topic) => write(list().filter((item) => item.topic !== topic)),
  }
}

function isInboxItem(value: unknown): value is InboxItem {
  if (!isUnknownRecord(value)) return false
  const { topic, id, method, params, expiry } = value
  const isRequest = isHex32(topic) && Number.isSafeInteger(id) && typeof method === 'string' && isSignMethod(method)
  return isRequest && isUnknownRecord(params) && typeof expiry === 'number'
}
