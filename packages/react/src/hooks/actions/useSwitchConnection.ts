import { switchConnection, type InstanceAction } from '@latchkey/core'
import type { AccountId, Namespace } from '@latchkey/protocol'
import { useAction, type Action } from './useAction.ts'

/** A connected wallet, and optionally the account to use. */
export type ConnectionTarget = { namespace: Namespace; connectorId: string; account?: AccountId }

const switchConnectionNow: InstanceAction<[target: ConnectionTarget], void> = async (latchkey, target) =>
  switchConnection(latchkey, target)

/**
 * Makes another connected wallet the primary one. No wallet request is sent.
 *
 * @returns the state of the last call and the functions that switch. The error `account/not-found` means that the wallet
 * is not connected there, or does not share the account. `switchConnection` is the same as `mutateAsync`.
 * @example const { mutate } = useSwitchConnection()
 * <button onClick={() => mutate({ namespace: 'eip155', connectorId: 'io.example.wallet' })}>Use this wallet</button>
 */
export function useSwitchConnection(): Action<[target: ConnectionTarget], void> & {
  switchConnection(target: ConnectionTarget): Promise<void>
} {
  const action = useAction(switchConnectionNow)
  return { ...action, switchConnection: action.mutateAsync }
}
