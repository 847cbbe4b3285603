import type { AppKit } from '../../instance/appKit.ts'
import { useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the functions that open and close the modal.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { open } = useAppKit()
 * show(() => open({ view: 'Networks' }))
 */
export function useAppKit(): Pick<AppKit, 'open' | 'close'> {
  const { open, close } = useCurrentAppKit()
  return { open, close }
}
