import type { WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { GetLink } from './GetIt.tsx'
import { Icon, StatusPanel, useWalletIcon } from '../parts/index.tsx'

type MissingPanelProps = {
  wallet: WalletListEntry
  /** Shows a QR code instead, for users with the wallet on a phone. */
  scan(): void
}

/** A browser wallet that is not installed here. */
export function MissingPanel({ wallet, scan }: MissingPanelProps): ReactElement {
  const { pairing: t } = useModalMessages()
  const icon = useWalletIcon(wallet)
  return (
    <>
      <StatusPanel
        wallet={{ name: wallet.name, icon }}
        state="ready"
        headline={t.notInstalledTitle({ wallet: wallet.name })}
        hint={t.notInstalledHint}
      />
      <button type="button" className="button" onClick={scan}>
        <Icon name="qr" />
        {t.scanInstead}
      </button>
      <GetLink wallet={wallet} text={t.getWallet({ wallet: wallet.name })} isPrimary />
    </>
  )
}
