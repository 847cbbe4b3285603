import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseMasterKeys, readMasterKeys } from './masterKeys.ts'
import type { KeyEncryptionProvider, MasterKeys } from './secrets.ts'

/** The source of a service's master keys: a plug-in, otherwise a variable, otherwise a file. */
export type MasterKeysSource = {
  /** A module whose default export creates a `KeyEncryptionProvider`, for a key management service, for example. */
  readonly plugin?: string | undefined
  /** The value of an environment variable. Errors mention its name. */
  readonly text?: string | undefined
  readonly variable: string
  readonly file: string
}

/**
 * Opens a service's master keys.
 *
 * @throws Error with a sentence if a key is missing, invalid or readable by others, or the plug-in exports no provider
 * @example const masterKeys = await openMasterKeys({ variable: 'AUTH_KEYS', file: '/etc/latchkey/auth.keys' })
 */
export async function openMasterKeys({ plugin, text, variable, file }: MasterKeysSource): Promise<MasterKeys> {
  if (plugin !== undefined) return loadProvider(plugin)
  return text === undefined ? readMasterKeys(file) : parseMasterKeys(text, variable)
}

async function loadProvider(plugin: string): Promise<KeyEncryptionProvider> {
  const loaded = await import(pathToFileURL(resolve(plugin)).href).catch((cause: unknown) => {
    throw new Error(`The key plug-in ${plugin} cannot be loaded.`, { cause })
  })
  const make: unknown = Reflect.get(Object(loaded), 'default')
  const provider: unknown = typeof make === 'function' ? await make() : undefined
  if (isKeyEncryptionProvider(provider)) return provider
  throw new Error(`The key plug-in ${plugin} must export a default function that makes { primary, seal, open }.`)
}

function isKeyEncryptionProvider(value: unknown): value is KeyEncryptionProvider {
  if (typeof value !== 'object' || value === null) return false
  const [primary, seal, open]: unknown[] = ['primary', 'seal', 'open'].map((name) => Reflect.get(value, name))
  return typeof primary === 'string' && typeof seal === 'function' && typeof open === 'function'
}
