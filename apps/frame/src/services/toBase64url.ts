import { base64urlnopad } from '@scure/base'

/** Encodes bytes for JSON (base64url without padding). */
export const toBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes)

/** Decodes bytes from JSON. @throws Error for invalid base64url */
export const fromBase64url = (text: string): Uint8Array => base64urlnopad.decode(text)
