/** What a wallet puts into the page (EIP-1193). Nothing of it is believed before it was checked. */
export type Eip1193Provider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** The code that a wallet gave a failure. Some answer -32603 and keep the real code inside. */
export function errorCode(error: unknown): number | undefined {
  const codes = [field(field(field(error, 'data'), 'originalError'), 'code'), field(error, 'code')]
  return codes.find((code) => typeof code === 'number')
}

/** What a wallet says about a failure, short enough to show. */
export function errorReason(error: unknown): string {
  const message = field(error, 'message')
  return typeof message === 'string' && message !== '' ? message.slice(0, 200) : 'it gave no reason'
}

/** Whether the visitor said no, by code or in the words of wallets that give none. */
export function isRejection(error: unknown): boolean {
  return errorCode(error) === 4001 || /user rejected|user denied|connection request reset/i.test(errorReason(error))
}

/** A field of what may be anything, even something that throws when it is looked at. */
function field(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}
