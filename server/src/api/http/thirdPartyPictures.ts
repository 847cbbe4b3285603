import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../kit/http/problem.ts'
import { AddressNotAllowedError, type SafeFetch } from '../../kit/http/safeFetch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { parseDataUri } from '../nfts/nftMetadata.ts'

/** Sends pictures of third parties. The server fetches them, so that apps never contact third parties. */
export type ThirdPartyPictures = {
  /**
   * Concurrent requests of a key share one fetch, and the result is cached.
   *
   * @param key identifies the picture
   * @param findSource finds its web URL or data URI; `undefined` if there is none
   * @param field the field that a problem names
   * @throws Problem 404 if there is no picture, 503 if it is not available now
   */
  send(reply: FastifyReply, key: string, findSource: FindSource, field: string): Promise<FastifyReply>
}

type FindSource = () => Promise<string | undefined>

/** A picture, or the status and sentence of the problem. */
type LoadedPicture = { type: string; body: Buffer } | { status: 404 | 503; sentence: string }

const pictureBytes = 4 * 1024 * 1024
const pictureTypes = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/
const cacheBytes = 64 * 1024 * 1024
/** Short, because an NFT counts as an avatar only while its owner holds it. */
const ttlMs = 300_000
const problemTtlMs = 30_000
/** A problem has no bytes of its own; this is the cost of its entry. */
const entryBytes = 200

const missing = { status: 404, sentence: 'There is no such picture.' } as const
const unavailable = { status: 503, sentence: 'The picture is not available right now.' } as const

/** Creates the sender, with a cache of at most 64 MiB. */
export function createThirdPartyPictures({
  safeFetch,
  clock,
}: {
  safeFetch: SafeFetch
  clock: Clock
}): ThirdPartyPictures {
  const cache = new LRUCache<string, LoadedPicture, FindSource>({
    maxSize: cacheBytes,
    maxEntrySize: pictureBytes + entryBytes,
    sizeCalculation: (picture) => entryBytes + ('body' in picture ? picture.body.length : 0),
    ttl: ttlMs,
    perf: clock,
    ttlResolution: 0,
    async fetchMethod(_key, _stale, { options, context }) {
      const picture = await loadPicture(safeFetch, context)
      if ('status' in picture) options.ttl = problemTtlMs
      return picture
    },
  })
  return {
    async send(reply, key, findSource, field) {
      const picture = (await cache.fetch(key, { context: findSource })) ?? unavailable
      if ('status' in picture) throw new Problem(picture.status, field, picture.sentence)
      return sendPicture(reply, picture)
    },
  }
}

async function loadPicture(safeFetch: SafeFetch, findSource: FindSource): Promise<LoadedPicture> {
  const source = await findSource()
  if (source === undefined) return missing
  const picture = parseDataUri(source) ?? (await fetchPicture(safeFetch, source))
  if ('status' in picture) return picture
  return pictureTypes.test(picture.type) ? picture : { status: 404, sentence: 'This is not a picture.' }
}

async function fetchPicture(safeFetch: SafeFetch, url: string): Promise<LoadedPicture> {
  try {
    const { status, contentType, body } = await safeFetch.fetch(url, { maxBytes: pictureBytes })
    if (status !== 200) return unavailable
    return { type: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '', body: Buffer.from(body) }
  } catch (error) {
    return error instanceof AddressNotAllowedError ? missing : unavailable
  }
}

/** Sends the picture with headers that stop scripts and requests, even if it is opened directly. */
function sendPicture(reply: FastifyReply, { type, body }: { type: string; body: Buffer }): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('cache-control', 'public, max-age=86400')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(body)
}
