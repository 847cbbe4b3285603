import { createAppKit } from '../instance/createAppKit.ts'
import type { AppKit } from '../instance/appKit.ts'
import type { AppKitOptions } from '../options/appKitOptions.ts'

/**
 * Creates an instance without the account's balances, payments and history.
 *
 * @throws LatchkeyError as `createAppKit` of `@latchkey/appkit`
 * @example
 * import { mainnet } from '@latchkey/appkit/networks'
 * const modal = createAppKit({ networks: [mainnet], projectId })
 */
export function createBasicAppKit(options: AppKitOptions): AppKit {
  return createAppKit({ ...options, basic: true })
}
