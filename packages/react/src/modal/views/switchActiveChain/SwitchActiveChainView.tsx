import { goBack, resetView, setActiveNamespace, switchNetwork, type Views } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { Standing } from '../../parts.tsx'

/** Going to a chain family that the wallet in use is not connected to. What is connected stays so. */
export default function SwitchActiveChainView({ namespace, chainId }: Views['SwitchActiveChain']): ReactElement {
  const latchkey = useLatchkey()
  const { switchActiveChain: t } = useStrings()
  const present = useAccount()
  const there = useAccount(namespace)
  const adapter = latchkey.adapters.find((candidate) => candidate.namespace === namespace)
  const family = adapter?.name ?? namespace
  const isReady = there.status === 'connected'
  const wallet = present.status === 'connected' ? present.wallet.name : undefined
  const go = async (): Promise<void> => {
    setActiveNamespace(latchkey, namespace)
    // A network of a family without a wallet is a wish that nobody can refuse.
    if (chainId !== undefined && !isReady) await switchNetwork(latchkey, chainId)
    if (isReady) goBack(latchkey)
    else resetView(latchkey, { view: 'Connect', params: { namespace } })
  }
  return (
    <>
      <Standing
        wallet={{ name: family, icon: adapter?.networks[0].assets?.imageUrl }}
        state="ready"
        headline={t.headline(family)}
        hint={isReady ? t.ready(there.wallet.name, family) : t.connectFirst(wallet, family)}
      />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => void go()}>
        {isReady ? t.switch : t.connect}
      </button>
    </>
  )
}
