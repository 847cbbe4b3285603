import type { AppKitState } from '../../instance/appKitState.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the state of the modal and the selected network.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { open, selectedNetworkId } = useAppKitState()
 */
export function useAppKitState(): AppKitState {
  return useAppKitStore(useCurrentAppKit().context.state)
}
