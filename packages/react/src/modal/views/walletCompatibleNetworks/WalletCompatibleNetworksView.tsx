import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { receivePart } from '../../../strings/receive/texts.ts'
import { compatibleNetworks } from '../../money/compatibleNetworks.ts'
import { Mark } from '../../parts.tsx'

/** Which networks an address to be paid at is good for. */
export default function WalletCompatibleNetworksView(): ReactElement {
  return (
    <Spoken part={receivePart}>
      <Compatible />
    </Spoken>
  )
}

function Compatible(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(receivePart)
  const { network } = useAccount()
  const networks = network === undefined ? [] : compatibleNetworks(latchkey, network)
  return (
    <>
      <p className="hint">{t.hint}</p>
      <ul className="rows">
        {networks.map(({ caipNetworkId, name, assets }) => (
          <li key={caipNetworkId} className="row">
            <Mark name={name} icon={assets?.imageUrl} />
            <span className="text">
              <span className="name">{name}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
