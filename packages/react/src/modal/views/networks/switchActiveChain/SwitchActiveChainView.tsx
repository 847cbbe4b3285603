import { networkImageUrl, setActiveNamespace, switchNetwork } from '@latchkey/core'
import { goBack, resetView, type Views } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { StatusPanel } from '../../../parts/index.tsx'

/** Switches to a namespace that the current wallet is not connected to. Existing connections stay. */
export default function SwitchActiveChainView({ namespace, chainId }: Views['SwitchActiveChain']): ReactElement {
  const latchkey = useLatchkey()
  const { switchActiveChain: t } = useModalMessages()
  const present = useAccount()
  const there = useAccount(namespace)
  const adapter = latchkey.adapters.find((candidate) => candidate.namespace === namespace)
  const namespaceName = adapter?.name ?? namespace
  const isReady = there.status === 'connected'
  const wallet = present.status === 'connected' ? present.wallet.name : undefined
  const go = async (): Promise<void> => {
    setActiveNamespace(latchkey, namespace)
    // Without a wallet in the namespace, the network is selected at once.
    if (chainId !== undefined && !isReady) await switchNetwork(latchkey, chainId)
    if (isReady) goBack(latchkey)
    else resetView(latchkey, { view: 'Connect', params: { namespace } })
  }
  const connectHint =
    wallet === undefined
      ? t.connectFirstAnyWallet({ namespace: namespaceName })
      : t.connectFirst({ wallet, namespace: namespaceName })
  const hint = isReady ? t.connectedHint({ wallet: there.wallet.name, namespace: namespaceName }) : connectHint
  return (
    <>
      <StatusPanel
        wallet={{ name: namespaceName, icon: adapter && networkImageUrl(latchkey, adapter.networks[0]) }}
        state="ready"
        headline={t.headline({ namespace: namespaceName })}
        hint={hint}
      />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => void go()}>
        {isReady ? t.switch : t.connect}
      </button>
    </>
  )
}
