import type { PairingState, Reach } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useStrings } from '../../strings/useStrings.ts'
import { describeFailure } from '../describeFailure.ts'
import { CopyLink } from './CopyLink.tsx'
import { QrCode } from './QrCode.tsx'
import { Icon, WalletMark } from '../parts.tsx'

type ScanPanelProps = { wallet: WalletListEntry | undefined; pairing: PairingState; reach: Reach }

/** A code to scan with the phone, and the same link to copy. */
export function ScanPanel({ wallet, pairing, reach }: ScanPanelProps): ReactElement {
  const strings = useStrings()
  const { pairing: t } = strings
  const uri = pairing.status === 'ready' ? pairing.uri : undefined
  const isCutOff = reach.state === 'unreachable'
  return (
    <>
      <QrCode text={uri} label={t.qrLabel(wallet?.name)} dimmed={isCutOff}>
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
            {reach.state === 'reaching' ? t.reaching : uri === undefined ? t.preparing : t.scan(wallet?.name)}
          </p>
        )}
      </div>
      <CopyLink uri={isCutOff ? undefined : uri} />
    </>
  )
}
