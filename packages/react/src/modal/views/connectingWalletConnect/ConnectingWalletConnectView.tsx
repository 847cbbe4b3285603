import { pushView, type Connector, type Views } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useConnectors } from '../../../hooks/useConnectors.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { OpenPanel } from '../../pairing/OpenPanel.tsx'
import { PairingFailed } from '../../pairing/PairingFailed.tsx'
import { extensionOf, platformsOf, type Platform } from '../../pairing/platforms.ts'
import { PlatformTabs } from '../../pairing/PlatformTabs.tsx'
import { ScanPanel } from '../../pairing/ScanPanel.tsx'
import { usePairing } from '../../pairing/usePairing.ts'
import { Standing } from '../../parts.tsx'

/** Waits for a wallet on a phone, in another tab or on this desk, wherever the visitor has it. */
export default function ConnectingWalletConnectView({ wallet }: Views['ConnectingWalletConnect']): ReactElement {
  const mobile = useLatchkey().settings.isMobile()
  const connectors = useConnectors()
  const { pairing, reach } = usePairing(wallet)
  const platforms = platformsOf(wallet, { mobile, connectors })
  const [chosen, setChosen] = useState<Platform>()
  const platform = platforms.find((offered) => offered === chosen) ?? platforms[0]
  const extension = wallet === undefined ? undefined : extensionOf(wallet, connectors)
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
      return <OpenPanel wallet={wallet} link={wallet?.webapp_link} pairing={pairing} />
    case 'desktop':
      return <OpenPanel wallet={wallet} link={wallet?.desktop_link} pairing={pairing} />
    case 'mobile':
      // A phone cannot scan itself; a wallet without a link can still be given a copied one.
      return mobile && (wallet === undefined || wallet.mobile_link !== undefined) ? (
        <OpenPanel wallet={wallet} link={wallet?.mobile_link} pairing={pairing} />
      ) : (
        <ScanPanel wallet={wallet} pairing={pairing} reach={reach} />
      )
  }
}

function ExtensionPanel({ extension }: { extension: Connector }): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useStrings()
  const { id, name } = extension
  return (
    <>
      <Standing wallet={extension} state="ready" headline={t.openTitle(name)} hint={t.browserHint(name)} />
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId: id } })}
      >
        {t.connectHere(name)}
      </button>
    </>
  )
}
