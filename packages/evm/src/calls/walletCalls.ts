import type { WalletCalls } from '@latchkey/core'
import { getAssets } from './getAssets.ts'
import { getCallsStatus } from './getCallsStatus.ts'
import { getCapabilities } from './getCapabilities.ts'
import { grantPermissions, revokePermissions } from './permissions.ts'
import { sendCalls } from './sendCalls.ts'

/** The calls of EIP-5792, EIP-7811 and ERC-7715. */
export const walletCalls: WalletCalls = {
  getCapabilities,
  sendCalls,
  getCallsStatus,
  getAssets,
  grantPermissions,
  revokePermissions,
}
