import { getField } from '@latchkey/protocol'

/** The error for a method that a wallet does not have (EIP-1193, code 4200). */
export class MissingMethodError extends Error {
  override readonly name: string = 'MissingMethodError'
  readonly code: number = 4200
}

/**
 * Calls a method of an object that a wallet put into the page.
 *
 * @throws MissingMethodError if the object has no such method; anything that the wallet throws
 * @example await callMethod(provider, 'request', 'getAddresses', {})
 */
export async function callMethod(target: unknown, name: string, ...args: readonly unknown[]): Promise<unknown> {
  const method = getField(target, name)
  if (typeof method !== 'function') throw new MissingMethodError(`The wallet has no method ${name}.`)
  return Reflect.apply(method, target, args)
}
