import { goBack, type Views } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useConnectors } from '../../../hooks/useConnectors.ts'
import { useLatchkey } from '../../../context.ts'
import type { Strings } from '../../../strings/strings.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { describeFailure } from '../../describeFailure.ts'
import { useSlow } from '../../useSlow.ts'
import { useAttempt } from './useAttempt.ts'
import { Icon, Standing } from '../../parts.tsx'

/** Asks a wallet in this browser, and waits for its answer. */
export default function ConnectingExternalView(asked: Views['ConnectingExternal']): ReactElement {
  const { connectorId } = asked
  const latchkey = useLatchkey()
  const strings = useStrings()
  const { connecting: t } = strings
  const connectors = useConnectors()
  const { attempt, round, retry } = useAttempt(asked)
  const isSlow = useSlow(attempt.status === 'waiting' ? `${connectorId} ${round}` : undefined)
  const wallet = connectors.find(({ id }) => id === connectorId) ?? { name: t.title }

  if (attempt.status === 'waiting') {
    const hint = isSlow ? t.slow(wallet.name) : t.approveHint
    return <Standing wallet={wallet} state="waiting" headline={t.approve(wallet.name)} hint={hint} />
  }
  const isGone = isLatchkeyError(attempt.error, 'connector/not-found')
  return (
    <>
      <Standing wallet={wallet} state="failed" {...failureTexts(strings, wallet.name, attempt.error)} />
      {isGone ? (
        <button type="button" className="button" data-primary="" onClick={() => goBack(latchkey)}>
          {t.otherWallet}
        </button>
      ) : (
        <button type="button" className="button" data-primary="" part="primary" onClick={retry}>
          <Icon name="retry" />
          {t.tryAgain}
        </button>
      )}
    </>
  )
}

function failureTexts(strings: Strings, wallet: string, error: unknown): { headline: string; hint: string } {
  const { connecting: t } = strings
  if (isLatchkeyError(error, 'connection/rejected')) return { headline: t.declined, hint: t.declinedHint(wallet) }
  if (isAskingAlready(error)) return { headline: t.askingTitle(wallet), hint: t.askingHint }
  if (isLatchkeyError(error, 'wallet/unavailable')) return { headline: t.goneTitle(wallet), hint: t.goneHint }
  const headline = isLatchkeyError(error, 'connector/not-found') ? t.missingTitle : t.failedTitle
  return { headline, hint: describeFailure(strings, error) }
}

/** A wallet that still shows an earlier request takes no other (EIP-1474, "resource unavailable"). */
function isAskingAlready(error: unknown): boolean {
  return isLatchkeyError(error, 'request/failed') && error.context.code === -32002
}
