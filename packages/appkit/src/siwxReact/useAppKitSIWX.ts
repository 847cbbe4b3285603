import type { SignIn } from '@latchkey/core'
import { useAppKitStore, useCurrentAppKit } from '../react/hooks/useCurrentAppKit.ts'

/**
 * Returns the sign-in that the app passed to `createAppKit` as `siwx`.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const siwx = useAppKitSIWX()
 */
export function useAppKitSIWX<siwx extends SignIn = SignIn>(): siwx | undefined {
  // The app knows the class of its own option.
  return useAppKitStore(useCurrentAppKit().context.options).siwx as siwx | undefined
}
