/**
 * Decodes hex with `0x`.
 *
 * @throws Error if the value is anything else
 */
export function fromHex(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw new Error('The value is not hex.')
  const bytes = new Uint8Array(value.length / 2 - 1)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(value.slice(at * 2 + 2, at * 2 + 4), 16)
  return bytes
}
