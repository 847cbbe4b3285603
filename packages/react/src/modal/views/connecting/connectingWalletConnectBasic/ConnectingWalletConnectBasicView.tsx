import { internalsOf } from '@latchkey/core/internal'
import { pushView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { PairingFailed } from '../../../pairing/PairingFailed.tsx'
import { ScanPanel } from '../../../pairing/ScanPanel.tsx'
import { usePairing } from '../../../pairing/usePairing.ts'
import { Icon, Row } from '../../../parts/index.tsx'

/** For apps without adapters: a QR code for any wallet, and the wallet list. */
export default function ConnectingWalletConnectBasicView(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  const { pairing, reach } = usePairing(undefined)
  if (pairing.status === 'failed') return <PairingFailed wallet={undefined} error={pairing.error} />
  return (
    <>
      <ScanPanel wallet={undefined} pairing={pairing} reach={reach} />
      {internalsOf(latchkey).settings.server !== undefined && (
        <ul className="rows">
          <Row
            mark={
              <span className="mark">
                <Icon name="grid" />
              </span>
            }
            name={t.allWallets}
            onChoose={() => pushView(latchkey, { view: 'AllWallets', params: {} })}
          />
        </ul>
      )}
    </>
  )
}
