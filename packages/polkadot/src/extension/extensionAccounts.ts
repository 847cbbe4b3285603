import { parseWalletName, tryOrUndefined } from '@latchkey/adapter-kit'
import { getField } from '@latchkey/protocol'
import { parseSs58Address } from '../address/ss58Address.ts'

/** An account of an extension. */
export type ExtensionAccount = {
  /** The address in the extension's own format. */
  raw: string
  key: Uint8Array
  name: string | undefined
}

/** Parses a list of accounts. The Ethereum accounts that some extensions hold are left out. */
export function parseExtensionAccounts(value: unknown): readonly ExtensionAccount[] {
  const accounts = new Map<string, ExtensionAccount>()
  for (const item of Array.isArray(value) ? value : []) {
    const [raw, name, type] = ['address', 'name', 'type'].map((field) => getField(item, field))
    if (typeof raw !== 'string' || type === 'ethereum') continue
    const key = tryOrUndefined(() => parseSs58Address(raw))
    if (key === undefined || accounts.has(key.join())) continue
    accounts.set(key.join(), { raw, key, name: parseWalletName(name) })
  }
  return [...accounts.values()]
}

/** True if two lists have the same accounts in the same order. */
export function hasSameAccounts(one: readonly ExtensionAccount[], other: readonly ExtensionAccount[]): boolean {
  const format = (accounts: readonly ExtensionAccount[]): string => accounts.map(({ key }) => key.join()).join(';')
  return format(one) === format(other)
}

/** Finds the account of an address, in any network's format. */
export function findExtensionAccount(
  accounts: readonly ExtensionAccount[],
  address: string,
): ExtensionAccount | undefined {
  const key = parseSs58Address(address).join()
  return accounts.find((account) => account.key.join() === key)
}
