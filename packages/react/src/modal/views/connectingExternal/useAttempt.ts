import { connect, connectAll, finishConnecting, type Latchkey, type Views } from '@latchkey/core'
import { useEffect, useRef, useState } from 'react'
import { useLatchkey } from '../../../context.ts'

/** How asking a wallet stands. */
export type Attempt = { status: 'waiting' } | { status: 'failed'; error: unknown }

type Visit = { connectorId: string; round: number; controller: AbortController; left: boolean }

/**
 * Asks a wallet for consent once per visit, and gives up waiting when the visitor leaves. Success is not told: the
 * modal goes on by itself.
 */
export function useAttempt(asked: Views['ConnectingExternal']): { attempt: Attempt; round: number; retry(): void } {
  const latchkey = useLatchkey()
  const { connectorId } = asked
  const [round, setRound] = useState(0)
  const [failure, setFailure] = useState<{ round: number; connectorId: string; error: unknown }>()
  const visit = useRef<Visit>(undefined)
  useEffect(() => {
    let present = visit.current
    if (present?.connectorId !== connectorId || present.round !== round) {
      const { signal } = (present = { connectorId, round, controller: new AbortController(), left: false }).controller
      visit.current = present
      void ask(latchkey, asked, signal, (error) => setFailure({ round, connectorId, error }))
    }
    present.left = false
    return () => leave(present)
    // A visit is about one wallet: what else is asked comes with it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [latchkey, connectorId, round])
  const isFailed = failure?.round === round && failure.connectorId === connectorId
  return {
    attempt: isFailed ? { status: 'failed', error: failure.error } : { status: 'waiting' },
    round,
    retry: () => setRound(round + 1),
  }
}

async function ask(
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

/** React's strict mode leaves and comes back at once, which is no reason to give up. */
function leave(visit: Visit): void {
  visit.left = true
  queueMicrotask(() => {
    if (visit.left) visit.controller.abort()
  })
}
