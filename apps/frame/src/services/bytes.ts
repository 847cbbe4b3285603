import { base64urlnopad } from '@scure/base'

/** Writes bytes for JSON (base64url without padding). */
export const writeBytes = (bytes: Uint8Array): string => base64urlnopad.encode(bytes)

/** Reads bytes of JSON. @throws Error when they are none. */
export const readBytes = (text: string): Uint8Array => base64urlnopad.decode(text)
