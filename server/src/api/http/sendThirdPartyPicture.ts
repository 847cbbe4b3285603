import type { FastifyReply } from 'fastify'
import { Problem } from '../../kit/http/problem.ts'
import { AddressNotAllowedError, type SafeFetch } from '../../kit/http/safeFetch.ts'
import { parseDataUri } from '../nfts/nftMetadata.ts'

const pictureBytes = 4 * 1024 * 1024
const pictureTypes = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/

/**
 * Sends a picture from a third-party URL. The server fetches it, so that apps never contact third parties.
 *
 * @param field the field that a problem names
 * @throws Problem 404 if there is no picture, 503 if it is not available now
 */
export async function sendThirdPartyPicture(
  reply: FastifyReply,
  safeFetch: SafeFetch,
  source: string | undefined,
  field: string,
): Promise<FastifyReply> {
  if (source === undefined) throw new Problem(404, field, 'There is no such picture.')
  const { type, body } = parseDataUri(source) ?? (await fetchPicture(safeFetch, source, field))
  if (!pictureTypes.test(type)) throw new Problem(404, field, 'This is not a picture.')
  return sendPicture(reply, type, body)
}

async function fetchPicture(safeFetch: SafeFetch, url: string, field: string): Promise<{ type: string; body: Buffer }> {
  const response = await safeFetch.fetch(url, { maxBytes: pictureBytes }).catch((cause: unknown) => {
    if (cause instanceof AddressNotAllowedError) throw new Problem(404, field, 'There is no such picture.', { cause })
    throw new Problem(503, field, 'The picture is not available right now.', { cause })
  })
  if (response.status !== 200) throw new Problem(503, field, 'The picture is not available right now.')
  return { type: response.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '', body: Buffer.from(response.body) }
}

/** Sends the picture with headers that stop scripts and requests, even if it is opened directly. */
function sendPicture(reply: FastifyReply, type: string, body: Buffer): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('cache-control', 'public, max-age=86400')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(body)
}
