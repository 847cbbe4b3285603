import { connect, type ConnectOptions } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useAction, type Action } from './useAction.ts'

/**
 * Connects a wallet without the modal.
 *
 * @returns the state of the last call and the functions that connect. Errors are those of `connect` of `@latchkey/core`.
 * `connect` is the same as `mutateAsync`.
 * @example const { mutate, status } = useConnect()
 * <button disabled={status === 'pending'} onClick={() => mutate('io.example.wallet')}>Connect</button>
 */
export function useConnect(): Action<[connectorId: string, options?: ConnectOptions], AccountId> & {
  connect(connectorId: string, options?: ConnectOptions): Promise<AccountId>
} {
  const action = useAction(connect)
  return { ...action, connect: action.mutateAsync }
}
