import { isNetworkApproved } from '@latchkey/core/internal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { DisconnectButton } from '../../../parts/DisconnectButton.tsx'
import { NetworkList } from '../../../parts/NetworkList.tsx'
import { useNetworkSwitch } from '../../../parts/useNetworkSwitch.ts'

/** The wallet is on an unsupported network: choose a supported one, or disconnect. */
export default function UnsupportedChainView(): ReactElement {
  const latchkey = useLatchkey()
  const { unsupported: t } = useModalMessages()
  const account = useAccount()
  // The approved networks may change while the view is open.
  useStore(latchkey.wallet)
  // The modal closes this view once the wallet is on a supported network.
  const { state, choose } = useNetworkSwitch(() => {})
  const networks = latchkey.networks.filter((network) => network.chainNamespace === account.network?.chainNamespace)
  const connected = account.status === 'connected' ? account : undefined
  const hasNone = !networks.some((network) => isNetworkApproved(latchkey, network))
  return (
    <>
      {connected !== undefined && (
        <p className="hint center">
          {hasNone
            ? t.noNetworks({ wallet: connected.wallet.name })
            : t.explain({ wallet: connected.wallet.name, network: connected.network.name })}
        </p>
      )}
      <NetworkList
        networks={networks}
        current={undefined}
        isApproved={(network) => isNetworkApproved(latchkey, network)}
        state={state}
        choose={choose}
      />
      <DisconnectButton />
    </>
  )
}
