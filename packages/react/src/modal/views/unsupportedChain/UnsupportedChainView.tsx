import type { Network } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { isApproved } from '../../isApproved.ts'
import { DisconnectButton } from '../../parts/DisconnectButton.tsx'
import { NetworkList } from '../../parts/NetworkList.tsx'
import { useSwitch } from '../../useSwitch.ts'

/** The wallet is on a network that the app does not use: choose one that it does, or leave. */
export default function UnsupportedChainView(): ReactElement {
  const latchkey = useLatchkey()
  const { unsupported: t } = useStrings()
  const account = useAccount()
  const wallet = useStore(latchkey.wallet)
  // The core closes this view once the wallet is on a network of the app.
  const { state, choose } = useSwitch(() => {})
  const networks = latchkey.networks.filter(
    (network: Network) => network.chainNamespace === account.network?.chainNamespace,
  )
  const connected = account.status === 'connected' ? account : undefined
  return (
    <>
      {connected !== undefined && (
        <p className="hint center">{t.explain(connected.wallet.name, connected.network.name)}</p>
      )}
      <NetworkList
        networks={networks}
        current={undefined}
        isApproved={(network) => isApproved(wallet, network)}
        state={state}
        choose={choose}
      />
      <DisconnectButton />
    </>
  )
}
