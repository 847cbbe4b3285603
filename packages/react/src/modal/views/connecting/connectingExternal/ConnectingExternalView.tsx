import { goBack, type Views } from '@latchkey/modal'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useConnectors } from '../../../../hooks/useConnectors.ts'
import { useLatchkey } from '../../../../context.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { useSlow } from '../../../timing/useSlow.ts'
import { useAttempt } from './useAttempt.ts'
import { Icon, StatusPanel } from '../../../parts/index.tsx'

/** Sends a connection request to a wallet in this browser, and waits for its response. */
export default function ConnectingExternalView(params: Views['ConnectingExternal']): ReactElement {
  const { connectorId } = params
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const { connecting: t } = strings
  const connectors = useConnectors()
  const { attempt, round, retry } = useAttempt(params)
  const isSlow = useSlow(attempt.status === 'waiting' ? `${connectorId} ${round}` : undefined)
  const wallet = connectors.find(({ id }) => id === connectorId) ?? { name: t.title }

  if (attempt.status === 'waiting') {
    const hint = isSlow ? t.slow({ wallet: wallet.name }) : t.approveHint
    return <StatusPanel wallet={wallet} state="waiting" headline={t.approve({ wallet: wallet.name })} hint={hint} />
  }
  const isGone = isLatchkeyError(attempt.error, 'connector/not-found')
  return (
    <>
      <StatusPanel wallet={wallet} state="failed" {...failureTexts(strings, wallet.name, attempt.error)} />
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
  if (isLatchkeyError(error, 'connection/rejected')) return { headline: t.declined, hint: t.declinedHint({ wallet }) }
  if (isRequestPending(error)) return { headline: t.pendingRequestTitle({ wallet }), hint: t.pendingRequestHint }
  if (isLatchkeyError(error, 'wallet/no-accounts')) return { headline: t.noAccountsTitle, hint: t.noAccountsHint }
  if (isLatchkeyError(error, 'wallet/unavailable'))
    return { headline: t.notRespondingTitle({ wallet }), hint: t.notRespondingHint }
  const headline = isLatchkeyError(error, 'connector/not-found') ? t.unavailableTitle : t.failedTitle
  return { headline, hint: describeFailure(strings, error) }
}

/** True if the wallet rejected the request because an earlier one is pending (EIP-1474, "resource unavailable"). */
function isRequestPending(error: unknown): boolean {
  return isLatchkeyError(error, 'request/failed') && error.context.code === -32002
}
