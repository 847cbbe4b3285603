import type { Clock, Storage } from '@latchkey/core'
import { isHex32 } from './bytes.ts'
import type { PeerRequest } from './channel.ts'
import { isMethod } from './messages.ts'
import { isRecord, parseJson } from './parse.ts'

/** A request of a dapp that waits for a person. */
export type InboxItem = PeerRequest & {
  /** Unix seconds. */
  readonly expiry: number
}

/**
 * What waits for the person who owns the wallet. A relay forgets a message once it has arrived, so that it is kept here
 * over page loads until it is answered or expires.
 */
export type Inbox = {
  /** Oldest first, without the expired. */
  all(): readonly InboxItem[]
  /** Throws away the expired, and tells which those were. */
  sweep(): readonly InboxItem[]
  add(item: InboxItem): void
  /** Takes one out; nothing when it is not there any more. */
  take(id: number): InboxItem | undefined
  /** Throws away all of a topic. */
  clear(topic: string): void
}

/** Keeps an inbox in `storage` under `prefix`. */
export function createInbox(storage: Storage, prefix: string, clock: Clock): Inbox {
  const key = `${prefix}inbox`
  const read = (): readonly InboxItem[] => {
    const stored = parseJson(storage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isInboxItem) : []
  }
  const waits = ({ expiry }: InboxItem): boolean => expiry * 1000 > clock.now()
  const all = (): readonly InboxItem[] => read().filter(waits)
  const write = (items: readonly InboxItem[]): void => storage.setItem(key, JSON.stringify(items))
  return {
    all,
    sweep() {
      const expired = read().filter((item) => !waits(item))
      if (expired.length > 0) write(all())
      return expired
    },
    add: (item) => write([...all().filter(({ id }) => id !== item.id), item]),
    take(id) {
      const items = all()
      write(items.filter((item) => item.id !== id))
      return items.find((item) => item.id === id)
    },
    clear: (topic) => write(all().filter((item) => item.topic !== topic)),
  }
}

function isInboxItem(value: unknown): value is InboxItem {
  if (!isRecord(value)) return false
  const { topic, id, method, params, expiry } = value
  const isRequest = isHex32(topic) && Number.isSafeInteger(id) && typeof method === 'string' && isMethod(method)
  return isRequest && isRecord(params) && typeof expiry === 'number'
}
