import { isApproved } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { DisconnectButton } from '../../parts/DisconnectButton.tsx'
import { NetworkList } from '../../parts/NetworkList.tsx'
import { useSwitch } from '../../useSwitch.ts'

/** The wallet is on a network that the app does not use: choose one that it does, or leave. */
export default function UnsupportedChainView(): ReactElement {
  const latchkey = useLatchkey()
  const { unsupported: t } = useStrings()
  const account = useAccount()
  // What a wallet approved may change while one looks.
  useStore(latchkey.wallet)
  // The core closes this view once the wallet is on a network of the app.
  const { state, choose } = useSwitch(() => {})
  const networks = latchkey.networks.filter((network) => network.chainNamespace === account.network?.chainNamespace)
  const connected = account.status === 'connected' ? account : undefined
  const hasNone = !networks.some((network) => isApproved(latchkey, network))
  return (
    <>
      {connected !== undefined && (
        <p className="hint center">
          {hasNone ? t.none(connected.wallet.name) : t.explain(connected.wallet.name, connected.network.name)}
        </p>
      )}
      <NetworkList
        networks={networks}
        current={undefined}
        isApproved={(network) => isApproved(latchkey, network)}
        state={state}
        choose={choose}
      />
      <DisconnectButton />
    </>
  )
}
