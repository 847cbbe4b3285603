import { currentEntry, dismissModal, goBack, type Latchkey } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useNetworks } from '../../../hooks/useNetworks.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { NetworkList } from '../../parts/NetworkList.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { isApproved } from '../../isApproved.ts'
import { useSwitch } from '../../useSwitch.ts'

/** From how many networks on there is a search. */
const searchableCount = 8

/** The app's networks, and the way from one to another. */
export default function NetworksView(): ReactElement {
  const latchkey = useLatchkey()
  const { networks: t, allWallets } = useStrings()
  const { networks, active } = useNetworks()
  const wallet = useStore(latchkey.wallet)
  const { state, choose } = useSwitch(() => leaveNetworks(latchkey))
  const [search, setSearch] = useState('')
  const shown = networks.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <>
      {networks.length > searchableCount && (
        <SearchField label={t.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
      )}
      {shown.length === 0 ? (
        <p role="status" className="hint center">
          {t.nothing(search)}
        </p>
      ) : (
        <NetworkList
          networks={shown}
          current={active?.caipNetworkId}
          isApproved={(network: Network) => isApproved(wallet, network)}
          state={state}
          choose={(chainId) => (chainId === active?.caipNetworkId ? leaveNetworks(latchkey) : choose(chainId))}
        />
      )}
    </>
  )
}

/** Back to where one came from; away when the modal was opened for this. */
function leaveNetworks(latchkey: Latchkey): void {
  const modal = latchkey.modal.getState()
  if (!modal.open || currentEntry(modal).view !== 'Networks') return
  if (modal.history.length > 1) goBack(latchkey)
  else dismissModal(latchkey)
}
