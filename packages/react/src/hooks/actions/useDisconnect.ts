import { disconnect, type DisconnectTarget } from '@latchkey/core'
import { useAction, type Action } from './useAction.ts'

/**
 * Disconnects one wallet, one namespace, or everything.
 *
 * @returns the state of the last call and the functions that disconnect. The error `disconnect/failed` means that the
 * connection has ended here, but a wallet was not notified. `disconnect` is the same as `mutateAsync`.
 * @example const { mutate } = useDisconnect()
 * <button onClick={() => mutate()}>Disconnect</button>
 */
export function useDisconnect(): Action<[target?: DisconnectTarget], void> & {
  disconnect(target?: DisconnectTarget): Promise<void>
} {
  const action = useAction(disconnect)
  return { ...action, disconnect: action.mutateAsync }
}
