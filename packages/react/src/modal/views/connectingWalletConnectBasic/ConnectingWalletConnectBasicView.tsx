import { pushView } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { PairingFailed } from '../../pairing/PairingFailed.tsx'
import { ScanPanel } from '../../pairing/ScanPanel.tsx'
import { usePairing } from '../../pairing/usePairing.ts'
import { Icon, Row } from '../../parts.tsx'

/** The way in of an app without adapters: a code for any wallet, and the list of wallets. */
export default function ConnectingWalletConnectBasicView(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  const { pairing, reach } = usePairing(undefined)
  if (pairing.status === 'failed') return <PairingFailed wallet={undefined} error={pairing.error} />
  return (
    <>
      <ScanPanel wallet={undefined} pairing={pairing} reach={reach} />
      {latchkey.settings.server !== undefined && (
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
