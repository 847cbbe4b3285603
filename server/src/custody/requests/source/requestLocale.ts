import type { IncomingMessage } from 'node:http'
import { matchLocale } from '@latchkey/protocol/messages'
import { locales, type Locale } from '../../../messages/generated/index.ts'

const maxLength = 256
const maxTags = 16

/**
 * Returns the language of a request: the best one of its `Accept-Language` (RFC 9110) that there are texts in. The frame
 * sends the language that it is shown in, and a browser those of its user.
 *
 * @returns one of `locales`, or `en`
 */
export function requestLocale({ headers }: IncomingMessage): Locale {
  const tags = (headers['accept-language'] ?? '')
    .slice(0, maxLength)
    .split(',', maxTags)
    .map((item) => parseLanguageRange(item))
    .toSorted((one, other) => other.quality - one.quality)
  return matchLocale(
    tags.map(({ tag }) => tag),
    locales,
  )
}

function parseLanguageRange(item: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = item.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
