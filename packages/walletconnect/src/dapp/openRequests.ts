import type { Clock, Storage } from '@latchkey/core'
import { isChainId, type ChainId } from '@latchkey/protocol'
import { isHex32 } from '../crypto/bytes.ts'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** A request without a response that the wallet may have executed or may still execute. */
export type OpenRequest = {
  readonly id: number
  readonly topic: string
  readonly chainId: ChainId
  readonly method: string
  /** Unix seconds. The wallet does not start it later. */
  readonly expiry: number
}

/** The requests without a response, across page loads: a closed page must not forget what may be signed. */
export type OpenRequests = {
  /** Oldest first. */
  list(): readonly OpenRequest[]
  add(request: OpenRequest): void
  /** Removes and returns a request, or returns `undefined` if it is unknown. */
  take(topic: string, id: number): OpenRequest | undefined
}

/** Retention of a request after its expiry: a week, in seconds. */
const retention = 604_800

/** Keeps open requests in `storage` under `prefix`. */
export function createOpenRequests(storage: Storage, prefix: string, clock: Clock): OpenRequests {
  const key = `${prefix}requests`
  const list = (): readonly OpenRequest[] => {
    const stored = tryParseJson(storage.getItem(key) ?? '[]')
    const requests = Array.isArray(stored) ? stored.filter(isOpenRequest) : []
    return requests.filter(({ expiry }) => (expiry + retention) * 1000 > clock.now())
  }
  const write = (requests: readonly OpenRequest[]): void => storage.setItem(key, JSON.stringify(requests))
  return {
    list,
    add: (request) => write([...list(), request]),
    take(topic, id) {
      const requests = list()
      const taken = requests.find((request) => request.id === id && request.topic === topic)
      if (taken !== undefined) write(requests.filter((request) => request !== taken))
      return taken
    },
  }
}

function isOpenRequest(value: unknown): value is OpenRequest {
  if (!isUnknownRecord(value)) return false
  const { id, topic, chainId, method, expiry } = value
  const isPlace = isHex32(topic) && typeof chainId === 'string' && isChainId(chainId)
  return isPlace && Number.isSafeInteger(id) && typeof method === 'string' && typeof expiry === 'number'
}
