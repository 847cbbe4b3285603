import type { Reachability } from '@latchkey/core'
import type { PairingState } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { describeFailure } from '../describeFailure.ts'
import { CopyLink } from './CopyLink.tsx'
import { QrCode } from './QrCode.tsx'
import { Icon, WalletMark } from '../parts/index.tsx'

type ScanPanelProps = { wallet: WalletListEntry | undefined; pairing: PairingState; reach: Reachability }

/** The QR code of a pairing URI, and a button that copies the URI. */
export function ScanPanel({ wallet, pairing, reach }: ScanPanelProps): ReactElement {
  const strings = useModalMessages()
  const { pairing: t } = strings
  const uri = pairing.status === 'ready' ? pairing.uri : undefined
  const scan = wallet === undefined ? t.scanAnyWallet : t.scan({ wallet: wallet.name })
  const isCutOff = reach.state === 'unreachable'
  return (
    <>
      <QrCode
        text={uri}
        label={wallet === undefined ? t.qrLabelAnyWallet : t.qrLabel({ wallet: wallet.name })}
        dimmed={isCutOff}
      >
        {wallet === undefined ? (
          <span className="mark">
            <Icon name="key" size={28} />
          </span>
        ) : (
          <WalletMark wallet={wallet} />
        )}
      </QrCode>
      <div className="pairing-words">
        {isCutOff ? (
          <p className="hint" role="alert">
            {describeFailure(strings, reach.error)}
          </p>
        ) : (
          <p className="hint" role="status">
            {reach.state === 'reaching' ? t.connectingToRelay : uri === undefined ? t.preparing : scan}
          </p>
        )}
      </div>
      <CopyLink uri={isCutOff ? undefined : uri} />
    </>
  )
}
