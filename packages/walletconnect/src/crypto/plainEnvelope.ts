import { tryParseJson } from '../primitives/unknownRecord.ts'
import { fromBase64Url, toBase64Url, encodeUtf8, decodeUtf8 } from './bytes.ts'

/** Formats a message as a type-2 envelope: the type byte and UTF-8, in base64url. Not encrypted. */
export function formatPlainEnvelope(text: string): string {
  return toBase64Url(Uint8Array.of(2, ...encodeUtf8(text)))
}

/** Parses the JSON in a type-2 envelope. Returns `undefined` for other strings. */
export function parsePlainEnvelope(envelope: string): unknown {
  try {
    const bytes = fromBase64Url(envelope)
    return bytes[0] === 2 ? tryParseJson(decodeUtf8(bytes.subarray(1))) : undefined
  } catch {
    return undefined
  }
}
