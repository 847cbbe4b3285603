import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseMasterKeys, readMasterKeys } from './masterKeys.ts'
import type { KeyKeeper, MasterKeys } from './secrets.ts'

/** Where a service's master keys are: with a plug-in, in a variable, or else in a file. */
export type MasterKeysPlace = {
  /** A module whose default export makes a `KeyKeeper`, such as one that asks a key management service. */
  readonly plugin?: string | undefined
  /** The text of a variable, and the name that people know it by. */
  readonly text?: string | undefined
  readonly variable: string
  readonly file: string
}

/**
 * Opens a service's master keys.
 *
 * @throws Error in a sentence when a key is missing, wrong or readable by others, or the plug-in makes no keeper
 * @example const masterKeys = await openMasterKeys({ variable: 'AUTH_KEYS', file: '/etc/latchkey/auth.keys' })
 */
export async function openMasterKeys({ plugin, text, variable, file }: MasterKeysPlace): Promise<MasterKeys> {
  if (plugin !== undefined) return loadKeeper(plugin)
  return text === undefined ? readMasterKeys(file) : parseMasterKeys(text, variable)
}

async function loadKeeper(plugin: string): Promise<KeyKeeper> {
  const loaded = await import(pathToFileURL(resolve(plugin)).href).catch((cause: unknown) => {
    throw new Error(`The key plug-in ${plugin} cannot be loaded.`, { cause })
  })
  const make: unknown = Reflect.get(Object(loaded), 'default')
  const keeper: unknown = typeof make === 'function' ? await make() : undefined
  if (isKeeper(keeper)) return keeper
  throw new Error(`The key plug-in ${plugin} must export a default function that makes { primary, seal, open }.`)
}

function isKeeper(value: unknown): value is KeyKeeper {
  if (typeof value !== 'object' || value === null) return false
  const [primary, seal, open]: unknown[] = ['primary', 'seal', 'open'].map((name) => Reflect.get(value, name))
  return typeof primary === 'string' && typeof seal === 'function' && typeof open === 'function'
}
