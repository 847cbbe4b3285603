import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { receiveMessages } from '@latchkey/modal/messages'
import { compatibleNetworks } from '../../../money/compatibleNetworks.ts'
import { NetworkMark } from '../../../parts/index.tsx'

/** The networks on which the user owns an address. */
export default function WalletCompatibleNetworksView(): ReactElement {
  return (
    <FlowMessages chunk={receiveMessages}>
      <Compatible />
    </FlowMessages>
  )
}

function Compatible(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(receiveMessages)
  const { network } = useAccount()
  const networks = network === undefined ? [] : compatibleNetworks(latchkey, network)
  return (
    <>
      <p className="hint">{t.networksHint}</p>
      <ul className="rows">
        {networks.map((each) => (
          <li key={each.caipNetworkId} className="row">
            <NetworkMark network={each} />
            <span className="text">
              <span className="name">{each.name}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
