import { Problem } from '../kit/http/problem.ts'
import { parseJson } from '../kit/http/parseJson.ts'
import type { NameAttributes } from './nameStore.ts'

/** Maximum difference between the time of a message and ours, in seconds. */
const tolerance = 10
const attributeNames: readonly string[] = ['bio']
const mostCharacters = 255
/** Letters, marks, digits, punctuation, symbols and spaces of any script. No control or invisible characters. */
const plainText = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u

/**
 * Parses the signed text.
 *
 * @throws Problem 422 unless it is an unambiguous JSON object
 */
export function parseSignedMessage(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    throw new Problem(422, 'message', 'The message is not JSON.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem(422, 'message', 'The message is not a JSON object.')
  }
  // It was checked above.
  return value as Readonly<Record<string, unknown>>
}

/** @throws Problem 422 if the text is missing */
export function getMessageText(message: Readonly<Record<string, unknown>>, key: string): string {
  const text = message[key]
  if (typeof text !== 'string') throw new Problem(422, 'message', `The message lacks "${key}".`)
  return text
}

/** @throws Problem 422 if there is no time, 400 `timestamp` if it is too far from now */
export function assertRecent(message: Readonly<Record<string, unknown>>, now: number): void {
  const time = message['timestamp']
  if (typeof time !== 'number' || !Number.isFinite(time)) {
    throw new Problem(422, 'message', 'The message lacks "timestamp".')
  }
  if (Math.abs(time - Math.floor(now / 1000)) > tolerance) {
    throw new Problem(400, 'timestamp', `The message has to be signed and sent within ${tolerance} seconds.`)
  }
}

/** @throws Problem 400 `attributes`. */
export function parseAttributes(value: unknown): NameAttributes | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Problem(400, 'attributes', 'Attributes must be an object of strings.')
  }
  const entries = Object.entries(value).map(([name, text]: [string, unknown]): [string, string] => {
    if (!attributeNames.includes(name)) throw new Problem(400, 'attributes', 'The only attribute is "bio".')
    if (typeof text !== 'string' || text.length > mostCharacters || !plainText.test(text)) {
      throw new Problem(400, 'attributes', `"${name}" is one line of at most ${mostCharacters} characters.`)
    }
    return [name, text]
  })
  return Object.fromEntries(entries)
}
