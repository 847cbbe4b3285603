import { pair } from '@latchkey/modal'
import { isLatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { describeFailure } from '../describeFailure.ts'
import { Icon, StatusPanel, useWalletIcon } from '../parts/index.tsx'

type PairingFailedProps = { wallet: WalletListEntry | undefined; error: Error }

/** Shown if the wallet rejected the proposal or the relay is unreachable. A new pairing can be started. */
export function PairingFailed({ wallet, error }: PairingFailedProps): ReactElement {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const { pairing: t, connecting } = strings
  const icon = useWalletIcon(wallet)
  const isDeclined = isLatchkeyError(error, 'connection/rejected')
  return (
    <>
      <StatusPanel
        wallet={{ name: wallet?.name ?? t.title, icon }}
        state="failed"
        headline={isDeclined ? t.declinedTitle : t.failedTitle}
        hint={describeFailure(strings, error)}
      />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => pair(latchkey, wallet)}>
        <Icon name="retry" />
        {isLatchkeyError(error, 'pairing/expired') ? t.newLink : connecting.tryAgain}
      </button>
    </>
  )
}
