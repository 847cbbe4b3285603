import type { Connection, Permission } from '@latchkey/core'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { hexChainId } from '../networks.ts'
import { ask, isFields, nonsense } from './ask.ts'

/**
 * Asks for a permission to act for the account (`wallet_grantPermissions`, ERC-7715).
 *
 * @returns what was granted, which may be less than was asked for, with the `context` that it is used and revoked by
 */
export async function grantPermissions(
  connection: Connection,
  account: AccountId,
  permission: Permission,
): Promise<Permission> {
  const method = 'wallet_grantPermissions'
  const { address, chainId } = parseAccountId(account)
  const answer = await ask(connection, method, [{ ...permission, chainId: hexChainId(chainId), address }])
  const granted: unknown = Array.isArray(answer) ? answer[0] : answer
  if (!isFields(granted) || typeof granted['context'] !== 'string') throw nonsense(connection, method)
  return granted
}

/** Takes a permission back (`wallet_revokePermissions`, ERC-7715). */
export async function revokePermissions(connection: Connection, _account: AccountId, context: string): Promise<void> {
  await ask(connection, 'wallet_revokePermissions', [{ permissionContext: context }])
}
