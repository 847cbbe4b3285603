import { getField } from '../runtime/getField.ts'
import { RequestTooLargeError, ResponseTooLargeError } from './postJsonRpc.ts'

/** The number of requests that an endpoint accepts in one batch, as far as it is known. One means: no batches. */
export type BatchLimit = { size: number; succeeded: number }

/** Public endpoints accept batches of about this size. */
const initialSize = 100
/** After this many full batches, one more request is tried. */
const batchesUntilGrowth = 32
const concurrentParts = 4
/** Maximum number of times that a request is sent again after an endpoint omitted its response. */
const maxAttempts = 3
/** Errors of requests that an endpoint did not process because the batch was too large for it, including geth's codes. */
const leftOutCodes: readonly unknown[] = [429, -32_002, -32_003, -32_005]

/** Creates the limit of an endpoint about which nothing is known. */
export function createBatchLimit(): BatchLimit {
  return { size: initialSize, succeeded: 0 }
}

export type PostBatchOptions = {
  limit: BatchLimit
  /** The most requests of a batch, whatever the endpoint accepts. */
  maxSize?: number | undefined
  /** True to return what the first attempt got. */
  acceptsPart?: boolean
  post(body: unknown): Promise<unknown>
}

/**
 * Sends requests with different ids in batches of a size that the endpoint accepts. An endpoint that refuses batches gets
 * the requests one by one. Requests that it leaves out are sent again in smaller batches.
 *
 * @returns the responses, in any order
 * @throws what `post` throws
 */
export async function postBatch(requests: readonly unknown[], options: PostBatchOptions): Promise<readonly unknown[]> {
  const { limit, acceptsPart = false } = options
  const responses = new Map<unknown, unknown>()
  let remaining = requests
  for (let attempt = 1; remaining.length > 0 && attempt <= maxAttempts; attempt += 1) {
    const sent = remaining.length
    for (const response of await postParts(remaining, options)) responses.set(getField(response, 'id'), response)
    remaining = remaining.filter((request) => isLeftOut(responses.get(getField(request, 'id'))))
    // An endpoint that processed nothing is not asked again.
    if (acceptsPart || remaining.length === sent) break
    if (remaining.length > 0) limit.size = Math.max(1, Math.min(limit.size, sent - remaining.length))
  }
  return [...responses.values()]
}

async function postParts(requests: readonly unknown[], options: PostBatchOptions): Promise<readonly unknown[]> {
  const size = Math.min(options.limit.size, options.maxSize ?? initialSize)
  const parts = splitList(requests, size)
  const responses: unknown[] = []
  for (const wave of splitList(parts, concurrentParts)) {
    const received = await Promise.all(wave.map((part) => postPart(part, size, options)))
    responses.push(...received.flat())
  }
  return responses
}

async function postPart(
  part: readonly unknown[],
  size: number,
  options: PostBatchOptions,
): Promise<readonly unknown[]> {
  const { limit, post } = options
  if (size === 1) {
    const response = await post(part[0])
    noteSuccess(limit)
    // A node that could not parse the id responds with null.
    return typeof response === 'object' ? [{ ...response, id: getField(part[0], 'id') }] : []
  }
  try {
    const responses = await post(part)
    if (part.length === size) noteSuccess(limit)
    // `postJsonRpc` returns a list for a list.
    return responses as readonly unknown[]
  } catch (error) {
    // A response is limited by us, so smaller batches are the decision of the caller.
    if (!(error instanceof RequestTooLargeError) || error instanceof ResponseTooLargeError) throw error
    limit.size = Math.max(1, Math.min(limit.size, Math.floor(part.length / 2)))
    limit.succeeded = 0
    return postParts(part, options)
  }
}

function noteSuccess(limit: BatchLimit): void {
  limit.succeeded += 1
  if (limit.succeeded % batchesUntilGrowth === 0) limit.size = Math.min(initialSize, limit.size + 1)
}

function isLeftOut(response: unknown): boolean {
  return response === undefined || leftOutCodes.includes(getField(response, 'error', 'code'))
}

function splitList<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
