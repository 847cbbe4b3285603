import { LatchkeyError } from '@latchkey/protocol'
import { field } from './field.ts'
import { accountKeyOf } from './ss58.ts'

/** An account as an extension shows it. */
export type ExtensionAccount = {
  /** As the extension writes it, in whatever format. */
  raw: string
  key: Uint8Array
  name: string | undefined
}

/**
 * Calls a method of an extension's object.
 *
 * @throws what the extension throws; an error with code 4200 when it has no such method.
 */
export async function call(target: unknown, name: string, ...args: readonly unknown[]): Promise<unknown> {
  const method = field(target, name)
  if (typeof method === 'function') return Reflect.apply(method, target, args)
  throw Object.assign(new Error(`It has no ${name}.`), { code: 4200 })
}

/** Reads a list of accounts. Those of Ethereum that some extensions keep are not of this family. */
export function readAccounts(value: unknown): readonly ExtensionAccount[] {
  const found = new Map<string, ExtensionAccount>()
  for (const item of Array.isArray(value) ? value : []) {
    const [raw, name, type] = ['address', 'name', 'type'].map((key) => field(item, key))
    if (typeof raw !== 'string' || type === 'ethereum') continue
    const key = keyOf(raw)
    if (key === undefined || found.has(key.join())) continue
    found.set(key.join(), { raw, key, name: typeof name === 'string' && name !== '' ? name.slice(0, 60) : undefined })
  }
  return [...found.values()]
}

function keyOf(address: string): Uint8Array | undefined {
  try {
    return accountKeyOf(address)
  } catch {
    return undefined
  }
}

/** What an extension threw, in the words of Latchkey. They have no codes, only a few words for a no. */
export function extensionFailure(method: string, cause: unknown): LatchkeyError {
  if (cause instanceof LatchkeyError) return cause
  const [code, message] = [field(cause, 'code'), field(cause, 'message') ?? cause]
  const reason = typeof message === 'string' && message !== '' ? message.slice(0, 200) : 'it gave no reason'
  if (code === 4001 || /reject|denied|declin|cancel|not allowed to interact/i.test(reason)) {
    return new LatchkeyError('request/rejected', { method }, { cause })
  }
  const number = typeof code === 'number' ? code : undefined
  return new LatchkeyError('request/failed', { method, code: number, reason }, { cause })
}
