import { currentEntry, dismissModal, getAccount, goBack, isApproved, pushView, type Latchkey } from '@latchkey/core'
import type { ChainId, Namespace } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useNetworks } from '../../../hooks/useNetworks.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { NetworkList } from '../../parts/NetworkList.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Icon } from '../../parts.tsx'
import { useSwitch } from '../../useSwitch.ts'

/** From how many networks on there is a search. */
const searchableCount = 8

/** The app's networks, by chain family where there are several, and the way from one to another. */
export default function NetworksView(): ReactElement {
  const latchkey = useLatchkey()
  const { networks: t, allWallets } = useStrings()
  const { networks, active } = useNetworks()
  // What a wallet approved may change while one looks.
  useStore(latchkey.wallet)
  const { state, choose } = useSwitch(() => leaveNetworks(latchkey))
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const families = latchkey.adapters
    .map(({ namespace, name }) => ({
      namespace,
      name,
      networks: networks.filter(
        (network) => network.chainNamespace === namespace && `${network.name}\n${name}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter((family) => family.networks.length > 0)
  const go = (chainId: ChainId): void => {
    if (chainId === active?.caipNetworkId) return leaveNetworks(latchkey)
    const namespace = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.chainNamespace
    if (namespace === undefined || !needsWallet(latchkey, namespace)) return choose(chainId)
    pushView(latchkey, { view: 'SwitchActiveChain', params: { namespace, chainId } })
  }
  return (
    <>
      {networks.length > searchableCount && (
        <SearchField label={t.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
      )}
      {families.length === 0 && (
        <p role="status" className="hint center">
          {t.nothing(search)}
        </p>
      )}
      {families.map((family) => (
        <NetworkList
          key={family.namespace}
          title={latchkey.adapters.length > 1 ? family.name : undefined}
          networks={family.networks}
          current={active?.caipNetworkId}
          isApproved={(network) => isApproved(latchkey, network)}
          state={state}
          choose={go}
        />
      ))}
      <WhatLink />
    </>
  )
}

function WhatLink(): ReactElement {
  const latchkey = useLatchkey()
  const { networks: t } = useStrings()
  return (
    <button
      type="button"
      className="button"
      data-quiet=""
      onClick={() => pushView(latchkey, { view: 'WhatIsANetwork', params: {} })}
    >
      <Icon name="help" />
      {t.what}
    </button>
  )
}

/** Whether somebody who is connected would be without a wallet in another family. */
function needsWallet(latchkey: Latchkey, namespace: Namespace): boolean {
  const { active } = latchkey.wallet.getState()
  if (namespace === active || getAccount(latchkey).status !== 'connected') return false
  return getAccount(latchkey, namespace).status !== 'connected'
}

/** Back to where one came from; away when the modal was opened for this. */
function leaveNetworks(latchkey: Latchkey): void {
  const modal = latchkey.modal.getState()
  if (!modal.open || currentEntry(modal).view !== 'Networks') return
  if (modal.history.length > 1) goBack(latchkey)
  else dismissModal(latchkey)
}
