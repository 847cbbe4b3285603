import { getAccount, type Latchkey } from '@latchkey/core'
import { isNetworkApproved } from '@latchkey/core/internal'
import { currentEntry, dismissModal, goBack, modalOf, pushView } from '@latchkey/modal'
import type { ChainId, Namespace } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useNetworks } from '../../../../hooks/useNetworks.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { NetworkList } from '../../../parts/NetworkList.tsx'
import { SearchField } from '../../../parts/SearchField.tsx'
import { Icon } from '../../../parts/index.tsx'
import { useNetworkSwitch } from '../../../parts/useNetworkSwitch.ts'

/** The number of networks from which on there is a search. */
const searchableCount = 8

/** The app's networks, by namespace if there are several. */
export default function NetworksView(): ReactElement {
  const latchkey = useLatchkey()
  const { networks: t, allWallets } = useModalMessages()
  const { networks, active } = useNetworks()
  // The approved networks may change while the view is open.
  useStore(latchkey.wallet)
  const { state, choose } = useNetworkSwitch(() => leaveNetworks(latchkey))
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const namespaces = latchkey.adapters
    .map(({ namespace, name }) => ({
      namespace,
      name,
      networks: networks.filter(
        (network) => network.chainNamespace === namespace && `${network.name}\n${name}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter((group) => group.networks.length > 0)
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
      {namespaces.length === 0 && (
        <p role="status" className="hint center">
          {t.noResults({ search })}
        </p>
      )}
      {namespaces.map((group) => (
        <NetworkList
          key={group.namespace}
          title={latchkey.adapters.length > 1 ? group.name : undefined}
          networks={group.networks}
          current={active?.caipNetworkId}
          isApproved={(network) => isNetworkApproved(latchkey, network)}
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
  const { networks: t } = useModalMessages()
  return (
    <button
      type="button"
      className="button"
      data-quiet=""
      onClick={() => pushView(latchkey, { view: 'WhatIsANetwork', params: {} })}
    >
      <Icon name="help" />
      {t.help}
    </button>
  )
}

/** True if a wallet is connected, but none in this namespace. */
function needsWallet(latchkey: Latchkey, namespace: Namespace): boolean {
  const { active } = latchkey.wallet.getState()
  if (namespace === active || getAccount(latchkey).status !== 'connected') return false
  return getAccount(latchkey, namespace).status !== 'connected'
}

/** Returns to the previous view, or closes the modal if it was opened for this view. */
function leaveNetworks(latchkey: Latchkey): void {
  const modal = modalOf(latchkey).state.getState()
  if (!modal.open || currentEntry(modal).view !== 'Networks') return
  if (modal.history.length > 1) goBack(latchkey)
  else dismissModal(latchkey)
}
