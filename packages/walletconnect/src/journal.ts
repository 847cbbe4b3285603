import type { Clock, Storage } from '@latchkey/core'
import { isChainId, type ChainId } from '@latchkey/protocol'
import { isHex32 } from './bytes.ts'
import { isRecord, parseJson } from './parse.ts'

/** A request that the wallet may carry out, or has carried out, and whose answer nobody has heard yet. */
export type OpenRequest = {
  readonly id: number
  readonly topic: string
  readonly chainId: ChainId
  readonly method: string
  /** Unix seconds; the wallet does not begin with it later. */
  readonly expiry: number
}

/** What was asked for and not answered, over page loads: a page that goes away must not forget what may be signed. */
export type Journal = {
  /** Oldest first. */
  all(): readonly OpenRequest[]
  add(request: OpenRequest): void
  /** Takes one out; nothing when it is not there any more. */
  take(topic: string, id: number): OpenRequest | undefined
}

/** How long an unanswered request is remembered after its expiry: a week, in seconds. */
const memory = 604_800

/** Keeps a journal in `storage` under `prefix`. */
export function createJournal(storage: Storage, prefix: string, clock: Clock): Journal {
  const key = `${prefix}requests`
  const all = (): readonly OpenRequest[] => {
    const stored = parseJson(storage.getItem(key) ?? '[]')
    const requests = Array.isArray(stored) ? stored.filter(isOpenRequest) : []
    return requests.filter(({ expiry }) => (expiry + memory) * 1000 > clock.now())
  }
  const write = (requests: readonly OpenRequest[]): void => storage.setItem(key, JSON.stringify(requests))
  return {
    all,
    add: (request) => write([...all(), request]),
    take(topic, id) {
      const requests = all()
      const taken = requests.find((request) => request.id === id && request.topic === topic)
      if (taken !== undefined) write(requests.filter((request) => request !== taken))
      return taken
    },
  }
}

function isOpenRequest(value: unknown): value is OpenRequest {
  if (!isRecord(value)) return false
  const { id, topic, chainId, method, expiry } = value
  const isPlace = isHex32(topic) && typeof chainId === 'string' && isChainId(chainId)
  return isPlace && Number.isSafeInteger(id) && typeof method === 'string' && typeof expiry === 'number'
}
