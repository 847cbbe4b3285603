import { readFile, writeFile } from 'node:fs/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Hex } from 'viem'

/**
 * Reads the key that signs gateway responses, or creates it in a file that only its owner may read.
 *
 * @returns the address of the key
 */
export async function keepSignerKey(file: string): Promise<Hex> {
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  // Written by the lines below, or by an operator in the same format.
  if (stored !== undefined) return privateKeyToAddress(stored.trim() as Hex)
  const key = generatePrivateKey()
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return privateKeyToAddress(key)
}
