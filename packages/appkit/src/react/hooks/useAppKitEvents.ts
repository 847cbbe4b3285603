import type { AppKitEvent } from '../../events/appKitEvent.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the last event.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { data } = useAppKitEvents()
 * if (data.event === 'CONNECT_SUCCESS') show('connected')
 */
export function useAppKitEvents(): AppKitEvent {
  return useAppKitStore(useCurrentAppKit().context.event)
}
