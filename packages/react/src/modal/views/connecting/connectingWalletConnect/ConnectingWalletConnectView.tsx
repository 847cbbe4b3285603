import type { Connector } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { pushView, type Views } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useConnectors } from '../../../../hooks/useConnectors.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { GetIt } from '../../../pairing/GetIt.tsx'
import { MissingPanel } from '../../../pairing/MissingPanel.tsx'
import { OpenPanel } from '../../../pairing/OpenPanel.tsx'
import { PairingFailed } from '../../../pairing/PairingFailed.tsx'
import { extensionOf, isMissing, platformsOf, type Platform } from '../../../pairing/platforms.ts'
import { PlatformTabs } from '../../../pairing/PlatformTabs.tsx'
import { ScanPanel } from '../../../pairing/ScanPanel.tsx'
import { usePairing } from '../../../pairing/usePairing.ts'
import { StatusPanel } from '../../../parts/index.tsx'

/** Connects a wallet on a phone, in another tab or on this desktop. */
export default function ConnectingWalletConnectView({ wallet }: Views['ConnectingWalletConnect']): ReactElement {
  const mobile = internalsOf(useLatchkey()).settings.isMobile()
  const connectors = useConnectors()
  const platforms = platformsOf(wallet, { mobile, connectors })
  const [chosen, setChosen] = useState<Platform>()
  const [scans, setScans] = useState(false)
  const missing = !scans && isMissing(wallet, { mobile, connectors })
  const { pairing, reach } = usePairing(wallet, !missing)
  const platform = platforms.find((offered) => offered === chosen) ?? platforms[0]
  const extension = wallet === undefined ? undefined : extensionOf(wallet, connectors)
  if (wallet !== undefined && missing) {
    return <MissingPanel wallet={wallet} scan={() => setScans(true)} />
  }
  if (pairing.status === 'failed') return <PairingFailed wallet={wallet} error={pairing.error} />
  return (
    <>
      {platforms.length > 1 && <PlatformTabs platforms={platforms} chosen={platform} onChoose={setChosen} />}
      <Panel key={platform} {...{ platform, wallet, extension, mobile, pairing, reach }} />
    </>
  )
}

type PanelProps = Omit<Parameters<typeof ScanPanel>[0], 'wallet'> & {
  platform: Platform
  wallet: WalletListEntry | undefined
  extension: Connector | undefined
  mobile: boolean
}

function Panel({ platform, wallet, extension, mobile, pairing, reach }: PanelProps): ReactElement {
  switch (platform) {
    case 'browser':
      return extension === undefined ? <></> : <ExtensionPanel extension={extension} />
    case 'webapp':
    case 'desktop':
      return <OpenPanel wallet={wallet} platform={platform} pairing={pairing} />
    case 'mobile':
      // A phone can't scan its own screen. For a wallet without a link, the user can copy the pairing URI.
      return mobile && hasApp(wallet) ? (
        <OpenPanel wallet={wallet} platform="mobile" pairing={pairing} />
      ) : (
        <>
          <ScanPanel wallet={wallet} pairing={pairing} reach={reach} />
          <GetIt wallet={wallet} />
        </>
      )
  }
}

/** True if the wallet has an app. An unspecified wallet may have one. */
function hasApp(wallet: WalletListEntry | undefined): boolean {
  return wallet === undefined || wallet.mobile_link !== undefined || wallet.link_mode !== undefined
}

function ExtensionPanel({ extension }: { extension: Connector }): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useModalMessages()
  const { id, name } = extension
  return (
    <>
      <StatusPanel
        wallet={extension}
        state="ready"
        headline={t.openTitle({ wallet: name })}
        hint={t.browserHint({ wallet: name })}
      />
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId: id } })}
      >
        {t.connectHere({ wallet: name })}
      </button>
    </>
  )
}
