import { connect, connectAll, type Latchkey } from '@latchkey/core'
import { finishConnecting, type Views } from '@latchkey/modal'
import { useEffect, useRef, useState } from 'react'
import { useLatchkey } from '../../../../context.ts'

/** The status of a connection attempt. */
export type Attempt = { status: 'waiting' } | { status: 'failed'; error: unknown }

type Visit = { connectorId: string; round: number; controller: AbortController; left: boolean }

/**
 * Connects a wallet once per visit of the view, and aborts when the user leaves. Success has no status, because the modal
 * then shows the next view.
 */
export function useAttempt(params: Views['ConnectingExternal']): { attempt: Attempt; round: number; retry(): void } {
  const latchkey = useLatchkey()
  const { connectorId } = params
  const [round, setRound] = useState(0)
  const [failure, setFailure] = useState<{ round: number; connectorId: string; error: unknown }>()
  const visit = useRef<Visit>(undefined)
  useEffect(() => {
    let present = visit.current
    if (present?.connectorId !== connectorId || present.round !== round) {
      const { signal } = (present = { connectorId, round, controller: new AbortController(), left: false }).controller
      visit.current = present
      void requestConnection(latchkey, params, signal, (error) => setFailure({ round, connectorId, error }))
    }
    present.left = false
    return () => leave(present)
    // A visit belongs to one wallet. The other parameters never change without it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [latchkey, connectorId, round])
  const isFailed = failure?.round === round && failure.connectorId === connectorId
  return {
    attempt: isFailed ? { status: 'failed', error: failure.error } : { status: 'waiting' },
    round,
    retry: () => setRound(round + 1),
  }
}

async function requestConnection(
  latchkey: Latchkey,
  { connectorId, namespace, others = [] }: Views['ConnectingExternal'],
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  try {
    if (others.length > 0) await connectAll(latchkey, [connectorId, ...others], { signal })
    else await connect(latchkey, connectorId, { signal, namespaces: namespace === undefined ? undefined : [namespace] })
    finishConnecting(latchkey)
  } catch (error) {
    if (!signal.aborted) onFailure(error)
  }
}

/** React's strict mode unmounts and mounts again at once, which must not abort the attempt. */
function leave(visit: Visit): void {
  visit.left = true
  queueMicrotask(() => {
    if (visit.left) visit.controller.abort()
  })
}
