import { getField } from '@latchkey/protocol'

/** The object that a wallet puts into the page (EIP-1193). It is untrusted. */
export type Eip1193Provider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** True if a value from the page has a `request` method. */
export function isEip1193Provider(value: unknown): value is Eip1193Provider {
  return typeof getField(value, 'request') === 'function'
}
