import type { Connection, Permission } from '@latchkey/core'
import { isRecord, parseAccountId, type AccountId } from '@latchkey/protocol'
import { toHexChainId } from '../chain/evmChainId.ts'
import { requestWallet, invalidCallResponse } from './requestWallet.ts'

/**
 * Requests a permission to act for the account (`wallet_grantPermissions`, ERC-7715).
 *
 * @returns the granted permission, which may be smaller than requested, with the `context` that uses and revokes it
 */
export async function grantPermissions(
  connection: Connection,
  account: AccountId,
  permission: Permission,
): Promise<Permission> {
  const method = 'wallet_grantPermissions'
  const { address, chainId } = parseAccountId(account)
  const response = await requestWallet(connection, method, [{ ...permission, chainId: toHexChainId(chainId), address }])
  const granted: unknown = Array.isArray(response) ? response[0] : response
  if (!isRecord(granted) || typeof granted['context'] !== 'string') throw invalidCallResponse(connection, method)
  return granted
}

/** Revokes a permission (`wallet_revokePermissions`, ERC-7715). */
export async function revokePermissions(connection: Connection, _account: AccountId, context: string): Promise<void> {
  await requestWallet(connection, 'wallet_revokePermissions', [{ permissionContext: context }])
}
