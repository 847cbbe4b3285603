import type { WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useStrings } from '../../strings/useStrings.ts'
import { GetLink } from './GetIt.tsx'
import { Icon, Standing, useWalletIcon } from '../parts.tsx'

type MissingPanelProps = {
  wallet: WalletListEntry
  /** Shows a code after all: somebody may have the wallet on a phone. */
  scan(): void
}

/** A wallet that lives in browsers, but not in this one. */
export function MissingPanel({ wallet, scan }: MissingPanelProps): ReactElement {
  const { pairing: t } = useStrings()
  const icon = useWalletIcon(wallet)
  return (
    <>
      <Standing
        wallet={{ name: wallet.name, icon }}
        state="ready"
        headline={t.missingTitle(wallet.name)}
        hint={t.missingHint}
      />
      <button type="button" className="button" onClick={scan}>
        <Icon name="qr" />
        {t.scanInstead}
      </button>
      <GetLink wallet={wallet} text={t.getWallet(wallet.name)} isPrimary />
    </>
  )
}
