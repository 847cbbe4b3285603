import { readFile, writeFile } from 'node:fs/promises'
import { deriveSecrets, type WalletSecrets } from './deriveSecrets.ts'
import { openRecoveryFile } from './openRecoveryFile.ts'

/** Options of `recoverWallet`. */
export type RecoverOptions = {
  readonly password: string
  /** True to return the recovery phrase and the private keys. */
  readonly showKey: boolean
  /** The path of a new file for them, which only its owner may read. */
  readonly out: string | undefined
}

/**
 * Opens a recovery file without a network.
 *
 * @returns the lines to print: the addresses, and the secrets only if they were asked for
 * @throws Error with a sentence for the user; `EEXIST` if the output exists
 */
export async function recoverWallet(
  file: string,
  { password, showKey, out }: RecoverOptions,
): Promise<readonly string[]> {
  const entropy = await openRecoveryFile(await readFile(file, 'utf8'), password)
  const secrets = deriveSecrets(entropy)
  entropy.fill(0)
  if (out !== undefined) await writeFile(out, `${listSecrets(secrets).join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  return [
    ...secrets.accounts.map(({ name, address }) => `${name}: ${address}`),
    ...(showKey ? listSecrets(secrets) : []),
    ...(out === undefined ? [] : [`The recovery phrase and the private keys are in ${out}.`]),
  ]
}

function listSecrets({ phrase, accounts }: WalletSecrets): readonly string[] {
  return [
    `Recovery phrase: ${phrase}`,
    ...accounts.map(({ name, privateKey }) => `Private key of ${name}: ${privateKey}`),
  ]
}
