import { pair } from '@latchkey/core'
import { isLatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { describeFailure } from '../describeFailure.ts'
import { Icon, Standing, useWalletIcon } from '../parts.tsx'

type PairingFailedProps = { wallet: WalletListEntry | undefined; error: Error }

/** The phone wallet declined, or nothing can be reached; a new link begins anew. */
export function PairingFailed({ wallet, error }: PairingFailedProps): ReactElement {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const { pairing: t } = strings
  const icon = useWalletIcon(wallet)
  const isDeclined = isLatchkeyError(error, 'connection/rejected')
  return (
    <>
      <Standing
        wallet={{ name: wallet?.name ?? t.title, icon }}
        state="failed"
        headline={isDeclined ? t.declinedTitle : t.failedTitle}
        hint={describeFailure(strings, error)}
      />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => pair(latchkey, wallet)}>
        <Icon name="retry" />
        {t.newLink}
      </button>
    </>
  )
}
