import { switchNetwork } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import { useAction, type Action } from './useAction.ts'

/**
 * Switches to another network of the app. Asks the connected wallet to switch.
 *
 * @returns the state of the last call and the functions that switch. Errors are those of `switchNetwork` of
 * `@latchkey/core`.
 * @example const { mutate, status } = useSwitchNetwork()
 * <button disabled={status === 'pending'} onClick={() => mutate('eip155:8453')}>Use Base</button>
 */
export function useSwitchNetwork(): Action<[chainId: ChainId], void> {
  return useAction(switchNetwork)
}
