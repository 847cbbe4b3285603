/** What a wallet puts into the page (EIP-1193). Nothing of it is believed before it was checked. */
export type Eip1193Provider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** The code that a wallet, or a library around it, gave a failure. */
export function errorCode(error: unknown): number | undefined {
  const code = field(error, 'code')
  return typeof code === 'number' ? code : undefined
}

/**
 * The code behind a failure: some wallets answer -32603 and keep the real code inside.
 */
export function innerErrorCode(error: unknown): number | undefined {
  return errorCode(field(field(error, 'data'), 'originalError')) ?? errorCode(error)
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

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
