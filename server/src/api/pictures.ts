import type { FastifyReply } from 'fastify'
import { Problem } from '../kit/problem.ts'
import { AddressRefused, type SafeFetch } from '../kit/safeFetch.ts'
import { readDataUri } from './nfts/metadata.ts'

const pictureBytes = 4 * 1024 * 1024
const pictureTypes = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/

/**
 * Gives out a picture that a stranger wrote the place of: fetched by the server, so that a page never goes there.
 *
 * @param field what is said to be wrong when there is no picture
 * @throws Problem 404 where there is none, 503 where it cannot be fetched now
 */
export async function sendStrangersPicture(
  reply: FastifyReply,
  safeFetch: SafeFetch,
  source: string | undefined,
  field: string,
): Promise<FastifyReply> {
  if (source === undefined) throw new Problem(404, field, 'There is no such picture.')
  const { type, body } = readDataUri(source) ?? (await fetchPicture(safeFetch, source, field))
  if (!pictureTypes.test(type)) throw new Problem(404, field, 'This is not a picture.')
  return sendPicture(reply, type, body)
}

async function fetchPicture(safeFetch: SafeFetch, url: string, field: string): Promise<{ type: string; body: Buffer }> {
  const answer = await safeFetch.fetch(url, { bytes: pictureBytes }).catch((cause: unknown) => {
    if (cause instanceof AddressRefused) throw new Problem(404, field, 'There is no such picture.', { cause })
    throw new Problem(503, field, 'The picture cannot be fetched now.', { cause })
  })
  if (answer.status !== 200) throw new Problem(503, field, 'The picture cannot be fetched now.')
  return { type: answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '', body: Buffer.from(answer.body) }
}

/** Whatever is inside of a picture, it runs no script and loads nothing, also when it is opened by itself. */
function sendPicture(reply: FastifyReply, type: string, body: Buffer): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('cache-control', 'public, max-age=86400')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(body)
}
